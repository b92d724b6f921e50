import { expect, it } from "vitest";
import { deniedText } from "./denied";

it("names the host, the allowlist and who can help, a line for each target", () => {
  const refused = [
    { host: "api.example.com", port: 443, reason: "name" as const },
    { host: "registry.example", port: 8443, reason: "port" as const },
    { host: null, port: null, reason: "address_literal" as const },
  ];
  expect(deniedText({ refused, allowed: ["registry.example"] })).toBe(
    "egress.denied: api.example.com:443 is not on the allowlist (registry.example); an admin can add it under Settings, Egress\n" +
      "egress.denied: registry.example:8443 was refused: only https:// on port 443 and http:// on port 80 are let through\n" +
      "egress.denied: an IP address was asked for; only host names on the allowlist can be reached\n",
  );
});

it("is empty when nothing was refused, and short however much was", () => {
  expect(deniedText({ refused: [], allowed: [] })).toBe("");
  const refused = Array.from({ length: 150 }, (_, index) => ({
    host: `h${index}.example`,
    port: 443,
    reason: "name" as const,
  }));
  const allowed = Array.from({ length: 900 }, (_, index) => `a${index}.example`);
  const lines = deniedText({ refused, allowed }).split("\n");
  expect(lines.at(-2)).toBe("egress.denied: and 130 other targets");
  expect(lines.length).toBe(22);
  expect(lines[0]).toContain("and 892 more");
});
