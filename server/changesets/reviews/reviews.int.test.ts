import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everything } from "../../access/scope";
import { createReviewWorld, person, type ReviewProcess, type ReviewWorld } from "../../testing/review-world";
import type { ChangeSetRecord } from "../types";
import type { NewReview } from "./service";

let world: ReviewWorld;
let web: ReviewProcess;
beforeAll(async () => {
  world = await createReviewWorld();
  web = world.process();
});
afterAll(async () => {
  await world.close();
});

const [ada, bob] = [person("Ada"), person("Bob")];
const reviewOf = (changeSet: ChangeSetRecord, words: Partial<NewReview> = {}): NewReview => ({
  changeSetId: changeSet.id,
  headCommit: changeSet.headCommit,
  verdict: "approve",
  summary: "",
  comments: [],
  draftIds: [],
  idempotencyKey: randomUUID(),
  actor: ada,
  ...words,
});
const propose = async (files: Record<string, string> = { "a.txt": "a\n" }, base?: Record<string, string>) => {
  const task = await world.task(base);
  return { task, changeSet: await world.propose(task, files) };
};
const threadsOf = (changeSet: ChangeSetRecord) => web.comments.list(changeSet.id, everything);
const eventsOf = ({ changeId }: ChangeSetRecord) =>
  world.db.event.findMany({ where: { changeId, type: "changeset.reviewed" } });

describe("a review", () => {
  it("writes verdict, comments, event and audit together, and drafts that are sent are gone", async () => {
    const { changeSet } = await propose({ "a.txt": "1\n2\n3\n4\n5\n" });
    const id = randomUUID();
    const lines = { path: "a.txt", side: "new" as const, startLine: 3, endLine: 3 };
    const draft = { id, changeSetId: changeSet.id, headCommit: changeSet.headCommit, actorId: ada.id };
    await web.drafts.save({
      ...draft,
      target: { type: "comment", anchor: lines, kind: "nit" },
      body: "why?",
    });
    const answer = await web.reviews.review(
      reviewOf(changeSet, {
        verdict: "request_changes",
        summary: "Almost.",
        comments: [{ anchor: null, kind: "praise", body: "nice" }],
        draftIds: [id],
      }),
    );
    expect(answer.state).toBe("changes_requested");
    expect((await world.find(changeSet)).state).toBe("changes_requested");
    expect((await threadsOf(changeSet)).map(({ thread }) => thread)).toMatchObject([
      {
        kind: "nit",
        anchor: lines,
        code: { before: ["1", "2"], lines: ["3"], after: ["4", "5"] },
        comments: [{ body: "why?", author: ada }],
      },
      { kind: "praise", anchor: null, code: null, comments: [{ body: "nice" }] },
    ]);
    expect(await web.drafts.list(ada.id, changeSet.id)).toEqual([]);
    expect(await eventsOf(changeSet)).toMatchObject([
      {
        data: {
          changeSetId: changeSet.id,
          version: 1,
          verdict: "request_changes",
          state: "changes_requested",
        },
      },
    ]);
    expect(await world.db.auditEntry.count({ where: { subject: changeSet.id } })).toBe(1);
    const history = await web.history.list({ seriesId: changeSet.seriesId, after: null, limit: 10 });
    expect(history.map(({ what }) => what)).toEqual([
      "proposed",
      "thread_opened",
      "thread_opened",
      "reviewed",
    ]);
    expect(await web.reviews.findLastVersion(changeSet.seriesId, ada.id)).toBe(1);
    expect(await web.reviews.findLastVersion(changeSet.seriesId, bob.id)).toBeNull();
  });

  it.each([
    [
      "a line that is not there",
      {
        comments: [
          {
            anchor: { path: "a.txt", side: "new" as const, startLine: 9, endLine: 9 },
            kind: "note" as const,
            body: "x",
          },
        ],
      },
      "input.invalid",
    ],
    [
      "a file that is not there",
      { comments: [{ anchor: { path: "nowhere" }, kind: "note" as const, body: "x" }] },
      "file.not_found",
    ],
    ["a thread that is not there", { comments: [{ threadId: randomUUID(), body: "x" }] }, "thread.not_found"],
    ["a draft that is not there", { draftIds: [randomUUID()] }, "draft.not_found"],
  ])("that says something of %s writes nothing, and the drafts stay", async (_what, words, code) => {
    const { changeSet } = await propose();
    const id = randomUUID();
    const draft = { id, changeSetId: changeSet.id, headCommit: changeSet.headCommit, actorId: ada.id };
    await web.drafts.save({
      ...draft,
      target: { type: "comment", anchor: null, kind: "note" },
      body: "mine",
    });
    const draftIds = [id, ...("draftIds" in words ? words.draftIds : [])];
    await expect(web.reviews.review(reviewOf(changeSet, { ...words, draftIds }))).rejects.toMatchObject({
      code,
    });
    expect((await world.find(changeSet)).state).toBe("proposed");
    expect(await threadsOf(changeSet)).toEqual([]);
    expect(await web.reviews.list(changeSet.seriesId)).toEqual([]);
    expect(await eventsOf(changeSet)).toEqual([]);
    expect(await web.drafts.list(ada.id, changeSet.id)).toMatchObject([{ draft: { body: "mine" } }]);
  });

  it("that is repeated is one review, and the same key for another is refused", async () => {
    const { changeSet } = await propose();
    const review = reviewOf(changeSet, { comments: [{ anchor: null, kind: "note", body: "x" }] });
    const answers = await Promise.all([web, world.process(), web].map((one) => one.reviews.review(review)));
    expect(new Set(answers.map(({ reviewId }) => reviewId)).size).toBe(1);
    expect(await threadsOf(changeSet)).toHaveLength(1);
    await expect(web.reviews.review({ ...review, verdict: "reject" })).rejects.toMatchObject({
      code: "conflict.idempotency",
    });
  });

  it("whose process is killed at any step counts once or not at all, and its repeat finds it", async () => {
    for (let step = 1; ; step++) {
      const { changeSet } = await propose();
      const mortal = world.process(step);
      const review = reviewOf(changeSet, {
        comments: [{ anchor: { path: "a.txt" }, kind: "note", body: "x" }],
      });
      const answer = await mortal.reviews.review(review).catch((error: unknown) => error);
      expect((await web.reviews.review(review)).state).toBe("approved");
      expect(await web.reviews.list(changeSet.seriesId)).toHaveLength(1);
      expect(await threadsOf(changeSet)).toHaveLength(1);
      expect(await eventsOf(changeSet)).toHaveLength(1);
      if (!mortal.life.isOver()) return expect(answer).toMatchObject({ state: "approved" });
    }
  });

  it("of another commit, or of what nobody can judge any more, is refused with the state and the newest version", async () => {
    const { task, changeSet } = await propose();
    const wrong = { headCommit: "1".repeat(40) };
    await expect(web.reviews.review(reviewOf(changeSet, wrong))).rejects.toMatchObject({
      code: "conflict.stale",
    });
    const next = await world.propose(task, { "a.txt": "b\n" }, changeSet);
    await expect(web.reviews.review(reviewOf(changeSet))).rejects.toMatchObject({
      code: "conflict.stale",
      details: { state: "superseded", latestChangeSetId: next.id, latestVersion: 2 },
    });
    await web.reviews.review(reviewOf(next, { verdict: "reject" }));
    await expect(web.reviews.review(reviewOf(next))).rejects.toMatchObject({
      code: "conflict.stale",
      details: { state: "rejected" },
    });
    await expect(web.reviews.review(reviewOf({ ...next, id: randomUUID() }))).rejects.toMatchObject({
      code: "changeset.not_found",
    });
  });
});

describe("at the same time", () => {
  it("two people's verdicts both count, one after the other", async () => {
    const { changeSet } = await propose();
    const answers = await Promise.all([
      web.reviews.review(reviewOf(changeSet)),
      world.process().reviews.review(reviewOf(changeSet, { verdict: "request_changes", actor: bob })),
    ]);
    expect(answers.map(({ state }) => state)).toEqual(["approved", "changes_requested"]);
    const last = (
      await world.db.event.findMany({
        where: { changeId: changeSet.changeId, type: "changeset.reviewed" },
        orderBy: { position: "desc" },
      })
    )[0]?.data as { state: string };
    expect((await world.find(changeSet)).state).toBe(last.state);
    expect(await web.reviews.list(changeSet.seriesId)).toHaveLength(2);
  });

  /** If this fails, an approval of one version counts for another. */
  it("a review and a new version leave the old one superseded and the new one unjudged", async () => {
    for (let round = 0; round < 5; round++) {
      const { task, changeSet } = await propose();
      const [next] = await Promise.all([
        world.propose(task, { "a.txt": "b\n" }, changeSet),
        web.reviews.review(reviewOf(changeSet)).catch((error: unknown) => {
          expect(error).toMatchObject({ code: "conflict.stale" });
        }),
      ]);
      expect((await world.find(changeSet)).state).toBe("superseded");
      expect((await world.find(next)).state).toBe("proposed");
    }
  });
});

describe("a thread", () => {
  const base = { "a.txt": "1\n2\n3\n4\n5\n6\n", "old.txt": "x\ny\n", "gone.txt": "g\n", "still.txt": "s\n" };
  const open = (changeSet: ChangeSetRecord, path: string, side: "old" | "new", startLine: number) =>
    web.comments.create({
      changeSetId: changeSet.id,
      headCommit: changeSet.headCommit,
      anchor: { path, side, startLine, endLine: startLine },
      threadId: null,
      kind: "note",
      body: `${path} ${side} ${startLine}`,
      idempotencyKey: null,
      actor: ada,
    });

  it("finds its lines in the next version, through renames too", async () => {
    const { task, changeSet } = await propose(
      { "a.txt": "1\n2\nnew 3\n4\n5\n6\n", "gone.txt": "g\nh\n", "old.txt": "x\ny\nz\n" },
      base,
    );
    for (const [path, side, line] of [
      ["a.txt", "new", 3],
      ["a.txt", "new", 6],
      ["a.txt", "old", 3],
      ["gone.txt", "new", 2],
      ["old.txt", "new", 1],
      ["still.txt", "new", 1],
    ] as const) {
      await open(changeSet, path, side, line);
    }
    const next = await world.propose(
      task,
      {
        "a.txt": "0\n1\n2\nnewer 3\n4\n5\n6\n",
        "gone.txt": "removed",
        "renamed.txt": "renamed from old.txt",
      },
      changeSet,
    );
    const placements = (await threadsOf(next)).map(({ placement }) => placement);
    expect(placements).toEqual([
      { status: "changed", path: "a.txt", startLine: 4, endLine: 4 },
      { status: "moved", path: "a.txt", startLine: 7, endLine: 7 },
      { status: "same", path: "a.txt", startLine: 3, endLine: 3 },
      { status: "file_gone", path: null, startLine: null, endLine: null },
      { status: "moved", path: "renamed.txt", startLine: 1, endLine: 1 },
      { status: "same", path: "still.txt", startLine: 1, endLine: 1 },
    ]);
    expect((await threadsOf(next)).map(({ placement }) => placement)).toEqual(placements);
    expect((await threadsOf(changeSet)).every(({ placement }) => placement.status === "same")).toBe(true);
    expect((await threadsOf(changeSet))[2]?.thread.code?.lines).toEqual(["3"]);
  });

  it("is answered and closed by people, and a repeat of a comment is one comment", async () => {
    const { changeSet } = await propose();
    const { threadId } = await open(changeSet, "a.txt", "new", 1);
    const reply = {
      changeSetId: changeSet.id,
      headCommit: changeSet.headCommit,
      anchor: null,
      threadId,
      kind: "note" as const,
      body: "because \0",
      idempotencyKey: "k",
      actor: bob,
    };
    const answers = await Promise.all([web.comments.create(reply), world.process().comments.create(reply)]);
    expect(answers[0]).toEqual(answers[1]);
    expect(await web.comments.count(changeSet.seriesId)).toEqual({ threads: 1, unresolved: 1 });
    await web.comments.setState({ threadId, state: "resolved", actor: bob });
    await web.comments.setState({ threadId, state: "resolved", actor: ada });
    const [found] = await threadsOf(changeSet);
    expect(found?.thread).toMatchObject({ state: "resolved", stateBy: bob });
    expect(found?.thread.comments.map(({ body }) => body)).toEqual(["a.txt new 1", "because \u2400"]);
    expect(await web.comments.count(changeSet.seriesId)).toEqual({ threads: 1, unresolved: 0 });
    const foreign = await propose();
    await expect(
      web.comments.create({
        ...reply,
        changeSetId: foreign.changeSet.id,
        headCommit: foreign.changeSet.headCommit,
      }),
    ).rejects.toMatchObject({ code: "thread.not_found" });
  });

  it("tells of every comment and every change of its state, once and with nothing else", async () => {
    const { changeSet } = await propose();
    const events = (type: string) =>
      world.db.event.findMany({ where: { changeId: changeSet.changeId, type } });
    const { threadId, commentId } = await open(changeSet, "a.txt", "new", 1);
    await web.comments.setState({ threadId, state: "resolved", actor: bob });
    await web.comments.setState({ threadId, state: "resolved", actor: bob });
    const about = { changeSetId: changeSet.id, version: 1, threadId };
    expect(await events("changeset.commented")).toMatchObject([
      { data: { ...about, commentId, actorName: ada.name } },
    ]);
    expect(await events("changeset.thread_state_set")).toMatchObject([
      { data: { ...about, from: "open", to: "resolved", actorName: bob.name } },
    ]);
  });

  it("of another Project is not there for an agent", async () => {
    const { changeSet } = await propose();
    const scope = { projectId: randomUUID(), changeId: null };
    await expect(web.comments.list(changeSet.id, scope)).rejects.toMatchObject({
      code: "changeset.not_found",
    });
  });
});

describe("what somebody keeps for themselves", () => {
  it("a draft is its writer's alone, outlives a new version, and is gone when it is emptied", async () => {
    const { task, changeSet } = await propose({ "a.txt": "1\n2\n" });
    const id = randomUUID();
    const draft = {
      id,
      changeSetId: changeSet.id,
      headCommit: changeSet.headCommit,
      target: {
        type: "comment" as const,
        anchor: { path: "a.txt", side: "new" as const, startLine: 2, endLine: 2 },
        kind: "note" as const,
      },
      actorId: ada.id,
    };
    await Promise.all([web.drafts.save({ ...draft, body: "a" }), web.drafts.save({ ...draft, body: "a" })]);
    await web.drafts.save({ ...draft, body: "ab" });
    const foreign = web.drafts.save({ ...draft, actorId: bob.id, body: "mine now" });
    await expect(foreign).rejects.toMatchObject({ code: "draft.not_found" });
    await web.drafts.remove(bob.id, id);
    const next = await world.propose(task, { "a.txt": "0\n1\n2\n" }, changeSet);
    expect(await web.drafts.list(ada.id, next.id)).toMatchObject([
      { draft: { body: "ab" }, version: 1, placement: { status: "moved", startLine: 3 } },
    ]);
    expect(await web.drafts.list(bob.id, next.id)).toEqual([]);
    await web.drafts.save({ ...draft, body: " " });
    expect(await web.drafts.list(ada.id, next.id)).toEqual([]);
  });

  it("a mark of a file holds until its content changes", async () => {
    const { task, changeSet } = await propose({ "a.txt": "a\n", "b.txt": "b\n" });
    const mark = (path: string, isViewed = true) =>
      web.viewed.set({ actorId: ada.id, changeSetId: changeSet.id, path, isViewed });
    await mark("a.txt");
    await mark("b.txt");
    await expect(mark("c.txt")).rejects.toMatchObject({ code: "input.invalid" });
    expect((await web.viewed.list(ada.id, changeSet.id)).sort()).toEqual(["a.txt", "b.txt"]);
    expect(await web.viewed.list(bob.id, changeSet.id)).toEqual([]);
    const next = await world.propose(task, { "a.txt": "changed\n" }, changeSet);
    expect(await web.viewed.list(ada.id, next.id)).toEqual(["b.txt"]);
    await mark("b.txt", false);
    expect(await web.viewed.list(ada.id, next.id)).toEqual([]);
  });

  it("a mark of a file that a later version takes back holds as long as it stays so", async () => {
    const { task, changeSet } = await propose({ "a.txt": "new\n" }, { "a.txt": "old\n" });
    const back = await world.propose(task, { "a.txt": "old\n", "b.txt": "b\n" }, changeSet);
    await web.viewed.set({ actorId: ada.id, changeSetId: back.id, path: "a.txt", isViewed: true });
    expect(await web.viewed.list(ada.id, back.id)).toEqual(["a.txt"]);
    expect(await web.viewed.list(ada.id, changeSet.id)).toEqual([]);
    const again = await world.propose(task, { "a.txt": "newer\n" }, back);
    expect(await web.viewed.list(ada.id, again.id)).toEqual([]);
  });
});
