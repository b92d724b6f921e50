/**
 * What building the sandbox image needs of this repository, as paths from its root: the whole context, beside an
 * optional `extra-ca.crt` at the top. Printed when run, so that `tar -c $(…)` makes the context.
 */
export const sandboxImageContext: readonly string[] = [
  "sandbox-image/Dockerfile",
  "sandbox-image/prepare-image.sh",
  "sandbox-image/supervisor",
  "server/platform/clock.ts",
  "server/platform/errors.ts",
  "server/sandboxd/supervisor-protocol.ts",
];

if (process.argv[1]?.endsWith("build-context.ts")) console.log(sandboxImageContext.join("\n"));
