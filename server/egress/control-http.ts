import { z } from "zod";
import type { ServiceTokenSigner } from "../platform/service-token";
import type { EgressControl } from "./control";
import { refusalReasons } from "./types";

/** A pushed policy is used at once or never; the clock of a container is its host's. */
const signatureValidForSeconds = 60;
const pushTimeoutMs = 5_000;

const refusedDecision = z.object({
  at: z.iso.datetime(),
  sandboxId: z.string().nullable(),
  host: z.string().nullable(),
  port: z.number().int().nullable(),
  reason: z.enum(refusalReasons),
  proxyUser: z.string().nullable(),
});
const refusalsAnswer = z.object({ refusals: z.array(refusedDecision) });
const stale = z.object({ version: z.number().int() });

/** Speaks to egress's control port at `baseUrl`; what it pushes is signed, so the port needs no other secret. */
export function createEgressControl(deps: { baseUrl: string; signer: ServiceTokenSigner }): EgressControl {
  const { baseUrl, signer } = deps;
  return {
    push: async (policy) => {
      const response = await fetch(new URL("/policy", baseUrl), {
        method: "PUT",
        body: await signer.sign("rhumbatron:egress", { policy }, signatureValidForSeconds),
        signal: AbortSignal.timeout(pushTimeoutMs),
      });
      const text = await response.text();
      if (response.ok) return { status: "accepted" };
      if (response.status === 409) return { status: "stale", version: stale.parse(JSON.parse(text)).version };
      throw new Error(`egress answered ${response.status}: ${text.slice(0, 200)}`);
    },
    listRefused: async (filter, timeoutMs) => {
      const url = new URL("/refusals", baseUrl);
      for (const [name, value] of Object.entries(filter)) {
        if (value !== null) url.searchParams.set(name, String(value));
      }
      const token = await signer.sign("rhumbatron:egress", {}, signatureValidForSeconds);
      const response = await fetch(url, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`egress answered ${response.status}: ${text.slice(0, 200)}`);
      return refusalsAnswer.parse(JSON.parse(text)).refusals;
    },
  };
}
