import { expect, it } from "vitest";
import { parseHostName } from "./host-name";
import { failureAnswer, refusalAnswer } from "./refusal-text";

const host = parseHostName("left-pad.example");

it("a refusal names the host, the port, the reason and what to do", () => {
  const { text, phrase } = refusalAnswer({
    reason: "name",
    status: 403,
    detail: "the host is not on the allowlist",
    host,
    port: 443,
  });
  expect(text).toBe(
    "egress.denied: left-pad.example:443: the host is not on the allowlist.\n" +
      "An admin can add left-pad.example to the allowlist. Until then, do without it.\n",
  );
  expect(phrase).not.toMatch(/[\r\n]/);
});

it("a target that could not be read is not repeated", () => {
  const { text } = refusalAnswer({
    reason: "target_malformed",
    status: 403,
    detail: "no host name",
    host: null,
    port: null,
  });
  expect(text).toMatch(/^egress\.denied: the target: no host name\./);
});

it("a failure of an allowed host says that it is none of the allowlist's", () => {
  if (host === null) throw new Error("no host");
  expect(failureAnswer("connect_timed_out", host, 443)).toMatchObject({ status: 504 });
  expect(failureAnswer("resolve_failed", host, 443)).toMatchObject({ status: 502 });
  expect(failureAnswer("connect_failed", host, 443).text).toContain("on the allowlist");
});
