import { z } from "zod";
import type { PlacedThread } from "../../changesets/comments/service";
import {
  commentKinds,
  placementStatuses,
  threadStates,
  type Anchor,
  type Placement,
  type ThreadRecord,
} from "../../changesets/comments/types";
import { actorView, commit, time } from "../fields";

const bodyBytesMax = 64 * 1024;

/** What somebody says; never empty. */
export const commentBody = z
  .string()
  .refine((text) => text.trim() !== "", "is empty")
  .refine((text) => Buffer.byteLength(text) <= bodyBytesMax, "is longer than 64 KiB");

export const commentKind = z.enum(commentKinds);
export const threadState = z.enum(threadStates);

/** The `path` of a row of `changeSet.files`. */
export const filePath = z.string().min(1).max(16_384);

const line = z.int().min(1).max(100_000_000);

/** The fields that name lines of one side of a file. */
const lineRange = { side: z.enum(["old", "new"]), startLine: line, endLine: line };

/** Null: the ChangeSet as a whole. A path alone: that file. */
export const anchorInput = z.union([
  z.null(),
  z
    .strictObject({ path: filePath, ...lineRange })
    .refine(({ startLine, endLine }) => startLine <= endLine, "endLine lies before startLine"),
  z.strictObject({ path: filePath }),
]) satisfies z.ZodType<Anchor>;

export const anchorView: z.ZodType<Anchor> = z.union([
  z.null(),
  z.object({ path: z.string(), ...lineRange }),
  z.object({ path: z.string() }),
]);

/** Where something is in the ChangeSet that was asked for. */
export const placementView: z.ZodType<Placement> = z.object({
  status: z.enum(placementStatuses),
  path: z.string().nullable(),
  startLine: z.int().nullable(),
  endLine: z.int().nullable(),
});

/** A thread as the API shows it. `code` is the text that its lines had in `version`. */
export const threadView = z.object({
  id: z.uuid(),
  changeSetId: z.uuid(),
  version: z.int().min(1),
  headCommit: commit,
  anchor: anchorView,
  code: z
    .object({ lines: z.array(z.string()), before: z.array(z.string()), after: z.array(z.string()) })
    .nullable(),
  kind: commentKind,
  state: threadState,
  /** Who set the state; null while nobody has. */
  resolvedBy: actorView.nullable(),
  createdAt: time,
  comments: z.array(z.object({ id: z.uuid(), author: actorView, body: z.string(), at: time })),
});

/** A thread with its place in the ChangeSet that was asked for. */
export const placedThreadView = threadView.extend({ placement: placementView });

export function toThreadView({
  stateBy,
  createdAt,
  comments,
  seriesId: _seriesId,
  oldPath: _oldPath,
  ...thread
}: ThreadRecord): z.output<typeof threadView> {
  return {
    ...thread,
    resolvedBy: stateBy,
    createdAt: createdAt.toISOString(),
    comments: comments.map((comment) => ({ ...comment, at: comment.at.toISOString() })),
  };
}

export function toPlacedThreadView({ thread, placement }: PlacedThread): z.output<typeof placedThreadView> {
  return { ...toThreadView(thread), placement };
}
