import { expect, test } from "vitest";
import { demultiplex } from "./container-log";
import { formatStatus } from "./status";

test("the table has one line a part, in columns", () => {
  expect(
    formatStatus([
      { part: "engine", isOk: true, state: "running", detail: "20.10" },
      { part: "docker-proxy", isOk: false, state: "stopped", detail: "" },
    ]),
  ).toBe("✓ engine        running  20.10\n✗ docker-proxy  stopped");
});

test("a container's log is read without the engine's frames, and a cut last frame is kept as far as it goes", () => {
  const frame = (kind: number, text: string): Buffer => {
    const head = Buffer.alloc(8);
    head[0] = kind;
    head.writeUInt32BE(Buffer.byteLength(text), 4);
    return Buffer.concat([head, Buffer.from(text)]);
  };
  const frames = Buffer.concat([frame(1, "out\n"), frame(2, "café\n"), frame(1, "cut").subarray(0, 9)]);
  expect(demultiplex(frames).toString("utf8")).toBe("out\ncafé\nc");
});
