import { readSync, writeSync } from "node:fs";
import { toErrorBody } from "../../server/platform/errors";
import {
  createFrameReader,
  decodeRequest,
  encodeAttachment,
  encodeFrame,
  encodeJsonFrame,
  frameKind,
  type RequestBody,
} from "../../server/sandboxd/supervisor-protocol";
import { readFileContent, writeFileContent } from "./file-content";
import { deleteEntry } from "./file-delete";
import { toFileError } from "./file-errors";
import { listEntries } from "./file-list";
import { forbidTracing, readDirectoryRecords } from "./libc";
import { parseDeleteParams, parseListParams, parseReadParams, parseWriteParams } from "./params";

/**
 * The process that touches a Run's files: it has the Run's uid and nothing more, so the kernel refuses what the Run may
 * not do. Takes one request after the other from standard input until that ends.
 */
export function runFileHelper(): void {
  forbidTracing();
  process.umask(0o022);
  writeAll(encodeFrame(frameKind.answer, 0, new Uint8Array(0)));
  const reader = createFrameReader();
  const piece = Buffer.allocUnsafe(256 * 1024);
  let attachment: Uint8Array[] = [];
  for (;;) {
    const byteCount = readSync(0, piece, 0, piece.length, null);
    if (byteCount === 0) return;
    for (const { kind, requestId, payload } of reader.push(piece.subarray(0, byteCount))) {
      if (kind === frameKind.data) {
        attachment.push(payload.slice());
      } else if (kind === frameKind.request) {
        answer(requestId, decodeRequest(payload), Buffer.concat(attachment));
        attachment = [];
      }
    }
  }
}

function answer(requestId: number, request: RequestBody, bytes: Uint8Array): void {
  try {
    const result = perform(request, bytes);
    for (const frame of encodeAttachment(requestId, result.bytes)) writeAll(frame);
    writeAll(encodeJsonFrame(frameKind.answer, requestId, result.value));
  } catch (error) {
    writeAll(encodeJsonFrame(frameKind.failure, requestId, toErrorBody(toFileError(error))));
  }
}

const noBytes = new Uint8Array(0);

function perform({ method, params }: RequestBody, bytes: Uint8Array): { value: unknown; bytes: Uint8Array } {
  switch (method) {
    case "readFile": {
      const { bytes: content, ...value } = readFileContent(parseReadParams(params));
      return { value, bytes: content };
    }
    case "writeFile":
      return { value: writeFileContent({ ...parseWriteParams(params), bytes }), bytes: noBytes };
    case "listFiles":
      return { value: listEntries(parseListParams(params), readDirectoryRecords), bytes: noBytes };
    case "deleteFile":
      return { value: deleteEntry(parseDeleteParams(params), readDirectoryRecords), bytes: noBytes };
    default:
      throw new Error(`the file helper has no ${method}`);
  }
}

function writeAll(bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(1, bytes, written, bytes.length - written);
}
