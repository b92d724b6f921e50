import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createDecisionLog, type DecisionLog } from "../egress/decisions";
import { compilePolicy } from "../egress/policy";
import { createEgressProxy, proxyLimits, type EgressProxy, type ProxyLimits } from "../egress/proxy";
import type { Policy } from "../egress/schema";
import { createSystemClock } from "../platform/clock";
import { createSilentLogger } from "../platform/logger";

export const testSandboxId = "proj-11111111-1111-4111-8111-111111111111";

export const testPolicy: Policy = {
  version: 1,
  allow: ["up.example", "*.up.example"],
  hostAddresses: ["203.0.113.99"],
  pinned: {},
  sources: [{ address: "127.0.0.1", sandboxId: testSandboxId }],
};

/** A real proxy on loopback whose names and addresses are made up: each dial is recorded and led to a local server. */
export interface EgressWorld {
  port: number;
  proxy: EgressProxy;
  decisions: DecisionLog;
  /** Every `address:port` that was dialled. */
  dialled: string[];
  /** Every name that was resolved. */
  resolved: string[];
  setPolicy(policy: Policy | null): void;
  /** Serves every dial to `address` from now on. Give `null` for an address that never answers. */
  serve(address: string, onSocket: ((socket: Socket) => void) | null): Promise<void>;
  /** Sockets that upstream servers have open. */
  upstreamCount(): Promise<number>;
  close(): Promise<void>;
}

export async function createEgressWorld(
  options: { names?: Record<string, () => string[]>; limits?: Partial<ProxyLimits> } = {},
): Promise<EgressWorld> {
  const servers = new Map<string, Server | null>();
  const dialled: string[] = [];
  const resolved: string[] = [];
  let policy: Policy | null = testPolicy;
  const clock = createSystemClock();
  const decisions = createDecisionLog({ clock, logger: createSilentLogger(), keptMax: 1_000 });
  const proxy = createEgressProxy({
    clock,
    policy: () => (policy === null ? null : compilePolicy(policy)),
    resolve: (host) => {
      resolved.push(host);
      const addresses = options.names?.[host]?.();
      return addresses === undefined ? Promise.reject(new Error("ENOTFOUND")) : Promise.resolve(addresses);
    },
    connect: (address, port) => {
      dialled.push(`${address}:${port}`);
      const server = servers.get(address);
      // An address of TEST-NET-1 that nothing routes to would depend on the machine: a socket that is never
      // connected does the same everywhere.
      if (server === null) return createNeverConnected();
      return connect({
        host: "127.0.0.1",
        port: server === undefined ? 1 : (server.address() as AddressInfo).port,
      });
    },
    decisions,
    limits: { ...proxyLimits, ...options.limits },
  });
  const { port } = await proxy.listen(0, "127.0.0.1");

  return {
    port,
    proxy,
    decisions,
    dialled,
    resolved,
    setPolicy: (next) => {
      policy = next;
    },
    serve: async (address, onSocket) => {
      if (onSocket === null) return void servers.set(address, null);
      const server = createServer((socket) => {
        socket.on("error", () => socket.destroy());
        onSocket(socket);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      servers.set(address, server);
    },
    upstreamCount: async () => {
      const counts = [...servers.values()].map(
        (server) =>
          new Promise<number>((resolve) => {
            if (server === null) resolve(0);
            else server.getConnections((_error, count) => resolve(count));
          }),
      );
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },
    close: async () => {
      await proxy.close();
      await Promise.all(
        [...servers.values()].map(
          (server) => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())),
        ),
      );
    },
  };
}

function createNeverConnected(): Socket {
  return connect({ host: "never.invalid", port: 1, lookup: () => {} });
}
