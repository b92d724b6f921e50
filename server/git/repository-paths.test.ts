import { describe, expect, it } from "vitest";
import { forkNameOf, forkPath, parseSmartRequest } from "./repository-paths";

const project = "0a1b2c3d-0000-4000-8000-000000000001";
const fork = { projectId: project, forkName: forkNameOf("0a1b2c3d-0000-4000-8000-000000000002") };

describe("parseSmartRequest", () => {
  it("reads the six forms and no other", () => {
    expect(parseSmartRequest("GET", `/${project}.git/info/refs?service=git-upload-pack`)).toEqual({
      repository: { projectId: project, forkName: null },
      service: "git-upload-pack",
      step: "advertise",
    });
    expect(parseSmartRequest("POST", `${forkPath(fork)}/git-receive-pack`)).toEqual({
      repository: fork,
      service: "git-receive-pack",
      step: "serve",
    });
  });

  it.each([
    ["POST", `/${project}.git/info/refs?service=git-upload-pack`],
    ["GET", `/${project}.git/git-upload-pack`],
    ["HEAD", `/${project}.git/info/refs?service=git-upload-pack`],
    ["GET", `/${project}.git/../${project}.git/info/refs?service=git-upload-pack`],
    ["GET", `//${project}.git/info/refs?service=git-upload-pack`],
    ["GET", `/${project}.git/info/refs?service=git-upload-pack\n`],
    ["GET", `/${project}.git/info/refs?service=git-upload-pack#x`],
    ["GET", `/${project}%2egit/info/refs?service=git-upload-pack`],
    ["GET", `/${project}.git%00/info/refs?service=git-upload-pack`],
    ["GET", `/${project.toUpperCase()}.git/info/refs?service=git-upload-pack`],
    ["GET", `/${project}/ws-x.git/info/refs?service=git-upload-pack`],
    ["POST", `/${project}.git/git-upload-archive`],
  ])("gives null for %s %s", (method, target) => {
    expect(parseSmartRequest(method, target)).toBeNull();
  });
});
