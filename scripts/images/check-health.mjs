// A container's health check: `node check-health.mjs /path/to.sock` asks GET /health there, `node check-health.mjs URL`
// asks the dashboard. Ends with 0 only when the answer says `ok`.
import { request } from "node:http";

const [where = ""] = process.argv.slice(2);
const { hostname, port, pathname } = new URL(where.startsWith("/") ? "http://localhost/health" : where);
const target = where.startsWith("/") ? { socketPath: where } : { hostname, port };
const call = request({ ...target, path: pathname, timeout: 5000 }, async (response) => {
  const { status, result } = JSON.parse((await response.toArray()).join(""));
  process.exit((status ?? result?.data?.status) === "ok" ? 0 : 1);
});
call.on("timeout", () => call.destroy(new Error("no answer in time")));
call.on("error", () => process.exit(1));
call.end();
