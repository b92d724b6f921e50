import { request } from "node:http";

/** What a part says of itself. `unreachable` is said for one that does not answer. */
export interface Health {
  status: "ok" | "degraded" | "down" | "unreachable";
  detail: string;
}

export type HealthAddress = { socketPath: string } | { port: number };

const answerDeadlineMs = 5_000;

/** Asks a part for its health. Never throws. */
export async function readHealth(address: HealthAddress): Promise<Health> {
  const answer = await getJson(address, "/health");
  if (typeof answer === "string") return { status: "unreachable", detail: answer };
  return isHealth(answer) ? answer : { status: "unreachable", detail: "what answers there is not ours" };
}

/** Asks the dashboard, which asks every other part; its detail names the parts that are not well. Never throws. */
export async function readWebHealth(port: number): Promise<Health> {
  const answer = await getJson({ port }, "/api/trpc/health.get");
  if (typeof answer === "string") return { status: "unreachable", detail: answer };
  const result = (answer as { result?: { data?: { status?: unknown; components?: unknown } } }).result?.data;
  if (result?.status === "ok") return { status: "ok", detail: "all parts are well" };
  if (result?.status !== "degraded")
    return { status: "unreachable", detail: "what answers there is not ours" };
  const components = Object.entries((result.components ?? {}) as Record<string, unknown>);
  const faults = components.flatMap(([name, health]) =>
    isHealth(health) && health.status !== "ok" ? [`${name} is ${health.status}: ${health.detail}`] : [],
  );
  return { status: "degraded", detail: faults.join("; ") };
}

/** The parsed answer, or words that say why there is none. */
function getJson(address: HealthAddress, path: string): Promise<object | string> {
  return new Promise((resolve) => {
    const target = "socketPath" in address ? address : { host: "127.0.0.1", port: address.port };
    const call = request(
      { ...target, path, timeout: answerDeadlineMs, headers: { accept: "application/json" } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", (error) => resolve(error.message));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          try {
            const value: unknown = JSON.parse(text);
            resolve(typeof value === "object" && value !== null ? value : "its answer is not understood");
          } catch {
            resolve(`it answered ${response.statusCode ?? 0} and no JSON`);
          }
        });
      },
    );
    call.on("timeout", () => call.destroy(new Error("it does not answer in time")));
    call.on("error", (error) => resolve(error.message));
    call.end();
  });
}

function isHealth(value: unknown): value is Health {
  return (
    typeof value === "object" &&
    value !== null &&
    "status" in value &&
    ["ok", "degraded", "down"].includes(String(value.status)) &&
    "detail" in value &&
    typeof value.detail === "string"
  );
}
