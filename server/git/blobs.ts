import type { Git } from "./git-command";

/** Reads objects of one repository, many in one call of git. */
export interface Blobs {
  /** Sizes by object id; what is not there is left out. */
  sizes(gitDirectory: string, ids: readonly string[]): Promise<Map<string, number>>;
  /** Contents by object id. The caller keeps the sum of the sizes small. */
  contents(gitDirectory: string, ids: readonly string[]): Promise<Map<string, Buffer>>;
}

const contentsBytesMax = 96 * 1024 * 1024;

export function createBlobs(git: Git): Blobs {
  return {
    sizes: async (gitDirectory, ids) => {
      const stdout = await git.succeed({
        args: ["cat-file", "--batch-check=%(objectname) %(objectsize)", "--buffer"],
        gitDirectory,
        stdin: ids.map((id) => `${id}\n`).join(""),
      });
      const sizes = new Map<string, number>();
      for (const line of stdout.toString("ascii").split("\n")) {
        const match = /^([0-9a-f]{40}) (\d+)$/.exec(line);
        if (match?.[1] !== undefined) sizes.set(match[1], Number(match[2]));
      }
      return sizes;
    },
    contents: async (gitDirectory, ids) => {
      if (ids.length === 0) return new Map();
      const stdout = await git.succeed(
        {
          args: ["cat-file", "--batch=%(objectname) %(objectsize)", "--buffer"],
          gitDirectory,
          stdin: ids.map((id) => `${id}\n`).join(""),
        },
        { stdoutBytesMax: contentsBytesMax },
      );
      return parseBatch(stdout);
    },
  };
}

function parseBatch(output: Buffer): Map<string, Buffer> {
  const contents = new Map<string, Buffer>();
  for (let position = 0; position < output.length;) {
    const lineEnd = output.indexOf(0x0a, position);
    const line = output.toString("ascii", position, lineEnd < 0 ? output.length : lineEnd);
    position = lineEnd < 0 ? output.length : lineEnd + 1;
    const match = /^([0-9a-f]{40}) (\d+)$/.exec(line);
    if (match?.[1] === undefined) continue;
    const size = Number(match[2]);
    contents.set(match[1], output.subarray(position, position + size));
    position += size + 1;
  }
  return contents;
}
