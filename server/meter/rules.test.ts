import { describe, expect, it } from "vitest";
import {
  capOf,
  differences,
  extendAtOf,
  firstReservationSeconds,
  monthOf,
  parseMonth,
  planExtension,
  settle,
  splitByMonth,
} from "./rules";

const noon = new Date("2026-01-15T12:00:00.000Z");
const after = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000);

const closeAfter = (seconds: number, session: { tailSeconds: number; reservedSeconds: number }) =>
  settle({ openedAt: noon, lastSeenAt: noon, ...session }, { now: after(noon, seconds), idleSince: null });

describe("what a close is charged", () => {
  it.each([
    [0, 120, 0],
    [0.001, 121, 1],
    [0.5, 121, 1],
    [1, 121, 1],
    [5, 125, 5],
    [179.999, 300, 180],
    [180, 300, 180],
    [180.001, 301, 181],
    [181, 301, 181],
    [480, 600, 480],
  ])("after %d s is %d s: whole seconds, rounded up, and the tail", (seconds, charged, wall) => {
    expect(closeAfter(seconds, { tailSeconds: 120, reservedSeconds: 600 })).toMatchObject({
      wallSeconds: wall,
      chargedSeconds: charged,
    });
  });

  it.each([
    [0, 600],
    [0.5, 601],
    [60, 660],
    [61, 660],
    [100_000, 660],
  ])("after %d s with a tail of 600 s is %d s of the 660 s that were reserved", (seconds, charged) => {
    expect(closeAfter(seconds, { tailSeconds: 600, reservedSeconds: 660 }).chargedSeconds).toBe(charged);
  });

  it.each([181, 300, 301, 86_400])(
    "after %d s is never more than the session holds, nor is its wall time",
    (seconds) => {
      const { chargedSeconds, wallSeconds } = closeAfter(seconds, { tailSeconds: 120, reservedSeconds: 300 });
      expect(chargedSeconds).toBe(300);
      expect(wallSeconds).toBe(Math.min(seconds, 300));
    },
  );

  it("counts up to the last activity when it fell asleep, however late that was noticed", () => {
    const session = { openedAt: noon, lastSeenAt: after(noon, 170), tailSeconds: 120, reservedSeconds: 300 };
    expect(settle(session, { now: after(noon, 175), idleSince: after(noon, 40.2) })).toMatchObject({
      wallSeconds: 41,
      chargedSeconds: 161,
      endedAt: after(noon, 40.2),
    });
  });

  it.each([
    ["now", null],
    ["an activity that the clock puts before the open", after(noon, -3_600)],
    ["an activity that the clock puts ahead of now", after(noon, 7_200)],
  ])("is never negative with a clock that jumped back an hour, ending at %s", (_name, idleSince) => {
    const session = { openedAt: noon, lastSeenAt: after(noon, 30), tailSeconds: 120, reservedSeconds: 300 };
    const { wallSeconds } = settle(session, { now: after(noon, -3_600), idleSince });
    expect(wallSeconds).toBe(idleSince !== null && idleSince < noon ? 0 : 30);
  });
});

describe("the month of a second", () => {
  it.each([
    ["2026-01-31T23:59:59.999Z", "2026-01"],
    ["2026-02-01T00:00:00.000Z", "2026-02"],
    ["2028-02-29T23:59:59.999Z", "2028-02"],
    ["2026-04-30T23:59:59.000Z", "2026-04"],
    ["2026-12-31T23:59:59.000Z", "2026-12"],
    ["2027-01-01T00:00:00.000Z", "2027-01"],
  ])("at %s is %s, whatever the zone of the machine", (at, month) => {
    expect(monthOf(new Date(at))).toBe(month);
  });

  it.each(["2026-00", "2026-13", "26-01", "2026-1", "2026-01-01", "", " 2026-01", "2026-01\n"])(
    "%j is no month",
    (text) => {
      expect(parseMonth(text)).toBeNull();
    },
  );

  it.each([
    ["2026-01-31T23:58:00.000Z", 300, [120, 180]],
    ["2026-01-31T23:58:00.001Z", 300, [120, 180]],
    ["2026-01-31T23:58:00.999Z", 300, [120, 180]],
    ["2026-01-31T23:58:01.000Z", 300, [119, 181]],
    ["2026-01-31T23:55:00.000Z", 300, [300]],
    ["2026-02-01T00:00:00.000Z", 300, [300]],
    ["2026-12-31T23:59:59.999Z", 300, [1, 299]],
    ["2028-02-28T23:59:00.000Z", 300, [300]],
    ["2028-02-29T23:59:00.000Z", 300, [60, 240]],
    ["2026-02-28T23:59:00.000Z", 300, [60, 240]],
    ["2026-01-15T00:00:00.000Z", 3_974_400, [1_468_800, 2_419_200, 86_400]],
    ["2026-01-15T00:00:00.000Z", 0, []],
  ])("from %s on %d s fall as %j", (start, seconds, shares) => {
    expect(splitByMonth(new Date(start), seconds).map((share) => share.seconds)).toEqual(shares);
  });

  it("decides where a charge over the edge counts: 31 January 23:58 to 1 February 00:03", () => {
    const openedAt = new Date("2026-01-31T23:58:00.000Z");
    const { months, chargedSeconds } = settle(
      { openedAt, lastSeenAt: openedAt, tailSeconds: 120, reservedSeconds: 600 },
      { now: new Date("2026-02-01T00:03:00.000Z"), idleSince: null },
    );
    expect(chargedSeconds).toBe(420);
    expect(months).toEqual([
      { month: "2026-01", seconds: 120 },
      { month: "2026-02", seconds: 300 },
    ]);
  });

  it("splits a shorter time as a beginning of a longer one, so that a charge fits into what is held month by month", () => {
    const start = new Date("2026-01-31T23:57:11.777Z");
    const long = splitByMonth(start, 900);
    for (let seconds = 0; seconds <= 900; seconds++) {
      splitByMonth(start, seconds).forEach((share, index) => {
        expect(share.month).toBe(long[index]?.month);
        expect(share.seconds).toBeLessThanOrEqual(long[index]?.seconds ?? -1);
      });
    }
  });

  it.each([Number.NaN, Infinity, -1, 0.5, 2 ** 31])("refuses to count %d seconds", (seconds) => {
    expect(() => splitByMonth(noon, seconds)).toThrow("not a number of seconds");
    expect(() => firstReservationSeconds(seconds, 120)).toThrow("not a number of seconds");
  });

  it("lists how two splits differ, earliest month first", () => {
    const before = splitByMonth(new Date("2026-01-31T23:58:00Z"), 300);
    const then = splitByMonth(new Date("2026-01-31T23:58:10Z"), 300);
    expect(differences(before, then)).toEqual([
      { month: "2026-01", seconds: -10 },
      { month: "2026-02", seconds: 10 },
    ]);
    expect(differences(before, before)).toEqual([]);
  });
});

describe("the profiles", () => {
  it.each([
    [300, 120, 300],
    [300, 600, 660],
    [900, 120, 900],
    [300, 240, 300],
    [300, 241, 301],
    [300, 0, 300],
  ])("reserve %d s with a tail of %d s takes %d s", (reserve, tail, reserved) => {
    expect(firstReservationSeconds(reserve, tail)).toBe(reserved);
  });

  it.each([
    [18_000, 120, 60, 148],
    [36_000, 120, 120, 298],
    [72_000, 120, 240, 598],
    [18_000, 600, 27, 29],
    [36_000, 600, 54, 59],
    [72_000, 600, 109, 119],
  ])(
    "a cap of %d s with a tail of %d s opens %d at once, or %d one after the other that close at once",
    (cap, tail, atOnce, inTurn) => {
      const first = firstReservationSeconds(300, tail);
      let open = 0;
      while ((open + 1) * first <= cap) open++;
      expect(open).toBe(atOnce);
      let used = 0;
      let opened = 0;
      while (used + first <= cap) {
        opened++;
        used += closeAfter(0, { tailSeconds: tail, reservedSeconds: first }).chargedSeconds;
      }
      expect(opened).toBe(inTurn);
    },
  );
});

describe("another step", () => {
  const session = { openedAt: noon, lastSeenAt: noon, tailSeconds: 120, reservedSeconds: 300 };

  it.each([
    [0, "held"],
    [149.999, "held"],
    [150, "due"],
    [180, "due"],
    [479, "due"],
    [480, "overdue"],
    [86_400, "overdue"],
  ])("after %d s is %s", (seconds, kind) => {
    expect(planExtension(session, after(noon, seconds), 300).kind).toBe(kind);
  });

  it("is due half a minute before wall time and tail reach what is held, so that there is time to end in", () => {
    expect(extendAtOf(session)).toEqual(after(noon, 150));
    expect(extendAtOf({ ...session, tailSeconds: 600, reservedSeconds: 660 })).toEqual(after(noon, 30));
  });

  it("stays due when the clock jumps back", () => {
    const seen = { ...session, lastSeenAt: after(noon, 160) };
    expect(planExtension(seen, after(noon, -3_600), 300)).toEqual({ kind: "due", reservedSeconds: 600 });
  });
});

it.each([
  [5, 7, { capSeconds: 5, capSource: "setting" }],
  [0, 7, { capSeconds: 0, capSource: "setting" }],
  [null, 7, { capSeconds: 7, capSource: "environment" }],
  [null, 0, { capSeconds: 0, capSource: "environment" }],
  [null, null, { capSeconds: 36_000, capSource: "default" }],
])("the cap of the setting %j and the environment %j is %j", (setting, environment, cap) => {
  expect(capOf(setting, environment)).toEqual(cap);
});
