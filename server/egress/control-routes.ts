import { z } from "zod";
import type { ControlAnswer, ControlRequest, ControlRoute, Health } from "../platform/control-server";
import { DomainError } from "../platform/errors";
import type { ServiceTokenVerifier } from "../platform/service-token";
import type { DecisionLog } from "./decisions";
import type { PolicyHolder } from "./policy-holder";
import { policyClaimsSchema } from "./schema";

const decisionsQuery = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(1_000).default(500),
});

const refusalsQuery = z.object({
  sandboxId: z.string().nullable().default(null),
  proxyUser: z.string().nullable().default(null),
  since: z.iso.datetime().nullable().default(null),
  limit: z.coerce.number().int().min(1).max(1_000).default(500),
});

interface ControlDeps {
  verifier: ServiceTokenVerifier;
  policies: PolicyHolder;
  decisions: DecisionLog;
}

/**
 * The calls of web. `PUT /policy` takes a policy as the claims of a service token, the token being the whole body;
 * `GET /decisions?after=&limit=` gives what was decided after a place, `GET /refusals?sandboxId=&proxyUser=&since=&limit=`
 * what was refused, newest first. Errors: `auth.required` for a token that does not
 * verify, `input.invalid` naming the fault. A stale policy is answered 409 with the version in force.
 */
export function createEgressRoutes(deps: ControlDeps): Record<string, ControlRoute> {
  return {
    "PUT /policy": (request) => putPolicy(request, deps),
    "GET /decisions": async (request) => {
      await requireClaims(request.bearer, deps.verifier);
      return {
        status: 200,
        body: deps.decisions.page(parse(decisionsQuery, Object.fromEntries(request.query))),
      };
    },
    "GET /refusals": async (request) => {
      await requireClaims(request.bearer, deps.verifier);
      const filter = parse(refusalsQuery, Object.fromEntries(request.query));
      return { status: 200, body: { refusals: deps.decisions.refused(filter) } };
    },
  };
}

/** Says whether anybody can get out, and holds no secret: the port is asked without a token. */
export function egressHealth(deps: { policies: PolicyHolder; connectionCount: () => number }): Health {
  return {
    status: deps.policies.current() === null ? "degraded" : "ok",
    detail: `${deps.policies.describe()} Open connections: ${deps.connectionCount()}.`,
  };
}

async function putPolicy(request: ControlRequest, deps: ControlDeps): Promise<ControlAnswer> {
  const claims = await requireClaims(request.body.trim(), deps.verifier);
  const { policy } = parse(policyClaimsSchema, claims);
  const { status, version } = await deps.policies.offer(policy);
  if (status === "in_force") return { status: 200, body: { version } };
  return {
    status: 409,
    body: { version, message: "Another policy with this version, or a later one, is in force." },
  };
}

async function requireClaims(token: string | null, verifier: ServiceTokenVerifier): Promise<unknown> {
  const claims = token === null ? null : await verifier.verify("rhumbatron:egress", token);
  if (claims === null) throw new DomainError("auth.required", "The token is missing, wrong or expired.");
  return claims;
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new DomainError("input.invalid", `This cannot be used: ${faults.slice(0, 10).join("; ")}.`);
}
