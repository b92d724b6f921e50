import type { Reviewing } from "../changesets/reviewing";
import type { ChangeSets } from "../changesets/service";
import { everything } from "../access/scope";
import { DomainError } from "../platform/errors";
import { fakeTime } from "./fake-projects";

const branchCommit = "a".repeat(40);

/** What people do with ChangeSets, for whoever only asks who may: it finds ChangeSets as they are found, and keeps nothing. */
export function createFakeReviewing(changeSets: Pick<ChangeSets, "get">, uuid: () => string): Reviewing {
  const find = (id: string): Promise<unknown> => changeSets.get(id, everything);
  return {
    reviews: {
      review: async ({ changeSetId }) => {
        await find(changeSetId);
        return { reviewId: uuid(), state: "approved" };
      },
      list: () => Promise.resolve([]),
      findLastVersion: () => Promise.resolve(null),
    },
    comments: {
      create: async ({ changeSetId }) => {
        await find(changeSetId);
        return { threadId: uuid(), commentId: uuid() };
      },
      list: async (changeSetId, scope) => {
        await changeSets.get(changeSetId, scope);
        return [];
      },
      count: () => Promise.resolve({ threads: 0, unresolved: 0 }),
      setState: () => Promise.reject(new DomainError("thread.not_found", "There is no such thread.")),
    },
    drafts: {
      save: async ({ id, changeSetId }) => {
        await find(changeSetId);
        return { id, savedAt: fakeTime };
      },
      list: async (_actorId, changeSetId) => {
        await find(changeSetId);
        return [];
      },
      remove: () => Promise.resolve(),
    },
    viewed: {
      set: async ({ changeSetId }) => {
        await find(changeSetId);
      },
      list: async (_actorId, changeSetId) => {
        await find(changeSetId);
        return [];
      },
    },
    merges: {
      mergeability: async (id, scope) => {
        await changeSets.get(id, scope);
        return {
          status: "clean",
          branch: "main",
          baseCommit: branchCommit,
          behindBy: 1,
          files: [],
          message: "Merge ChangeSet: Adds a limit\n",
          isApproved: true,
        };
      },
      merge: async ({ changeSetId }) => {
        await find(changeSetId);
        return { status: "merged", commit: branchCommit };
      },
      findMerged: () => Promise.resolve(null),
      sweep: () => Promise.resolve(),
    },
    history: { list: () => Promise.resolve([]) },
  };
}
