import { expect, test } from "vitest";
import { commandBaseEnvironment, isRefusedName, parseSupervisorSettings } from "./settings";

test("limits come from the environment; what is not named is not watched; what is no number is refused", () => {
  expect(parseSupervisorSettings({ SANDBOX_IDLE_MS: "5000", SANDBOX_DISK_BYTES_MAX: "10" })).toEqual({
    idleMs: 5000,
    memoryBytesMax: null,
    processesMax: null,
    diskBytesMax: 10,
    diskFloorBytes: 0,
  });
  expect(() => parseSupervisorSettings({ SANDBOX_PIDS_MAX: "-1" })).toThrow("SANDBOX_PIDS_MAX");
});

test("commands see nothing of the supervisor's own", () => {
  expect(
    commandBaseEnvironment({ PATH: "/bin", SANDBOX_IDLE_MS: "1", HTTPS_PROXY: "x", GONE: undefined }),
  ).toEqual({
    PATH: "/bin",
    HTTPS_PROXY: "x",
  });
});

test("names that the loader reads, that are set here, or that are no names, are refused", () => {
  for (const name of [
    "LD_PRELOAD",
    "LD_X",
    "GLIBC_TUNABLES",
    "LOCPATH",
    "HOME",
    "USER",
    "SANDBOX_PIDS_MAX",
    "",
    "a=b",
    "1",
  ]) {
    expect([name, isRefusedName(name)]).toEqual([name, true]);
  }
  for (const name of ["PATH", "CI", "GIT_CONFIG_COUNT", "_X1"])
    expect([name, isRefusedName(name)]).toEqual([name, false]);
});
