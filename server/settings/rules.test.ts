import { expect, it } from "vitest";
import { parseSettings } from "../platform/config";
import { settingsOfEnvironment } from "./rules";

const view = (env: Record<string, string>) =>
  settingsOfEnvironment(parseSettings(env), env, { SANDBOX_MONTHLY_SECONDS: "36000" });

it("says of each setting what holds and whether the environment said so; an empty value is unset", () => {
  const shown = view({ SANDBOX_CPUS: "3", PORT: "", EGRESS_ALLOWLIST: "a.example,*.b.example" });
  const of = (name: string) => shown.find((setting) => setting.name === name);
  expect(of("SANDBOX_CPUS")).toEqual({ name: "SANDBOX_CPUS", value: "3", source: "environment" });
  expect(of("PORT")).toEqual({ name: "PORT", value: "3000", source: "default" });
  expect(of("EGRESS_ALLOWLIST")?.value).toBe("a.example,*.b.example");
  expect(of("SANDBOX_MONTHLY_SECONDS")?.value).toBe("36000");
  expect(of("HOST_ADDRESSES")).toMatchObject({ value: "", source: "default" });
});

it("never shows what can hold a secret", () => {
  const text = JSON.stringify(view({ DATABASE_URL: "postgres://u:hunter2@db/x" }));
  expect(text).not.toContain("hunter2");
  expect(text).not.toContain("DATABASE_URL");
});
