import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
  type ListToolsResult,
  type ServerNotification,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { parseBearer } from "../access/rules";
import type { Caller } from "../access/types";
import { DomainError } from "../platform/errors";
import type { ApiDeps } from "./context";
import { bodyBytesMax } from "./http-handler";
import { mcpTools } from "./mcp-tools";
import { createCaller } from "./root";
import { toTrpcError } from "./to-trpc-error";

/** What a model is told before it calls anything. */
const instructions = `You work on one Task in a workspace: a clone of the Project's repository in a sandbox, with bun, git and no shell.
1. open_workspace with the Task's id gives a runId, which every other tool takes. \`refused\` changed nothing: wait until retryAt, or write down what you would do with declare_intent.
2. Look and change with list_files, read_file, write_file, edit_file, delete_file. What they answer is kept, even if the sandbox is lost; a result with \`restored\` says so and names commands to run again.
3. run_command takes only what it lists: bun install, bun test, bun run <script>, bunx tsc --noEmit, git status|diff|log, ls. \`rejected\` says what is wrong and what is accepted; \`running\` is taken up with wait_command until it is \`exited\`. Read the exit code.
4. End it once: complete_task proposes the working tree as a ChangeSet for people to review (do not commit), fail_task gives up with a reason. Both close the workspace. Time in it is metered.
Errors have isError and a domainCode: run.busy, workspace.wake_refused and sandbox.* mean ask again in a moment; conflict.stale means read the file again; run.ended means open a new workspace.`;

/** How often a client that asked for progress hears that its call is still under way. */
const progressMs = 5_000;

/**
 * Answers one request of MCP, Streamable HTTP without a session: any process may answer any request. Tools are the
 * procedures under another name, with the same policies, results and refusals. A refusal is a result; an error is a
 * result with `isError` whose text is JSON, `{ domainCode, message, details }`.
 */
export async function handleMcpRequest(request: Request, deps: ApiDeps): Promise<Response> {
  const token = parseBearer(request.headers.get("authorization"));
  const caller = token === null ? null : await findCaller(token, deps);
  if (caller instanceof DomainError) return failure(caller.httpStatus, caller.message, {});
  if (caller === null) {
    const message = "Send `Authorization: Bearer <token>` with a token that is valid now.";
    return failure(401, message, { "www-authenticate": "Bearer" });
  }
  // Without a session there is nothing to listen to between calls, and nothing to end.
  if (request.method !== "POST") return failure(405, "Only POST is answered here.", { allow: "POST" });

  const server = createMcpServer(deps, caller);
  const transport = new WebStandardStreamableHTTPServerTransport({ maxRequestBodySize: bodyBytesMax });
  await server.connect(transport);
  return transport.handleRequest(request);
}

async function findCaller(token: string, { access }: ApiDeps): Promise<Caller | DomainError | null> {
  try {
    return await access.findCaller(token);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

function createMcpServer(deps: ApiDeps, caller: Caller): Server {
  const server = new Server(
    { name: "rhumbatron", version: "1" },
    { capabilities: { tools: {} }, instructions },
  );
  const api = createCaller({ deps, caller, signedIn: null, browser: null });
  server.setRequestHandler(ListToolsRequestSchema, () => listTools());
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendNotification }) => {
    const found = mcpTools.find(({ name }) => name === params.name);
    if (found === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    const token = params._meta?.progressToken;
    const stopProgress = token === undefined ? null : startProgress(deps, token, sendNotification);
    try {
      const result = await found.call(api, params.arguments ?? {});
      return { structuredContent: { ...result }, content: [{ type: "text", text: JSON.stringify(result) }] };
    } catch (error) {
      return toErrorResult(error, deps);
    } finally {
      stopProgress?.();
    }
  });
  return server;
}

/** Says every few seconds for how long the call has been under way. */
function startProgress(
  { clock, logger }: ApiDeps,
  progressToken: string | number,
  send: (notification: ServerNotification) => Promise<void>,
): () => void {
  const startedMs = clock.monotonicMs();
  return clock.every(progressMs, async () => {
    const seconds = Math.round((clock.monotonicMs() - startedMs) / 1000);
    try {
      await send({
        method: "notifications/progress",
        params: { progressToken, progress: seconds, message: `under way for ${seconds} s` },
      });
    } catch (error) {
      // The client went away. What it called goes on and its outcome is kept, as over any other door.
      logger.info({ err: error }, "progress could not be told");
    }
  });
}

function toErrorResult(error: unknown, deps: ApiDeps): CallToolResult {
  const mapped = toTrpcError(error, deps);
  const domainError =
    mapped.cause instanceof DomainError ? mapped.cause : new DomainError("internal", mapped.message);
  const { code: domainCode, message, details } = domainError;
  return {
    isError: true,
    content: [{ type: "text", text: JSON.stringify({ domainCode, message, details }) }],
  };
}

let listed: ListToolsResult | null = null;

function listTools(): ListToolsResult {
  return (listed ??= {
    tools: mcpTools.map(({ name, description, input, output }) => ({
      name,
      description,
      inputSchema: toToolSchema(input, "input"),
      outputSchema: toToolSchema(output, "output"),
    })),
  });
}

/** MCP wants the word `object` at the root, also of a union. */
function toToolSchema(schema: z.ZodType, io: "input" | "output"): { type: "object"; [key: string]: unknown } {
  return { ...z.toJSONSchema(schema, { io }), type: "object" };
}

function failure(status: number, message: string, headers: Record<string, string>): Response {
  const body = { jsonrpc: "2.0", error: { code: -32000, message }, id: null };
  return Response.json(body, { status, headers });
}
