import { Readable } from "node:stream";
import { z } from "zod";
import { scopeOf } from "../access/scope";
import { DomainError } from "../platform/errors";
import type { ApiDeps } from "./context";
import { id } from "./fields";
import { resolveCaller } from "./resolve-caller";
import { toTrpcError } from "./to-trpc-error";

/** What an agent proposed must never run as a page of ours: it is a download, whatever it is. */
const downloadHeaders = {
  "content-type": "application/octet-stream",
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox; default-src 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "cache-control": "private, no-store",
};

const downloadBytesMax = 100 * 1024 * 1024;

const rawInput = z.strictObject({
  id,
  path: z.string().min(1).max(16_384),
  side: z.enum(["old", "new"]),
  against: z.union([z.literal("base"), id]),
});

/**
 * Gives one side of a file of a ChangeSet as a download: `GET /api/raw/<changeSetId>?path=&side=old|new[&against=]`, `path` being
 * one of `changeSet.files`. At most 100 MiB. Failures are plain text under the status of their code.
 */
export async function answerRaw(request: Request, deps: ApiDeps): Promise<Response> {
  try {
    const { caller } = await resolveCaller(request.headers, deps);
    if (caller === null) throw new DomainError("auth.required", "Sign in first.");
    const { pathname, searchParams } = new URL(request.url);
    const input = rawInput.safeParse({
      id: pathname.split("/").at(-1),
      path: searchParams.get("path"),
      side: searchParams.get("side"),
      against: searchParams.get("against") ?? "base",
    });
    if (!input.success) throw new DomainError("input.invalid", "Say which file and which side of it.");
    const asked = { ...input.data, bytesMax: downloadBytesMax };
    const { sizeBytes, bytes } = await deps.changeSets.download(asked, scopeOf(caller));
    const headers = {
      ...downloadHeaders,
      "content-length": String(sizeBytes),
      "content-disposition": dispositionOf(input.data.path),
    };
    const body = Readable.toWeb(Readable.from(bytes, { objectMode: false })) as unknown as ReadableStream;
    return new Response(body, { headers });
  } catch (error) {
    const { message, cause } = toTrpcError(error, deps);
    const status = cause instanceof DomainError ? cause.httpStatus : 500;
    return new Response(`${message}\n`, {
      status,
      headers: { ...downloadHeaders, "content-type": "text/plain; charset=utf-8" },
    });
  }
}

/** Source: RFC 6266. The name is the last part of the path, in plain characters and, for those who read it, as it is. */
function dispositionOf(path: string): string {
  const name = path.split("/").at(-1) ?? "";
  const plain = name.replace(/[^A-Za-z0-9._-]/g, "_") || "file";
  const exact = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}
