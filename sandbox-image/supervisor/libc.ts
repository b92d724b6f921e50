import { dlopen, FFIType } from "bun:ffi";
import { closeSync, fchownSync } from "node:fs";

const { symbols } = dlopen("libc.so.6", {
  pipe2: { args: [FFIType.ptr, FFIType.i32], returns: FFIType.i32 },
  fcntl: { args: [FFIType.i32, FFIType.i32, FFIType.i32], returns: FFIType.i32 },
  prctl: { args: [FFIType.i32, FFIType.u64, FFIType.u64, FFIType.u64, FFIType.u64], returns: FFIType.i32 },
  setrlimit: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
  getdents64: { args: [FFIType.i32, FFIType.ptr, FFIType.u64], returns: FFIType.i64 },
});

const closeOnExec = 0o2000000;
const setPipeSize = 1031;
const setDumpable = 4;
const resourceProcesses = 6;
/** Root shares one allowance for pipe buffers on the whole host, so not as much as one pipe may have. */
const pipeBytes = 256 * 1024;

/**
 * A pipe whose ends belong to `uid`, so that a command of that uid may open `/dev/stdout` again. Both ends close on exec.
 * Throws when the process has no descriptors left.
 */
export function createPipe(uid: number): { readFd: number; writeFd: number } {
  const ends = new Int32Array(2);
  if (symbols.pipe2(ends, closeOnExec) !== 0) throw new Error("no pipe could be made");
  const [readFd = -1, writeFd = -1] = ends;
  symbols.fcntl(writeFd, setPipeSize, pipeBytes);
  try {
    fchownSync(writeFd, uid, uid);
  } catch (error) {
    closeSync(readFd);
    closeSync(writeFd);
    throw error;
  }
  return { readFd, writeFd };
}

/** What this process starts from now on may have at most so many processes and threads of one uid. */
export function limitProcessesOfUid(count: number): void {
  symbols.setrlimit(resourceProcesses, new BigUint64Array([BigInt(count), BigInt(count)]));
}

/** From now on no other process of the same uid may trace this one, read its memory or its descriptors. */
export function forbidTracing(): void {
  if (symbols.prctl(setDumpable, 0n, 0n, 0n, 0n) !== 0) throw new Error("prctl(PR_SET_DUMPABLE) was refused");
}

/** The next directory records of `fd` into `target`; 0 at the end. Never holds more than `target`. */
export function readDirectoryRecords(fd: number, target: Uint8Array): number {
  const byteCount = Number(symbols.getdents64(fd, target, BigInt(target.length)));
  if (byteCount < 0) throw new Error("the directory could not be read");
  return byteCount;
}
