import { isDeepStrictEqual } from "node:util";
import { endpointBody, networkBody, parseSandboxSubnet } from "../sandboxd/network-spec";
import { readContainer, readNumberLabel, readSubnet } from "./body-fields";
import { onNetworkAndService } from "./ownership";
import type { Context, Verdict } from "./types";
import { refused } from "./verdicts";

/** A network is made with exactly the body of a sandbox network. */
export function judgeNetworkCreate({ settings, instance, body }: Context): Promise<Verdict> {
  const networkNumber = readNumberLabel(body);
  const subnet = parseSandboxSubnet(readSubnet(body));
  if (networkNumber === null || subnet === null) {
    return Promise.resolve(refused("The body names no number or no /28 of the range of sandbox networks."));
  }
  const allowed = networkBody({ settings, instance, networkNumber, subnet });
  return Promise.resolve(
    isDeepStrictEqual(body, allowed)
      ? { status: "forward", call: { method: "POST", target: "/networks/create", body: allowed } }
      : refused("The body differs from what a sandbox network is created with."),
  );
}

/** git and egress join a sandbox network under their own name and address only. */
export async function judgeConnect(context: Context, reference: string): Promise<Verdict> {
  return onNetworkAndService(context, reference, (one, container, service) => {
    const subnet = parseSandboxSubnet(one.subnet ?? "");
    if (subnet === null) return refused("The network has no subnet of the range of sandbox networks.");
    const EndpointConfig = endpointBody(service, subnet);
    if (!isDeepStrictEqual(context.body, { Container: readContainer(context.body), EndpointConfig })) {
      return refused(`${service} joins a sandbox network under its own name and address only.`);
    }
    const body = { Container: container.id, EndpointConfig };
    return { status: "forward", call: { method: "POST", target: `/networks/${one.id}/connect`, body } };
  });
}

/** Only git and egress leave a sandbox network this way. */
export async function judgeDisconnect(context: Context, reference: string): Promise<Verdict> {
  return onNetworkAndService(context, reference, (one, container) => {
    if (!isDeepStrictEqual(context.body, { Container: readContainer(context.body), Force: true })) {
      return refused("The body has a container and Force, and nothing else.");
    }
    const body = { Container: container.id, Force: true };
    return { status: "forward", call: { method: "POST", target: `/networks/${one.id}/disconnect`, body } };
  });
}
