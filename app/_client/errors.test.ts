import { TRPCClientError } from "@trpc/client";
import { describe, expect, test } from "vitest";
import { describeApiError } from "./errors";

const failed = (domainCode: string, message: string, details: Record<string, unknown> = {}) =>
  TRPCClientError.from({
    error: { message, code: -32603, data: { code: "X", httpStatus: 500, domainCode, details } },
  });

describe("describeApiError", () => {
  test("says what to quote when the server broke", () => {
    expect(describeApiError(failed("internal", "Something broke here.", { correlationId: "c-1" }))).toEqual({
      title: "Something broke on the server",
      message: "Something broke here.",
      domainCode: "internal",
      correlationId: "c-1",
    });
  });

  test("what is gone and what never was read the same", () => {
    expect(describeApiError(failed("run.not_found", "No such Run.")).title).toBe("There is nothing here");
  });

  test("a server that cannot be reached is not blamed on what was asked", () => {
    for (const error of [new TypeError("Failed to fetch"), TRPCClientError.from(new Error("502")), "odd"]) {
      expect(describeApiError(error)).toMatchObject({
        title: "The server does not answer",
        domainCode: null,
      });
    }
  });

  test("a code that has no title yet still tells its cause", () => {
    expect(describeApiError(failed("new.code", "The cause."))).toMatchObject({
      title: "This did not work",
      message: "The cause.",
    });
  });
});
