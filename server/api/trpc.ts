import { initTRPC } from "@trpc/server";
import type { DefaultErrorShape } from "@trpc/server/unstable-core-do-not-import";
import type { Caller, Role } from "../access/types";
import { DomainError } from "../platform/errors";
import type { ApiContext } from "./context";
import { toTrpcError } from "./to-trpc-error";

/**
 * Who may call a procedure, as the contract's table names it. `agents` are let in to what is theirs only: the
 * procedure looks up what it is given under the caller's own Project.
 */
export type Policy = "public" | "all" | "reviewer" | "admin" | "workspace";

const rolesOf: Record<Exclude<Policy, "public">, readonly Role[]> = {
  all: ["admin", "reviewer", "agent"],
  reviewer: ["admin", "reviewer"],
  admin: ["admin"],
  workspace: ["admin", "agent"],
};

interface ProcedureMeta {
  policy: Policy;
}

/** What a failed call carries in `error.data`. */
interface ErrorShape {
  message: string;
  code: number;
  data: { code: string; httpStatus: number; domainCode: string; details: Readonly<Record<string, unknown>> };
}

const t = initTRPC
  .context<ApiContext>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false,
    // A subscription is cut and taken up again by its reader now and then, so that a token that ended meanwhile counts.
    sse: {
      maxDurationMs: 5 * 60_000,
      ping: { enabled: true, intervalMs: 15_000 },
      client: { reconnectAfterInactivityMs: 60_000 },
    },
    // A failure while a subscription streams, or before a procedure was found, passes no middleware: map it here too.
    errorFormatter: ({ shape, error, ctx }) =>
      ctx === undefined ? shapeWithoutContext(shape, error) : shapeOf(shape, error, ctx),
  });

const mapErrors = t.middleware(async ({ ctx, next }) => {
  const result = await next();
  if (result.ok) return result;
  throw toTrpcError(result.error, ctx.deps);
});

/** Starts every procedure; there is no other way to make one, so none is without a policy. */
export function procedure<P extends Exclude<Policy, "public">>(policy: P) {
  return t.procedure
    .meta({ policy })
    .use(mapErrors)
    .use(({ ctx, next }) => next({ ctx: { ...ctx, caller: requireCaller(ctx.caller, rolesOf[policy]) } }));
}

/** Starts a procedure that anybody may call, signed in or not. It must tell nothing that is not for everybody. */
export function publicProcedure() {
  return t.procedure.meta({ policy: "public" }).use(mapErrors);
}

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

function requireCaller(caller: Caller | null, roles: readonly Role[]): Caller {
  if (caller === null) {
    throw new DomainError(
      "auth.required",
      "Sign in, or send `Authorization: Bearer <token>` with a token that is valid now.",
    );
  }
  if (!roles.includes(caller.role)) {
    throw new DomainError(
      "auth.forbidden",
      `This is not for the role ${caller.role}; it takes ${roles.join(" or ")}.`,
    );
  }
  return caller;
}

function shapeOf(
  shape: DefaultErrorShape,
  error: Parameters<typeof toTrpcError>[0],
  ctx: ApiContext,
): ErrorShape {
  const mapped = toTrpcError(error, ctx.deps);
  const domainError = mapped.cause instanceof DomainError ? mapped.cause : null;
  return {
    message: mapped.message,
    code: shape.code,
    data: {
      code: mapped.code,
      httpStatus: domainError?.httpStatus ?? 500,
      domainCode: domainError?.code ?? "internal",
      details: domainError?.details ?? {},
    },
  };
}

/**
 * No context was made: the request is of a kind that is never looked into, or making it broke, which is in the log of
 * whoever made it.
 */
function shapeWithoutContext(shape: DefaultErrorShape, { cause }: { cause?: unknown }): ErrorShape {
  if (cause instanceof DomainError) {
    const { code: domainCode, httpStatus, details } = cause;
    return {
      message: cause.message,
      code: shape.code,
      data: { code: shape.data.code, httpStatus, domainCode, details },
    };
  }
  if (shape.data.httpStatus === 415) {
    return {
      message: "Send the input as JSON, with the header `Content-Type: application/json`.",
      code: shape.code,
      data: { code: shape.data.code, httpStatus: 415, domainCode: "input.invalid", details: {} },
    };
  }
  return {
    message: "The server cannot answer now. Ask again in a moment.",
    code: shape.code,
    data: { code: shape.data.code, httpStatus: shape.data.httpStatus, domainCode: "internal", details: {} },
  };
}
