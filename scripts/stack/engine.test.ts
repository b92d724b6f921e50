import { describe, expect, test } from "vitest";
import { compareVersions, explainEngine, findEngine, listSocketPaths } from "./engine";
import { OperatorError } from "./operator-error";

test("versions are compared by number, whatever a distribution appends", () => {
  expect(compareVersions("20.10.24+dfsg1", "20.10")).toBe(1);
  expect(compareVersions("19.03.15", "20.10")).toBe(-1);
  expect(compareVersions("28.2.2", "20.10")).toBe(1);
  expect(compareVersions("20.10.0", "20.10")).toBe(0);
});

describe("the places where an engine is looked for", () => {
  test("are DOCKER_HOST alone when it is set, else the usual ones in order", () => {
    expect(listSocketPaths({ DOCKER_HOST: "unix:///tmp/d.sock" })).toEqual(["/tmp/d.sock"]);
    expect(listSocketPaths({ DOCKER_HOST: "" })[0]).toBe("/var/run/docker.sock");
    expect(listSocketPaths({ XDG_RUNTIME_DIR: "/run/user/7" })).toContain("/run/user/7/docker.sock");
  });

  test("cannot be a host elsewhere", () => {
    expect(() => listSocketPaths({ DOCKER_HOST: "tcp://10.0.0.1:2375" })).toThrow(OperatorError);
  });

  test("answer `absent` when none of them is there", async () => {
    expect(await findEngine(["/nowhere/docker.sock"])).toEqual({
      status: "absent",
      socketPaths: ["/nowhere/docker.sock"],
    });
  });
});

test("each fault of an engine is one sentence that says what to do", () => {
  const sentences = [
    explainEngine({ status: "absent", socketPaths: ["/var/run/docker.sock"] }, "linux"),
    explainEngine({ status: "absent", socketPaths: ["/var/run/docker.sock"] }, "darwin"),
    explainEngine({ status: "no_rights", socketPath: "/var/run/docker.sock" }, "linux"),
    explainEngine({ status: "too_old", socketPath: "/var/run/docker.sock", version: "19.03.1" }, "linux"),
    explainEngine({ status: "not_answering", socketPath: "/var/run/docker.sock", reason: "cut" }, "linux"),
  ].map(({ message }) => message);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z][^\n]*: [^\n]+\.$/);
  expect(sentences[0]).toContain("docker.io");
  expect(sentences[1]).toContain("Docker Desktop");
  expect(sentences[2]).toContain("usermod -aG docker");
  expect(sentences[3]).toContain("19.03.1");
});
