import { randomUUID } from "node:crypto";
import { OperatorError } from "../stack/operator-error";
import type { Command, Given, Outcome } from "./command-line";
import { followStream } from "./follow-stream";
import { formatRecord, formatTable, toPrintable } from "./print";

/** What Runs did. */
export const runCommands: readonly Command[] = [
  {
    name: "runs list",
    summary: "List Runs",
    takes: [],
    options: { change: "of this Change only", task: "of this Task only" },
    run: async ({ connection: { client }, option }) => {
      const [changeId, taskId] = [option("change"), option("task")];
      const value = await client.run.list.query({
        ...(changeId === undefined ? {} : { changeId }),
        ...(taskId === undefined ? {} : { taskId }),
        limit: 200,
      });
      const rows = value.items.map((run) => [run.id, run.state, `${run.chargedSeconds} s`, run.openedAt]);
      return { value, text: formatTable(["ID", "STATE", "CHARGED", "OPENED"], rows) };
    },
  },
  {
    name: "runs get",
    summary: "Show one Run",
    takes: ["RUN"],
    run: async ({ connection: { client }, word }) => {
      const value = await client.run.get.query({ runId: word("RUN") });
      return { value, text: formatRecord(value) };
    },
  },
  {
    name: "runs stop",
    summary: "End a Run as failed",
    takes: ["RUN", "REASON"],
    run: async ({ connection: { client }, word }) => {
      const value = await client.run.stop.mutate({ runId: word("RUN"), reason: word("REASON") });
      return { value, text: formatRecord(value) };
    },
  },
  {
    name: "log",
    summary: "Show what happened in a Run; --follow goes on until it ends",
    takes: ["RUN"],
    options: { follow: "live, until the Run has ended" },
    flags: ["follow"],
    run: async (given) => {
      const runId = given.word("RUN");
      if (given.hasFlag("follow")) return follow(given, "run.stream", { runId });
      const value = await readLog(given, runId);
      return { value, text: value.map(formatEvent).join("\n") };
    },
  },
];

/** What was proposed, what it cost, and what is live. */
export const reviewCommands: readonly Command[] = [
  {
    name: "changesets list",
    summary: "List ChangeSets",
    takes: [],
    options: { project: "of this Project only", change: "of this Change only" },
    run: async ({ connection: { client }, option }) => {
      const [projectId, changeId] = [option("project"), option("change")];
      const value = await client.changeSet.list.query({
        ...(projectId === undefined ? {} : { projectId }),
        ...(changeId === undefined ? {} : { changeId }),
        limit: 200,
      });
      const rows = value.items.map((one) => [
        one.id,
        one.version,
        one.state,
        `${one.filesChanged} files +${one.insertions} -${one.deletions}`,
        one.title,
      ]);
      return { value, text: formatTable(["ID", "VERSION", "STATE", "CHANGES", "TITLE"], rows) };
    },
  },
  {
    name: "changesets get",
    summary: "Show one ChangeSet",
    takes: ["CHANGESET"],
    run: async ({ connection: { client }, word }) => {
      const value = await client.changeSet.get.query({ id: word("CHANGESET") });
      return { value, text: formatRecord(value) };
    },
  },
  {
    name: "changesets files",
    summary: "List the files that a ChangeSet changes",
    takes: ["CHANGESET"],
    options: { against: "another ChangeSet to compare with, instead of its base" },
    run: async ({ connection: { client }, word, option }) => {
      const against = option("against");
      const value = await client.changeSet.files.query({
        id: word("CHANGESET"),
        ...(against === undefined ? {} : { against }),
      });
      const rows = value.files.map((file) => [
        file.status,
        file.insertions === null ? file.kind : `+${file.insertions} -${file.deletions ?? 0}`,
        file.flags.join(","),
        file.displayPath,
      ]);
      return { value, text: formatTable(["STATUS", "LINES", "FLAGS", "PATH"], rows) };
    },
  },
  {
    name: "changesets patch",
    summary: "Show the patch of a ChangeSet, or of one of its files",
    takes: ["CHANGESET", "[PATH]"],
    options: { against: "another ChangeSet to compare with, instead of its base" },
    run: showPatch,
  },
  {
    name: "changesets comments",
    summary: "Show what was said about a ChangeSet",
    takes: ["CHANGESET"],
    run: async ({ connection: { client }, word }) => {
      const value = await client.comment.list.query({ changeSetId: word("CHANGESET") });
      return { value, text: value.items.map(formatThread).join("\n\n") };
    },
  },
  {
    name: "changesets review",
    summary: "Decide on a ChangeSet: approve, request_changes, reject or comment",
    takes: ["CHANGESET", "VERDICT", "[SUMMARY]"],
    run: async ({ connection: { client }, word }) => {
      const verdict = verdicts.find((one) => one === word("VERDICT"));
      if (verdict === undefined) throw new OperatorError(`VERDICT is one of ${verdicts.join(", ")}.`);
      const { id, headCommit } = await client.changeSet.get.query({ id: word("CHANGESET") });
      const said = { verdict, summary: word("SUMMARY"), idempotencyKey: randomUUID() };
      const value = await client.changeSet.review.mutate({ id, headCommit, ...said });
      return { value, text: formatRecord(value) };
    },
  },
  {
    name: "changesets merge",
    summary: "Merge an approved ChangeSet into its branch as that is now",
    takes: ["CHANGESET"],
    run: async ({ connection: { client }, word }) => {
      const { id, headCommit } = await client.changeSet.get.query({ id: word("CHANGESET") });
      const { baseCommit, branch } = await client.changeSet.mergeability.query({ id });
      if (baseCommit === null) throw new OperatorError(`The branch ${branch} has no commit yet.`);
      const value = await client.changeSet.merge.mutate({ id, headCommit, baseCommit });
      return { value, text: formatRecord(value), exitCode: value.status === "merged" ? 0 : 1 };
    },
  },
  {
    name: "sandboxes list",
    summary: "List Sandboxes as they are now",
    takes: [],
    run: async ({ connection: { client } }) => {
      const value = await client.sandbox.list.query({});
      const rows = value.items.map(({ id, state, runs, idleDeadlineAt }) => [
        id,
        state,
        runs.length,
        idleDeadlineAt,
      ]);
      return { value, text: formatTable(["ID", "STATE", "RUNS", "IDLE UNTIL"], rows) };
    },
  },
  {
    name: "sandboxes stop",
    summary: "Remove a Sandbox; its Runs fall asleep",
    takes: ["SANDBOX"],
    run: async ({ connection: { client }, word }) => {
      const value = await client.sandbox.stop.mutate({ id: word("SANDBOX") });
      return { value, text: formatRecord(value) };
    },
  },
  {
    name: "usage",
    summary: "Show the meter of this month",
    takes: [],
    options: { month: "another month, YYYY-MM" },
    run: async ({ connection: { client }, option }) => {
      const month = option("month");
      const value = await client.usage.current.query(month === undefined ? {} : { month });
      return { value, text: formatRecord(value) };
    },
  },
  {
    name: "events",
    summary: "Show what happened, oldest first; --follow shows what happens from now on",
    takes: [],
    options: { type: "of this type only", after: "those after this event", follow: "live, until Ctrl-C" },
    flags: ["follow"],
    run: async (given) => {
      const [type, after] = [given.option("type"), given.option("after")];
      const types = type === undefined ? {} : { types: [type] };
      if (given.hasFlag("follow")) {
        return follow(given, "event.stream", {
          ...types,
          ...(after === undefined ? {} : { lastEventId: after }),
        });
      }
      const value = await given.connection.client.event.list.query({
        ...types,
        ...(after === undefined ? {} : { after }),
        limit: 200,
      });
      return { value, text: value.items.map(formatEvent).join("\n") };
    },
  },
  {
    name: "health",
    summary: "Show whether every part works",
    takes: [],
    run: async ({ connection: { client } }) => {
      const value = await client.health.get.query();
      const rows = Object.entries(value.components).map(([name, part]) => [name, part.status, part.detail]);
      const text = formatTable(["PART", "STATUS", "DETAIL"], rows);
      return { value, text, exitCode: value.status === "ok" ? 0 : 1 };
    },
  },
];

const verdicts = ["approve", "request_changes", "reject", "comment"] as const;

/** A thread as the API gives it. */
interface ShownThread {
  version: number;
  state: string;
  kind: string;
  anchor: null | { path: string; startLine?: number };
  comments: { at: string; author: { name: string }; body: string }[];
}

function formatThread({ version, state, kind, anchor, comments }: ShownThread): string {
  const line = anchor?.startLine === undefined ? "" : `:${anchor.startLine}`;
  const place = anchor === null ? "the whole ChangeSet" : `${anchor.path}${line}`;
  const said = comments.map(({ at, author, body }) => `  ${at} ${author.name}: ${body}`);
  return toPrintable([`${place}  version ${version}, ${kind}, ${state}`, ...said].join("\n"));
}

async function showPatch({ connection: { client }, word, option }: Given): Promise<Outcome> {
  const diff = {
    id: word("CHANGESET"),
    ...(option("against") === undefined ? {} : { against: option("against") }),
  };
  const path = word("PATH");
  const paths =
    path === "" ? (await client.changeSet.files.query(diff)).files.map((file) => file.path) : [path];
  const value = [];
  for (const one of paths) {
    value.push({ path: one, ...(await client.changeSet.patch.query({ ...diff, path: one })) });
  }
  const text = value.map(({ patch, encoding, truncated }) => {
    const shown = encoding === "utf8" ? patch : Buffer.from(patch, "base64").toString("latin1");
    return `${toPrintable(shown)}${truncated ? "\n[cut off: the rest is too long]" : ""}`;
  });
  return { value, text: text.join("").trimEnd() };
}

async function follow(given: Given, procedure: string, input: Record<string, unknown>): Promise<Outcome> {
  for await (const { data } of followStream(given.connection, procedure, input)) {
    given.print(data, formatEvent(data as ShownEvent));
  }
  return { value: null, text: "" };
}

async function readLog({ connection: { client } }: Given, runId: string): Promise<ShownEvent[]> {
  const items: ShownEvent[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page: { items: ShownEvent[]; nextCursor: number | null } = await client.run.events.query({
      runId,
      after,
      limit: 500,
    });
    items.push(...page.items);
    after = page.nextCursor;
  }
  return items;
}

/** An event of a Run, or of the whole product. */
interface ShownEvent {
  at: string;
  seq?: number;
  kind?: string;
  id?: string;
  type?: string;
  data: Record<string, unknown>;
}

function formatEvent({ at, seq, kind, id, type, data }: ShownEvent): string {
  const what = kind ?? type ?? "";
  if (kind === "output" && typeof data["text"] === "string") {
    return `${at} ${seq ?? ""} ${what}\n${toPrintable(data["text"]).trimEnd()}`;
  }
  return `${at} ${seq ?? id ?? ""} ${what} ${toPrintable(JSON.stringify(data))}`;
}
