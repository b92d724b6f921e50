/** Where tests on a real engine find it. The test command sets these; the defaults fit an engine set up by hand. */
export const testEngineSocket = process.env["TEST_ENGINE_SOCKET"] ?? "/var/run/docker.sock";

/** Runtimes that every sandbox guarantee is tried on. */
export const testRuntimes = (process.env["TEST_RUNTIMES"] ?? "runc,runsc")
  .split(",")
  .map((name) => (name === "runsc" ? "runsc" : "runc"));

export const testSandboxImage = process.env["TEST_SANDBOX_IMAGE"] ?? "rhumbatron/sandbox:local";

export const testServiceImage = process.env["TEST_SERVICE_IMAGE"] ?? "rhumbatron/service:local";

/** A PostgreSQL server on which tests may create databases; the URL names any database of it. */
export const testDatabaseServerUrl = process.env["TEST_DATABASE_URL"] ?? "";
