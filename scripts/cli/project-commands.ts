import { OperatorError } from "../stack/operator-error";
import type { Command } from "./command-line";
import { formatRecord, formatTable } from "./print";

const roles = ["admin", "reviewer", "agent"] as const;
const kinds = ["design", "review", "document", "implement", "migrate", "test"] as const;

/** Projects, and the tokens that let agents and people in. */
export const projectCommands: readonly Command[] = [
  {
    name: "projects list",
    summary: "List Projects",
    takes: [],
    run: async ({ connection: { client } }) => {
      const value = await client.project.list.query({ limit: 200 });
      const rows = value.items.map(({ id, state, headCommit, name }) => [
        id,
        state,
        headCommit?.slice(0, 12),
        name,
      ]);
      return { value, text: formatTable(["ID", "STATE", "HEAD", "NAME"], rows) };
    },
  },
  {
    name: "projects create",
    summary: "Make a Project, empty or imported from an address",
    takes: ["NAME"],
    options: { branch: "default branch (main)", import: "http or https address to import from" },
    run: async ({ connection: { client }, word, option }) => {
      const [defaultBranch, importUrl] = [option("branch"), option("import")];
      const value = await client.project.create.mutate({
        name: word("NAME"),
        ...(defaultBranch === undefined ? {} : { defaultBranch }),
        ...(importUrl === undefined ? {} : { importUrl }),
      });
      return { value, text: formatRecord(value) };
    },
  },
  {
    name: "projects get",
    summary: "Show one Project",
    takes: ["PROJECT"],
    run: async ({ connection: { client }, word }) => {
      const value = await client.project.get.query({ id: word("PROJECT") });
      return { value, text: formatRecord(value) };
    },
  },
  {
    name: "projects archive",
    summary: "Close a Project and end its Runs",
    takes: ["PROJECT"],
    run: async ({ connection: { client }, word }) => {
      const value = await client.project.archive.mutate({ id: word("PROJECT") });
      return { value, text: formatRecord(value) };
    },
  },
  {
    name: "tokens list",
    summary: "List tokens, without their secrets",
    takes: [],
    run: async ({ connection: { client } }) => {
      const value = await client.token.list.query({ limit: 200 });
      const rows = value.items.map((token) => [
        token.id,
        token.role,
        token.revokedAt === null ? (token.expiresAt ?? "does not expire") : "revoked",
        token.projectId,
        token.label,
      ]);
      return { value, text: formatTable(["ID", "ROLE", "UNTIL", "PROJECT", "LABEL"], rows) };
    },
  },
  {
    name: "tokens create",
    summary: "Make a token and show it, this once",
    takes: ["ROLE", "LABEL"],
    options: {
      project: "the Project of an agent's token",
      change: "the one Change that it is bound to",
      expires: "when it ends, ISO 8601",
    },
    run: async ({ connection: { client }, word, option }) => {
      const [projectId, changeId, expiresAt] = [option("project"), option("change"), option("expires")];
      const value = await client.token.create.mutate({
        role: oneOf(roles, "ROLE", word("ROLE")),
        label: word("LABEL"),
        ...(projectId === undefined ? {} : { projectId }),
        ...(changeId === undefined ? {} : { changeId }),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      });
      return { value, text: formatRecord(value) };
    },
  },
  {
    name: "tokens revoke",
    summary: "End a token from now on",
    takes: ["TOKEN"],
    run: async ({ connection: { client }, word }) => {
      const value = await client.token.revoke.mutate({ id: word("TOKEN") });
      return { value, text: formatRecord(value) };
    },
  },
];

/** What is to be done in a Project: Changes and their Tasks. */
export const taskCommands: readonly Command[] = [
  {
    name: "changes list",
    summary: "List Changes",
    takes: [],
    options: { project: "of this Project only" },
    run: async ({ connection: { client }, option }) => {
      const projectId = option("project");
      const value = await client.change.list.query({
        ...(projectId === undefined ? {} : { projectId }),
        limit: 200,
      });
      const rows = value.items.map(({ id, slots, title }) => [id, `${slots.open}/${slots.max}`, title]);
      return { value, text: formatTable(["ID", "OPEN", "TITLE"], rows) };
    },
  },
  {
    name: "changes create",
    summary: "Make a Change in a Project",
    takes: ["PROJECT", "TITLE"],
    options: { description: "what it is about", slots: "how many workspaces may be open at once" },
    run: async ({ connection: { client }, word, option }) => {
      const [description, slots] = [option("description"), option("slots")];
      const value = await client.change.create.mutate({
        projectId: word("PROJECT"),
        title: word("TITLE"),
        ...(description === undefined ? {} : { description }),
        ...(slots === undefined ? {} : { maxActiveSandboxes: Number(slots) }),
      });
      return { value, text: formatRecord(value) };
    },
  },
  {
    name: "changes get",
    summary: "Show a Change with its Tasks, Runs, ChangeSets and Intents",
    takes: ["CHANGE"],
    run: async ({ connection: { client }, word }) => {
      const value = await client.change.get.query({ id: word("CHANGE") });
      const { tasks, runs, changeSets, intents, slots, ...change } = value;
      const text = [
        formatRecord({ ...change, slots: `${slots.open} of ${slots.max} open` }),
        formatTable(
          ["TASK", "KIND", "TITLE"],
          tasks.map(({ id, kind, title }) => [id, kind, title]),
        ),
        formatTable(
          ["RUN", "STATE", "CHARGED"],
          runs.map((run) => [run.id, run.state, `${run.chargedSeconds} s`]),
        ),
        formatTable(
          ["CHANGESET", "VERSION", "STATE", "TITLE"],
          changeSets.map(({ id, version, state, title }) => [id, version, state, title]),
        ),
        formatTable(
          ["INTENT", "TITLE"],
          intents.map(({ id, title }) => [id, title]),
        ),
      ];
      return { value, text: text.join("\n\n") };
    },
  },
  {
    name: "tasks list",
    summary: "List Tasks",
    takes: [],
    options: { change: "of this Change only" },
    run: async ({ connection: { client }, option }) => {
      const changeId = option("change");
      const value = await client.task.list.query({
        ...(changeId === undefined ? {} : { changeId }),
        limit: 200,
      });
      const rows = value.items.map(({ id, kind, title }) => [id, kind, title]);
      return { value, text: formatTable(["ID", "KIND", "TITLE"], rows) };
    },
  },
  {
    name: "tasks create",
    summary: `Make a Task; KIND is one of ${kinds.join(", ")}`,
    takes: ["CHANGE", "KIND", "TITLE"],
    options: { instructions: "what the agent is told" },
    run: async ({ connection: { client }, word, option }) => {
      const value = await client.task.create.mutate({
        changeId: word("CHANGE"),
        kind: oneOf(kinds, "KIND", word("KIND")),
        title: word("TITLE"),
        instructions: option("instructions") ?? "",
      });
      return { value, text: formatRecord(value) };
    },
  },
  {
    name: "tasks get",
    summary: "Show one Task",
    takes: ["TASK"],
    run: async ({ connection: { client }, word }) => {
      const value = await client.task.get.query({ id: word("TASK") });
      return { value, text: formatRecord(value) };
    },
  },
];

function oneOf<Choice extends string>(choices: readonly Choice[], name: string, word: string): Choice {
  const found = choices.find((choice) => choice === word);
  if (found === undefined) throw new OperatorError(`${name} is one of ${choices.join(", ")}.`);
  return found;
}
