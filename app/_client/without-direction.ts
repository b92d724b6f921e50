import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "@/server/api/root";

/** Queries that are read page after page are given a `direction` by the query client, which no procedure takes. */
export const withoutDirection: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => next({ ...op, input: stripDirection(op.input) }).subscribe(observer));

export function stripDirection(input: unknown): unknown {
  if (typeof input !== "object" || input === null || !("direction" in input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([key]) => key !== "direction"));
}
