import { z } from "zod";
import { commitSchema, forkNameSchema, projectIdSchema } from "./schema";

/** How long a token of a Run works at most. */
export const runTokenSeconds = 120;

/** One fork, one right, counted by `jti`. */
const runClaims = z.object({
  use: z.literal("run"),
  jti: z.uuid(),
  projectId: projectIdSchema,
  forkName: forkNameSchema,
  runId: z.string(),
  grant: z.discriminatedUnion("right", [
    z.object({ right: z.literal("fetch") }),
    z.object({
      right: z.literal("push"),
      ref: z.string(),
      oldCommit: commitSchema,
      newCommit: commitSchema,
    }),
  ]),
});

/** Web's word for one request of a person, who was checked just then. */
const peopleClaims = z.object({
  use: z.literal("people"),
  projectId: projectIdSchema,
  right: z.enum(["read", "write"]),
});

/** Web's own calls on the control port. */
const controlClaims = z.object({ use: z.literal("control") });

export type RunClaims = z.output<typeof runClaims>;
export type PeopleClaims = z.output<typeof peopleClaims>;

/** Each reads the claims of a verified token, or gives null: a token for one use is worth nothing for another. */
export function readRunClaims(claims: unknown): RunClaims | null {
  return runClaims.safeParse(claims).data ?? null;
}

export function readPeopleClaims(claims: unknown): PeopleClaims | null {
  return peopleClaims.safeParse(claims).data ?? null;
}

export function isControlToken(claims: unknown): boolean {
  return controlClaims.safeParse(claims).success;
}
