import type { ApiDeps } from "../api/context";
import { capOf, monthOf } from "../meter/rules";
import { fakeTime } from "./fake-projects";

/** A meter that nothing was used of, an outbox without events and settings that nobody changed. */
export function createFakeUsage(): Pick<ApiDeps, "meter" | "events" | "adminSettings"> {
  const untouched = { month: monthOf(fakeTime), usedSeconds: 0, reservedSeconds: 0 };
  const cap = capOf(null, null);
  const usage = { ...untouched, ...cap, remainingSeconds: cap.capSeconds };
  return {
    meter: {
      secondsByRun: () => Promise.resolve(new Map()),
      secondsByChange: () => Promise.resolve(new Map()),
      current: () => Promise.resolve(usage),
      history: () => Promise.resolve([untouched]),
      days: () => Promise.resolve([]),
      sessions: () => Promise.resolve([]),
      setCap: () => Promise.resolve(usage),
    },
    events: {
      list: () => Promise.resolve([]),

      stream: async function* ({ signal }) {
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      },
    },
    adminSettings: {
      list: () => Promise.resolve([{ name: "SANDBOX_MAX", value: "4", source: "default" }]),
      listAudit: () => Promise.resolve([]),
    },
  };
}
