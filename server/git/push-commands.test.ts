import { describe, expect, it } from "vitest";
import { flushPacket, packetLine, readPushHead, refusalReport, zeroCommit } from "./push-commands";
import { judgePush, peoplePushRule, runPushRule } from "./push-rules";

const [a, b] = ["a".repeat(40), "b".repeat(40)];
const pack = Buffer.from("PACK\0\0\0\u0002\0\0\0\u0007", "latin1");
const line = (ref: string, options = ""): Buffer => packetLine(`${a} ${b} ${ref}${options}`);

describe("readPushHead", () => {
  it("waits until commands and the pack's own head are there, wherever the bytes are cut", () => {
    const whole = Buffer.concat([
      packetLine(`shallow ${a}`),
      line("refs/heads/ws", "\0report-status agent=git/2\n"),
      line("refs/tags/x"),
      flushPacket,
      pack,
    ]);
    for (let length = 0; length < whole.length; length += 1)
      expect(readPushHead(whole.subarray(0, length), false).status).toBe("incomplete");
    expect(readPushHead(whole, false)).toEqual({
      status: "complete",
      head: {
        updates: [
          { oldCommit: a, newCommit: b, ref: "refs/heads/ws" },
          { oldCommit: a, newCommit: b, ref: "refs/tags/x" },
        ],
        capabilities: ["report-status", "agent=git/2"],
        objectCount: 7,
      },
    });
  });

  it("takes a flush alone for a push of nothing", () => {
    expect(readPushHead(flushPacket, false)).toMatchObject({ status: "complete", head: { updates: [] } });
  });

  it.each([
    ["no length", Buffer.from("zzzz")],
    ["a length that cannot be", Buffer.from("0003")],
    ["a signed push", packetLine("push-cert\0x")],
    ["a ref with a space", packetLine(`${a} ${b} refs/heads/a b`)],
    ["a short hash", packetLine(`${a.slice(1)} ${b} refs/heads/a`)],
    ["something that is no pack", Buffer.concat([line("refs/heads/ws"), flushPacket, Buffer.alloc(12)])],
  ])("refuses %s", (_name, bytes) => {
    expect(readPushHead(bytes, true).status).toBe("malformed");
  });
});

describe("judgePush", () => {
  const head = (...updates: { oldCommit: string; newCommit: string; ref: string }[]) => ({
    updates,
    capabilities: ["report-status", "side-band-64k"],
    objectCount: 1,
  });
  const granted = { oldCommit: a, newCommit: b, ref: "refs/heads/ws" };

  it("lets exactly the granted update pass, and names a reason for each ref of any other push", () => {
    const rule = runPushRule(granted);
    expect(judgePush(head(granted), rule)).toBeNull();
    const other = { ...granted, ref: "refs/heads/main" };
    const reasonOf = judgePush(head(granted, other), rule);
    expect([reasonOf?.(granted), reasonOf?.(other)]).toEqual([
      "another ref of this push was refused",
      "this ref is not yours to change",
    ]);
    for (const changed of [{ oldCommit: zeroCommit }, { newCommit: zeroCommit }, { newCommit: a }])
      expect(judgePush(head({ ...granted, ...changed }), rule)).not.toBeNull();
    expect(judgePush(head(granted, granted), rule)).not.toBeNull();
  });

  it("keeps people to branches and tags", () => {
    const refs = ["HEAD", "refs/heads/", "refs/kept/x", "refs/heads", "refs/replace/x"];
    for (const ref of refs) expect(judgePush(head({ ...granted, ref }), peoplePushRule)).not.toBeNull();
    expect(
      judgePush(head({ ...granted, ref: "refs/tags/v1", newCommit: zeroCommit }), peoplePushRule),
    ).toBeNull();
  });

  it("reports as the client asked", () => {
    const report = refusalReport(head(granted), () => "no").toString("latin1");
    expect(report).toBe("002f\u0001000eunpack ok\n0018ng refs/heads/ws no\n00000000");
    expect(refusalReport({ ...head(granted), capabilities: [] }, () => "no")).toHaveLength(0);
  });
});
