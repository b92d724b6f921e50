import { z } from "zod";
import { appRouter } from "../../server/api/root";
import type { Policy } from "../../server/api/trpc";

interface ProcedureDef {
  _def: {
    type: "query" | "mutation" | "subscription";
    meta?: { policy: Policy };
    inputs: [z.ZodType?];
    /** A subscription's output carries the schema of its items, see server/api/stream-of.ts. */
    output?: z.ZodType & { item?: z.ZodType };
  };
}

type JsonSchema = Record<string, unknown>;

/** What the API takes and answers, for agents in any language. Shape: see `description` in it. */
export interface ApiSchemas {
  description: string;
  procedures: Record<
    string,
    { type: ProcedureDef["_def"]["type"]; who: Policy; input: JsonSchema | null; result: JsonSchema }
  >;
}

/** Describes every procedure of the router by JSON Schema, draft 2020-12. Errors: throws when one has no result schema. */
export function describeApi(): ApiSchemas {
  const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, ProcedureDef>);
  return {
    description:
      "Every procedure at /api/trpc/<name>, with the JSON Schema (draft 2020-12) of its input and of its result; " +
      "a subscription's result is the schema of one item. Written by `npm run schemas`.",
    procedures: Object.fromEntries(
      procedures
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, { _def }]) => {
          const { type, meta, inputs, output } = _def;
          if (output === undefined || meta === undefined)
            throw new Error(`${name} has no result schema or policy.`);
          const [input] = inputs;
          return [
            name,
            {
              type,
              who: meta.policy,
              input: input === undefined ? null : z.toJSONSchema(input, { io: "input" }),
              result: z.toJSONSchema(output.item ?? output, { io: "output" }),
            },
          ];
        }),
    ),
  };
}

/** The text of docs/schemas/api.json. */
export function formatApiSchemas(): string {
  return `${JSON.stringify(describeApi(), null, 2)}\n`;
}
