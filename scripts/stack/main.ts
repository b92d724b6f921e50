import { existsSync, readFileSync } from "node:fs";
import { buildCheckout } from "./build";
import { stopRunningCommands } from "./command";
import { prepareCompose } from "./compose";
import { dataLayout } from "./data-dir";
import { takeDown } from "./down";
import { printLogs } from "./logs";
import { explainDiskFault, OperatorError } from "./operator-error";
import { createProgress } from "./progress";
import { loadStackConfig, type StackConfig } from "./stack-config";
import { formatStatus, readStatus } from "./status";
import { bringUp } from "./up";

const usage =
  "Use: npm run stack:up, stack:down, stack:status, stack:compose, or stack:logs [-- NAME] [-- -f].";

// A terminal sends the signal to the whole group and run.mjs passes it on as well: the second must not end this half way.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // Whoever follows a log ends it in this way; nothing was interrupted.
    if (process.argv[2] === "logs") process.exit(0);
    stopRunningCommands();
    console.error("\n✗ Interrupted: what was done stays, and stack:up goes on from there.");
    process.exit(signal === "SIGINT" ? 130 : 143);
  });
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const explained = explainDiskFault(error, "DATA_DIR or the temporary folder");
  console.error(explained instanceof OperatorError ? `✗ ${explained.message}` : explained);
  // Timers and streams of a broken step must not keep the command alive.
  process.exit(1);
}

async function main([action, ...words]: string[]): Promise<void> {
  const config = await loadStackConfig(process.env);
  switch (action) {
    case "up":
      await bringUp(config, createProgress(process.stdout));
      return printWelcome(config);
    case "down":
      return takeDown(config, createProgress(process.stdout));
    case "status": {
      const parts = await readStatus(config);
      console.log(formatStatus(parts));
      if (parts.some(({ isOk }) => !isOk)) process.exitCode = 1;
      return;
    }
    case "logs":
      return printLogs(config, {
        name: words.find((word) => !word.startsWith("-")) ?? null,
        isFollowed: words.some((word) => word === "-f" || word === "--follow"),
      });
    case "compose": {
      const progress = createProgress(process.stdout);
      await buildCheckout(progress);
      const path = await prepareCompose(config, progress);
      console.log(`\n  Now: docker compose --env-file ${path} up --build --detach`);
      return;
    }
    default:
      throw new OperatorError(usage);
  }
}

function printWelcome(config: StackConfig): void {
  const { adminTokenFile, firstAdminLinkFile } = dataLayout(config.dataDir);
  if (!existsSync(adminTokenFile)) {
    throw new OperatorError(
      `Every part is healthy, but the dashboard left no admin token in ${adminTokenFile}: look at npm run stack:logs web.`,
    );
  }
  const firstAdminLink = existsSync(firstAdminLinkFile)
    ? readFileSync(firstAdminLinkFile, "utf8").trim()
    : null;
  const signIn =
    firstAdminLink === null
      ? ""
      : `\n  First admin  ${firstAdminLink}\n               opens once, and makes the account that invites the others`;
  console.log(`
  Dashboard    ${config.publicUrl}${signIn}
  Admin token  in ${adminTokenFile}

  Next: npm run demo shows the whole way on a sample, npm run -s cli -- help lists the commands.
  npm run stack:status says how each part is, npm run stack:down ends them all and keeps the data.`);
}
