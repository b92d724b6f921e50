import { closeSync, existsSync, fstatSync, openSync, readSync, watchFile } from "node:fs";
import { join } from "node:path";
import { serviceContainerName, type Instance } from "../../server/platform/instance";
import { followContainerLog, readContainerLog } from "./container-log";
import { dataLayout, findInstance } from "./data-dir";
import { findEngine, listSocketPaths, type Engine } from "./engine";
import { OperatorError } from "./operator-error";
import { systemEngineHome } from "./own-engine";
import { logPathOf } from "./processes";
import { findContainer } from "./services";
import type { StackConfig } from "./stack-config";

const fileNames = ["postgres", "docker-proxy", "sandboxd", "web"];
const containerNames = ["git", "egress"] as const;
const linesShown = 100;
const tailBytesMax = 256 * 1024;

/** Prints the last lines of one part's log, or of every part's; with `isFollowed`, what is written from then on too. */
export async function printLogs(
  config: StackConfig,
  options: { name: string | null; isFollowed: boolean },
): Promise<void> {
  const known = [...fileNames, ...containerNames, "engine"];
  if (options.name !== null && !known.includes(options.name)) {
    throw new OperatorError(`There is no log named ${options.name}: the names are ${known.join(", ")}.`);
  }
  const instance = findInstance(config.dataDir);
  if (instance === null)
    throw new OperatorError(`Nothing was started in ${config.dataDir} yet: npm run stack:up.`);
  const finding = await findEngine(listSocketPaths(config.env));
  const engine = finding.status === "ready" ? finding.engine : null;
  const chosen = options.name === null ? known : [options.name];
  const print = createPrinter(chosen.length > 1);
  const following: Promise<void>[] = [];
  for (const name of chosen) {
    const container = containerNames.find((each) => each === name);
    if (container === undefined) {
      const path =
        name === "engine"
          ? join(systemEngineHome.home, "dockerd.log")
          : logPathOf(dataLayout(config.dataDir), name);
      printFile(path, options.isFollowed, (text) => print(name, text));
    } else if (engine !== null) {
      following.push(printContainer({ engine, instance, container, isFollowed: options.isFollowed, print }));
    }
  }
  await Promise.all(following);
}

async function printContainer(options: {
  engine: Engine;
  instance: Instance;
  container: "git" | "egress";
  isFollowed: boolean;
  print: (name: string, text: string) => void;
}): Promise<void> {
  const { engine, instance, container, isFollowed, print } = options;
  const name = serviceContainerName(instance, container);
  if ((await findContainer(engine.docker, name)) === null) return;
  const onText = (text: string): void => print(container, text);
  if (isFollowed) await followContainerLog({ docker: engine.docker, name, tail: linesShown, onText });
  else onText(await readContainerLog(engine.docker, name, linesShown));
}

/** With several logs each line begins with its part's name. */
function createPrinter(isNamed: boolean): (name: string, text: string) => void {
  const rests = new Map<string, string>();
  return (name, text) => {
    const lines = `${rests.get(name) ?? ""}${text}`.split("\n");
    rests.set(name, lines.pop() ?? "");
    for (const line of lines) console.log(isNamed ? `${name.padEnd(12)} ${line}` : line);
  };
}

function printFile(path: string, isFollowed: boolean, onText: (text: string) => void): void {
  let at = 0;
  const read = (isFirst: boolean): void => {
    if (!existsSync(path)) return;
    const file = openSync(path, "r");
    try {
      const { size } = fstatSync(file);
      // A log that is shorter than it was has been begun anew.
      if (size < at) at = 0;
      const from = isFirst ? Math.max(0, size - tailBytesMax) : at;
      const bytes = Buffer.alloc(size - from);
      readSync(file, bytes, 0, bytes.length, from);
      at = size;
      const text = bytes.toString("utf8");
      onText(
        isFirst
          ? text
              .split("\n")
              .slice(-linesShown - 1)
              .join("\n")
          : text,
      );
    } finally {
      closeSync(file);
    }
  };
  read(true);
  if (isFollowed) watchFile(path, { interval: 300 }, () => read(false));
}
