import { isDeepStrictEqual } from "node:util";
import { containerBody, execStartBody, roleOfName, supervisorExecBody } from "../sandboxd/container-spec";
import { readNumberLabel } from "./body-fields";
import { isOwn, onContainer } from "./ownership";
import type { Context, Verdict } from "./types";
import { forward, refused } from "./verdicts";

/** A container begins with exactly the body of a Sandbox, under a warm name, on a network of ours. */
export async function judgeCreate({ settings, instance, lookups, body, query }: Context): Promise<Verdict> {
  const name = query.get("name") ?? "";
  if (roleOfName(instance, name)?.kind !== "warm")
    return refused("A container begins under a warm name of this instance.");
  const networkNumber = readNumberLabel(body);
  if (networkNumber === null) return refused("The body names no network of a Sandbox.");
  const imageId = await lookups.findImageId(settings.SANDBOX_IMAGE);
  if (imageId === null) return { status: "absent", reason: `No such image: ${settings.SANDBOX_IMAGE}` };
  const traits = await lookups.describeTraits();
  const allowed = containerBody({ settings, instance, imageId, traits, networkNumber });
  if (!isDeepStrictEqual(body, allowed))
    return refused("The body differs from what a Sandbox is created with.");
  const networkName = allowed.HostConfig["NetworkMode"];
  const found = typeof networkName === "string" ? await lookups.findNetwork(networkName) : null;
  if (found === null) return { status: "absent", reason: `No such network: ${String(networkName)}` };
  if (!isOwn(found.labels, instance, ["sandbox-network"]))
    return refused("The network is not one of this instance.");
  return {
    status: "forward",
    call: { method: "POST", target: `/containers/create?name=${name}`, body: allowed },
  };
}

/** A Sandbox takes only names that sandboxd gives. */
export async function judgeRename(context: Context, reference: string): Promise<Verdict> {
  const name = context.query.get("name") ?? "";
  if (roleOfName(context.instance, name) === null)
    return refused("The new name is none that sandboxd gives.");
  return onContainer(context, reference, ["sandbox"], (one) =>
    forward("POST", `/containers/${one.id}/rename?name=${name}`),
  );
}

/** The only exec is the one to the supervisor. */
export async function judgeExec(context: Context, reference: string): Promise<Verdict> {
  if (!isDeepStrictEqual(context.body, supervisorExecBody))
    return refused("The only exec is the one to the supervisor.");
  return onContainer(context, reference, ["sandbox"], (one) =>
    one.isRunning
      ? {
          status: "forward",
          call: { method: "POST", target: `/containers/${one.id}/exec`, body: supervisorExecBody },
        }
      : refused("The container is not running."),
  );
}

/** Starts only an exec to the supervisor, attached. */
export async function judgeExecStart(context: Context, reference: string): Promise<Verdict> {
  if (!isDeepStrictEqual(context.body, execStartBody))
    return refused("An exec is started attached and without a terminal.");
  const exec = await context.lookups.findExec(reference);
  if (exec === null) return { status: "absent", reason: `No such exec: ${reference}` };
  const isConstant =
    isDeepStrictEqual(exec.argv, supervisorExecBody.Cmd) &&
    exec.user === supervisorExecBody.User &&
    !exec.isPrivileged;
  if (!isConstant) return refused("The only exec is the one to the supervisor.");
  return onContainer(context, exec.containerId, ["sandbox"], (one) =>
    one.isRunning
      ? {
          status: "forward",
          call: { method: "POST", target: `/exec/${exec.id}/start`, body: execStartBody, isHijack: true },
        }
      : refused("The container is not running."),
  );
}
