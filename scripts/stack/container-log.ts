import { PassThrough } from "node:stream";
import type Docker from "dockerode";

/** The last lines that a container wrote, both streams together. */
export async function readContainerLog(docker: Docker, name: string, tail: number): Promise<string> {
  const frames = await docker.getContainer(name).logs({ stdout: true, stderr: true, tail, follow: false });
  return demultiplex(frames).toString("utf8");
}

/** Hands on what a container writes from now on, until it ends. */
export async function followContainerLog(options: {
  docker: Docker;
  name: string;
  tail: number;
  onText: (text: string) => void;
}): Promise<void> {
  const { docker, name, tail, onText } = options;
  const stream = await docker.getContainer(name).logs({ stdout: true, stderr: true, tail, follow: true });
  const text = new PassThrough();
  text.setEncoding("utf8");
  text.on("data", onText);
  docker.modem.demuxStream(stream, text, text);
  await new Promise<void>((resolve, reject) => stream.once("end", resolve).once("error", reject));
}

/** Takes the eight bytes off the front of each frame: kind, three zeros, length. */
export function demultiplex(frames: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at + 8 <= frames.length;) {
    const length = frames.readUInt32BE(at + 4);
    parts.push(frames.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  return Buffer.concat(parts);
}
