import { OperatorError } from "../stack/operator-error";
import type { Connection } from "./connection";

/** One item of a subscription. `id` resumes after it. */
export interface StreamItem {
  id: string;
  data: unknown;
}

/** How long to wait before a connection that broke is taken up again. */
const reconnectMs = 1_000;

/**
 * Yields every item of a subscription in order. A connection that breaks is taken up again after the last item, so that
 * none is missed and none comes twice. Ends when the server says that nothing follows.
 */
export async function* followStream(
  { baseUrl, token }: Connection,
  procedure: string,
  input: Record<string, unknown>,
): AsyncGenerator<StreamItem, void> {
  let lastEventId: string | null = null;
  for (;;) {
    const query: string = JSON.stringify(lastEventId === null ? input : { ...input, lastEventId });
    const url: string = `${baseUrl}/api/trpc/${procedure}?input=${encodeURIComponent(query)}`;
    const response: Response = await fetch(url, {
      headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
    });
    if (response.body === null || !response.ok) {
      throw new OperatorError(`${baseUrl} answered ${procedure} with ${response.status}.`);
    }
    try {
      for await (const event of readEvents(response.body as unknown as AsyncIterable<Uint8Array>)) {
        if (event.name === "return") return;
        if (event.name === "serialized-error") throw new OperatorError(describeStreamError(event.data));
        if (event.id === null) continue;
        lastEventId = event.id;
        yield { id: event.id, data: JSON.parse(event.data) as unknown };
      }
    } catch (error) {
      // fetch reports a connection that broke as a TypeError; everything else is a fault to be told.
      if (!(error instanceof TypeError)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, reconnectMs));
  }
}

interface ServerSentEvent {
  name: string;
  id: string | null;
  data: string;
}

/** Cuts a stream into its events. Comments and the pings of the server carry no id. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) yield parseEvent(block);
  }
}

function parseEvent(block: string): ServerSentEvent {
  const fields = block.split("\n").map((line) => {
    const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    return { name, value };
  });
  const last = (name: string): string | null =>
    fields.findLast((field) => field.name === name)?.value ?? null;
  const data = fields.filter(({ name }) => name === "data").map(({ value }) => value);
  return { name: last("event") ?? "message", id: last("id"), data: data.join("\n") };
}

function describeStreamError(text: string): string {
  const error = JSON.parse(text) as { message?: string; data?: { domainCode?: string } };
  return `${error.message ?? "The stream broke."} (${error.data?.domainCode ?? "internal"})`;
}
