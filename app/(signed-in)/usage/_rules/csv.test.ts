import { expect, it } from "vitest";
import { toCsv, type Session } from "./csv";

const session: Session = {
  id: "s",
  projectId: "p",
  projectName: "limits, and more",
  changeId: "c",
  changeTitle: "=cap",
  runId: "r",
  state: "settled",
  createdAt: "2026-01-31T23:00:00.000Z",
  openedAt: "2026-01-31T23:00:00.000Z",
  endedAt: "2026-02-01T01:00:00.000Z",
  wallSeconds: 7200,
  tailSeconds: 120,
  chargedSeconds: 7320,
  isSettled: true,
  months: [
    { month: "2026-01", reservedSeconds: 0, chargedSeconds: 3600 },
    { month: "2026-02", reservedSeconds: 0, chargedSeconds: 3720 },
  ],
};

it("a session stands in each month with that month's share, and in no other", () => {
  expect(toCsv("2026-02", [session]).split("\r\n")).toEqual([
    expect.stringContaining("charged_seconds_in_month"),
    `s,p,"limits, and more",c,'=cap,r,settled,2026-01-31T23:00:00.000Z,2026-02-01T01:00:00.000Z,7200,120,3720`,
    "",
  ]);
  expect(toCsv("2026-03", [session]).split("\r\n")).toHaveLength(2);
});

it("what is not settled has no seconds that somebody could add up", () => {
  const open: Session = { ...session, state: "open", endedAt: null, isSettled: false };
  expect(toCsv("2026-02", [open]).split("\r\n")[1]).toMatch(/,open,2026-01-31T23:00:00.000Z,,,120,$/);
});
