import type { Clock } from "../platform/clock";
import { describeError } from "../platform/errors";
import type { Logger } from "../platform/logger";
import type { Sandboxes } from "../sandboxd/types";
import type { EgressControl } from "./control";
import type { Policy } from "./schema";
import type { PolicyVersions } from "./store";

/** How often egress is told again, so that one that lost its policy is without it for no longer than this. */
const publishEveryMs = 5_000;

/**
 * Keeps egress's policy equal to what is in force here: the allowlist, and which address is whose Sandbox. Egress
 * refuses a source that it was not told of, so a Sandbox is published before anything runs in it.
 */
export interface EgressPublisher {
  /** Pushes what holds now. A version is used for one content only; an unchanged content is pushed under its old one. */
  publish(): Promise<void>;
  /** Publishes every few seconds until the returned function is called. A failure is logged and tried again. */
  start(): () => void;
}

interface PublisherDeps {
  sandboxes: Pick<Sandboxes, "list">;
  control: EgressControl;
  versions: PolicyVersions;
  /** What is in force now; asked again for each push. */
  listAllowed: () => Promise<readonly { host: string; address: string | null }[]>;
  hostAddresses: readonly string[];
  clock: Clock;
  logger: Logger;
}

export function createEgressPublisher(deps: PublisherDeps): EgressPublisher {
  const { sandboxes, control, versions, clock, logger } = deps;
  let last: Policy | null = null;
  let queue: Promise<void> = Promise.resolve();

  const build = async (): Promise<Omit<Policy, "version">> => {
    const [{ live }, allowed] = await Promise.all([sandboxes.list(), deps.listAllowed()]);
    return {
      allow: [...new Set(allowed.map(({ host }) => host))],
      hostAddresses: [...deps.hostAddresses],
      pinned: Object.fromEntries(
        allowed.flatMap(({ host, address }) => (address === null ? [] : [[host, address]])),
      ),
      sources: live.flatMap(({ sandboxId, address }) => (address === null ? [] : [{ address, sandboxId }])),
    };
  };

  const push = async (): Promise<void> => {
    const content = await build();
    const isUnchanged = last !== null && isSameContent(last, content);
    let policy: Policy = isUnchanged && last !== null ? last : { version: await versions.next(), ...content };
    const first = await control.push(policy);
    if (first.status === "stale") {
      await versions.raiseAbove(first.version);
      policy = { ...policy, version: await versions.next() };
      const second = await control.push(policy);
      if (second.status === "stale")
        throw new Error(`egress has version ${second.version}, newer than ${policy.version}`);
    }
    last = policy;
  };

  // One push at a time: a slower one that read its content earlier must not arrive with a higher version.
  const publish = (): Promise<void> => {
    const next = queue.then(push);
    queue = next.catch(() => undefined);
    return next;
  };

  return {
    publish,
    start: () => {
      const tick = async (): Promise<void> => {
        try {
          await publish();
        } catch (error) {
          logger.warn(
            { reason: describeError(error) },
            "egress could not be given its allowlist; trying again",
          );
        }
      };
      void tick();
      return clock.every(publishEveryMs, tick);
    },
  };
}

function isSameContent({ version: _version, ...policy }: Policy, content: Omit<Policy, "version">): boolean {
  return JSON.stringify(policy) === JSON.stringify(content);
}
