/** One line of a push: move a ref from one commit to another. The zero hash stands for no commit. */
export interface RefUpdate {
  oldCommit: string;
  newCommit: string;
  ref: string;
}

/** What a push says before its objects. */
export interface PushHead {
  updates: RefUpdate[];
  capabilities: string[];
  /** Objects in the pack; null where there is none, as when refs are only deleted. */
  objectCount: number | null;
}

export type PushHeadResult =
  | { status: "complete"; head: PushHead }
  | { status: "incomplete" }
  /** Not a push that has exactly one meaning. */
  | { status: "malformed" };

export const zeroCommit = "0".repeat(40);

const packHeaderBytes = 12;

/**
 * Reads what a push wants from the bytes received so far. A flush with nothing before it is a push of nothing: clients send it
 * to see whether they are welcome. Source: gitprotocol-pack, "Reference Update Request and Packfile Transfer".
 */
export function readPushHead(bytes: Buffer, isEnd: boolean): PushHeadResult {
  const updates: RefUpdate[] = [];
  let capabilities: string[] = [];
  let position = 0;
  for (;;) {
    if (bytes.length < position + 4) return isEnd ? { status: "malformed" } : { status: "incomplete" };
    const lengthText = bytes.toString("latin1", position, position + 4);
    if (!/^[0-9a-f]{4}$/i.test(lengthText)) return { status: "malformed" };
    const length = parseInt(lengthText, 16);
    if (length === 0) break;
    if (length < 5) return { status: "malformed" };
    if (bytes.length < position + length) return isEnd ? { status: "malformed" } : { status: "incomplete" };
    const line = bytes.toString("utf8", position + 4, position + length).replace(/\n$/, "");
    position += length;
    if (/^shallow [0-9a-f]{40}$/.test(line)) continue;
    const [command = "", options] = line.split("\0");
    const match = /^([0-9a-f]{40}) ([0-9a-f]{40}) (\S+)$/.exec(command);
    if (match === null) return { status: "malformed" };
    if (options !== undefined && updates.length === 0)
      capabilities = options.split(" ").filter((word) => word !== "");
    const [, oldCommit = "", newCommit = "", ref = ""] = match;
    updates.push({ oldCommit, newCommit, ref });
  }
  const pack = bytes.subarray(position + 4);
  if (pack.length < packHeaderBytes && !isEnd && updates.length > 0) return { status: "incomplete" };
  return toResult(updates, capabilities, pack);
}

function toResult(updates: RefUpdate[], capabilities: string[], pack: Buffer): PushHeadResult {
  if (pack.length === 0 || updates.length === 0)
    return { status: "complete", head: { updates, capabilities, objectCount: null } };
  if (pack.length < packHeaderBytes || pack.toString("latin1", 0, 4) !== "PACK")
    return { status: "malformed" };
  return { status: "complete", head: { updates, capabilities, objectCount: pack.readUInt32BE(8) } };
}

/**
 * The report of a push that moved nothing, a reason for each ref, as the client asked to get it; empty when it asked for none.
 * Source: gitprotocol-pack, "Report Status".
 */
export function refusalReport(head: PushHead, reasonOf: (update: RefUpdate) => string): Buffer {
  if (!head.capabilities.includes("report-status") && !head.capabilities.includes("report-status-v2"))
    return Buffer.alloc(0);
  const report = Buffer.concat([
    packetLine("unpack ok\n"),
    ...head.updates.map((update) => packetLine(`ng ${update.ref} ${reasonOf(update)}\n`)),
    flushPacket,
  ]);
  if (!head.capabilities.includes("side-band-64k")) return report;
  const pieces: Buffer[] = [];
  for (let position = 0; position < report.length; position += bandBytesMax)
    pieces.push(
      packetLine(Buffer.concat([Buffer.from([1]), report.subarray(position, position + bandBytesMax)])),
    );
  return Buffer.concat([...pieces, flushPacket]);
}

const bandBytesMax = 65_000;

export const flushPacket = Buffer.from("0000");

export function packetLine(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
}
