import type { z } from "zod";
import type { ControlAnswer, ControlRequest, ControlRoute } from "../platform/control-server";
import { DomainError } from "../platform/errors";
import type { ServiceTokenVerifier } from "../platform/service-token";
import { isControlToken } from "./run-token";
import { controlInputs, type ControlCall, type ControlInput } from "./schema";
import type { OpenedSide } from "./types";

/** What the service does for each call of web. Answers travel as JSON, `null` standing for nothing; bytes as they are. */
export type ControlHandlers = {
  [Call in ControlCall]: (
    input: ControlInput<Call>,
  ) => Promise<Call extends "openSide" ? OpenedSide : unknown>;
};

/**
 * The calls of web, `POST /<call>` with the input as JSON body and a bearer token that was signed for this use alone.
 * Errors: `auth.required`, `input.invalid` naming the fault, and those of the call.
 */
export function createControlRoutes(deps: {
  verifier: ServiceTokenVerifier;
  handlers: ControlHandlers;
}): Record<string, ControlRoute> {
  const routeOf = <Call extends ControlCall>(call: Call): ControlRoute => {
    const schema = controlInputs[call] as unknown as z.ZodType<ControlInput<Call>>;
    return async (request) => {
      await requireControlToken(request, deps.verifier);
      const result = await deps.handlers[call](parse(schema, request.body));
      return call === "openSide" ? { status: 200, ...(result as OpenedSide) } : answerOf(result);
    };
  };
  return Object.fromEntries(
    (Object.keys(controlInputs) as ControlCall[]).map((call) => [`POST /${call}`, routeOf(call)]),
  );
}

function answerOf(result: unknown): ControlAnswer {
  return { status: 200, body: { result: result ?? null } };
}

async function requireControlToken(request: ControlRequest, verifier: ServiceTokenVerifier): Promise<void> {
  const claims = request.bearer === null ? null : await verifier.verify("rhumbatron:git", request.bearer);
  if (!isControlToken(claims))
    throw new DomainError("auth.required", "The token is missing, wrong or expired.");
}

/** The text of the body never stands in the error: an address of an import may hold a password. */
function parse<Input>(schema: z.ZodType<Input>, body: string): Input {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new DomainError("input.invalid", "The body is not JSON.");
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new DomainError("input.invalid", `This cannot be used: ${faults.slice(0, 10).join("; ")}.`);
}
