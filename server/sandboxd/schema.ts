import { z } from "zod";
import { parseSandboxId } from "./sandbox-id";
import type { RunUid, SandboxId } from "./types";

const sandboxId = z.string().transform((text, context): SandboxId => {
  const id = parseSandboxId(text);
  if (id !== null) return id;
  context.addIssue({ code: "custom", message: "is not proj-<uuid>" });
  return z.NEVER;
});

const runUid = z
  .number()
  .int()
  .min(10_000)
  .max(59_999)
  .transform((uid) => uid as RunUid);

const commandId = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, "is not a lower-case uuid");
const plainText = (charactersMax: number): z.ZodString =>
  z
    .string()
    .max(charactersMax)
    .regex(/^[^\0]*$/, "holds a NUL");
const absolutePath = plainText(4096).regex(/^\//, "is not absolute");
const offset = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const durationMs = z.number().int().min(0).max(86_400_000);
const fileBytesMax = 32 * 1_048_576;

const target = { uid: runUid, root: absolutePath, path: plainText(4096) };
const run = z.strictObject({ sandboxId, uid: runUid, directory: absolutePath });
const kept = z.strictObject({ sandboxId, sleepAfterMs: durationMs.optional() });
const one = z.strictObject({ sandboxId });

/** What may be asked of sandboxd, by method. Everything is bounded here, before anything is done with it. */
export const sandboxInputs = {
  ensure: kept,
  touch: kept,
  find: one,
  list: z.strictObject({}),
  remove: one,
  prepareRun: run,
  removeRun: run,
  exec: z.strictObject({
    sandboxId,
    commandId,
    uid: runUid,
    argv: z
      .array(plainText(131_072))
      .min(1)
      .max(1024)
      .refine((argv) => argv[0] !== "", "names no program"),
    cwd: absolutePath,
    env: z
      .record(
        z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "is not a variable's name"),
        plainText(131_072),
      )
      .refine((env) => Object.keys(env).length <= 256, "has more than 256 variables"),
    timeoutMs: z.number().int().min(1).max(1_800_000),
    /** Given when it may have started already: it is joined, and started in no other container than that one. */
    onlyIn: z.string().max(128).optional(),
  }),
  followCommand: z.strictObject({
    sandboxId,
    commandId,
    stdoutOffset: offset.optional(),
    stderrOffset: offset.optional(),
  }),
  stopCommand: z.strictObject({ sandboxId, commandId }),
  readFile: z.strictObject({
    sandboxId,
    ...target,
    bytesMax: z.number().int().min(0).max(fileBytesMax),
    offset: offset.optional(),
  }),
  writeFile: z.strictObject({ sandboxId, ...target, mode: z.number().int().min(0).max(0o777).nullable() }),
  listFiles: z.strictObject({
    sandboxId,
    ...target,
    depth: z.number().int().min(1).max(64),
    limit: z.number().int().min(1).max(10_000),
    after: plainText(4096).optional(),
  }),
  deleteFile: z.strictObject({ sandboxId, ...target, recursive: z.boolean() }),
};

export type SandboxMethod = keyof typeof sandboxInputs;

export function isSandboxMethod(text: string): text is SandboxMethod {
  return Object.hasOwn(sandboxInputs, text);
}
