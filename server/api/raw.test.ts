import { beforeEach, describe, expect, it } from "vitest";
import { createFakeApi, type FakeApi } from "../testing/fake-api";
import { answerRaw } from "./raw";

let api: FakeApi;
let token: string;

beforeEach(async () => {
  api = createFakeApi();
  const person = { role: "reviewer" as const, label: "p", projectId: null, changeId: null, expiresAt: null };
  ({ token } = await api.access.createToken(person, null));
});

const absent = "00000000-0000-4000-8000-000000000000";

function ask(query: string, headers: Record<string, string> = { authorization: `Bearer ${token}` }) {
  return answerRaw(new Request(`http://dashboard.test/api/raw/${query}`, { headers }), api.deps);
}

/** Whatever it answers, a browser runs none of it. */
function expectHarmless(answer: Response): void {
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
  expect(answer.headers.get("content-type")).toMatch(
    /^(application\/octet-stream|text\/plain; charset=utf-8)$/,
  );
}

describe("a download of a proposed file", () => {
  it("is bytes under its name, never something that a browser would open", async () => {
    api.changeSets.push({
      id: absent,
      runId: absent,
      taskId: absent,
      changeId: absent,
      projectId: absent,
      seriesId: absent,
      version: 1,
      state: "proposed",
      title: "t",
      summary: "",
      baseCommit: "1".repeat(40),
      headCommit: "2".repeat(40),
      filesChanged: 1,
      insertions: 1,
      deletions: 0,
      createdAt: new Date(0),
    });
    const path = encodeURIComponent('dir/ä "x"\r\nset-cookie: a=b.svg');
    const answer = await ask(`${absent}?path=${path}&side=new`);
    expect(answer.status).toBe(200);
    expectHarmless(answer);
    expect(answer.headers.get("content-disposition")).toBe(
      `attachment; filename="___x___set-cookie__a_b.svg"; filename*=UTF-8''%C3%A4%20%22x%22%0D%0Aset-cookie%3A%20a%3Db.svg`,
    );
    expect(await answer.text()).toBe("x");
  });

  it.each([
    ["nobody", `${absent}?path=a&side=new`, {}, 401],
    ["a wrong token", `${absent}?path=a&side=new`, { authorization: "Bearer x" }, 401],
    ["an id that is not there", `${absent}?path=a&side=new`, undefined, 404],
    ["something that is no id", "x?path=a&side=new", undefined, 400],
    ["a side that is none", `${absent}?path=a&side=base`, undefined, 400],
  ])("is refused for %s in plain text", async (_name, query, headers, status) => {
    const answer = await ask(query, headers);
    expect(answer.status).toBe(status);
    expectHarmless(answer);
  });
});
