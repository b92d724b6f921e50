import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createDiskPolicyStore } from "./policy-store";
import type { Policy } from "./schema";

const policy: Policy = { version: 7, allow: ["a.example"], hostAddresses: [], pinned: {}, sources: [] };
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "rhumbatron-policy-"));
});
afterEach(() => rm(directory, { recursive: true }));

it("there is none before the first", async () => {
  expect(await createDiskPolicyStore(directory).load()).toEqual({ status: "none" });
});

it("what was saved last is loaded, by another process too", async () => {
  const store = createDiskPolicyStore(directory);
  await store.save({ ...policy, version: 6 });
  await store.save(policy);
  expect(await createDiskPolicyStore(directory).load()).toEqual({ status: "found", policy });
});

it("a half-written next one does not matter", async () => {
  const store = createDiskPolicyStore(directory);
  await store.save(policy);
  await writeFile(join(directory, "policy.json.next"), '{"version":8,');
  expect(await store.load()).toEqual({ status: "found", policy });
  await store.save({ ...policy, version: 9 });
  expect(await store.load()).toMatchObject({ policy: { version: 9 } });
});

it.each(['{"version":', "[]", JSON.stringify({ ...policy, allow: ["*"] }), ""])(
  "%j is unreadable and not taken for a policy",
  async (text) => {
    await writeFile(join(directory, "policy.json"), text);
    expect(await createDiskPolicyStore(directory).load()).toMatchObject({ status: "unreadable" });
  },
);
