import { z } from "zod";
import { forkRef } from "./types";

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

export const projectIdSchema = z.string().regex(new RegExp(`^${uuid}$`), "is not a lower-case uuid");
export const forkNameSchema = z.string().regex(new RegExp(`^ws-${uuid}$`), "is not the name of a fork");
export const commitSchema = z.string().regex(/^[0-9a-f]{40}$/, "is not a full commit hash");

/** What git's own rules for the name of a branch allow, and no leading dash. Source: git-check-ref-format. */
export const branchSchema = z
  .string()
  .min(1)
  .max(200)
  .refine(isBranchName, "is not a name that a branch can have");

/** True for a name that `refs/heads/<name>` may hold. */
export function isBranchName(name: string): boolean {
  if (name === "@" || name === "HEAD" || name.startsWith("-") || name.endsWith(".") || name.includes("@{"))
    return false;

  if (/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|[\ud800-\udfff]/u.test(name)) return false;
  return name.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
}

/** A name or address in a commit: anything that cannot end its line or its part of it. */
const identityPart = z
  .string()
  .min(1)
  .max(200)

  .regex(/^[^<>\u0000-\u001f\u007f]*$/, "holds a character that an identity cannot");
export const identitySchema = z.object({ name: identityPart, email: identityPart });

const fork = { projectId: projectIdSchema, forkName: forkNameSchema };
const range = { projectId: projectIdSchema, base: commitSchema, head: commitSchema };
const whitespace = z.enum(["none", "trailing", "all"]).default("none");

const side = (bytesMax: number) =>
  z.object({
    ...range,
    path: z.string().max(16_384),
    side: z.enum(["old", "new"]),
    bytesMax: z.number().int().min(1).max(bytesMax),
  });

const expiresAt = z.iso.datetime();

/** The input of every call on the control port, by the name of the call. */
export const controlInputs = {
  createRepository: z.object({ projectId: projectIdSchema, defaultBranch: branchSchema }),
  importRepository: z.object({
    projectId: projectIdSchema,
    url: z.string().max(4_096),
    defaultBranch: branchSchema,
  }),
  importStatus: z.object({ projectId: projectIdSchema }),
  getHead: z.object({ projectId: projectIdSchema }),
  getBranch: z.object({ projectId: projectIdSchema, branch: branchSchema }),
  getCommit: z.object({
    projectId: projectIdSchema,
    forkName: forkNameSchema.optional(),
    commit: commitSchema,
  }),
  createFork: z.object({ ...fork, startCommit: commitSchema }),
  getForkHead: z.object(fork),
  removeFork: z.object(fork),
  keepCommit: z.object({ ...fork, commit: commitSchema }),
  registerGrant: z.object({ ...fork, jti: z.uuid(), expiresAt }),
  revokeGrants: z.object(fork),
  diffFiles: z.object({ ...range, whitespace }),
  diffPatch: z.object({
    ...range,
    path: z.string().max(16_384),
    whitespace,
    context: z.number().int().min(0).max(1_000_000).default(3),
  }),
  diffPatches: z.object({
    ...range,
    paths: z.array(z.string().max(16_384)).min(1).max(50),
    whitespace,
    context: z.number().int().min(0).max(1_000_000).default(3),
  }),
  diffStats: z.object(range),
  readSide: side(5 * 1024 * 1024),
  openSide: side(100 * 1024 * 1024),
  listCommits: z.object({
    projectId: projectIdSchema,
    branch: branchSchema,
    limit: z.number().int().min(1).max(200),
  }),
  listBranches: z.object({ projectId: projectIdSchema }),
  seedRepository: z.object({
    projectId: projectIdSchema,
    files: z
      .array(
        z.object({
          path: z.string().regex(/^[a-z0-9_-][a-z0-9._-]*(\/[a-z0-9_-][a-z0-9._-]*)*$|^\.gitignore$/i),
          base64: z.base64(),
          isExecutable: z.boolean(),
        }),
      )
      .min(1)
      .max(200),
    message: z.string().min(1).max(1_000),
    author: identitySchema,
    at: z.iso.datetime(),
  }),
  testMerge: z.object({ projectId: projectIdSchema, branch: branchSchema, head: commitSchema }),
  merge: z.object({
    projectId: projectIdSchema,
    branch: branchSchema,
    head: commitSchema,
    expectedBase: commitSchema,
    message: z
      .string()
      .max(65_536)
      .refine((text) => !text.includes("\0"), "holds U+0000"),
    author: identitySchema,
    committer: identitySchema,
    at: z.iso.datetime(),
  }),
};

export type ControlCall = keyof typeof controlInputs;
export type ControlInput<Call extends ControlCall> = z.output<(typeof controlInputs)[Call]>;

/** The ref that a push token may name. */
export const pushInput = z.object({
  ...fork,
  runId: z.string(),
  ref: z.literal(forkRef),
  oldCommit: commitSchema,
  newCommit: commitSchema,
});
