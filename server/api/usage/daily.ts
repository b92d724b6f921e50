import { z } from "zod";
import { everything } from "../../access/scope";
import { count } from "../fields";
import { procedure } from "../trpc";
import { monthInput } from "./schema";

const dayCharge = z.object({
  /** `YYYY-MM-DD` in UTC: the day on which the session ended. */
  day: z.iso.date(),
  projectId: z.uuid(),
  projectName: z.string(),
  changeId: z.uuid(),
  changeTitle: z.string(),
  chargedSeconds: count,
});

/** What a month charged by day and Change; the sum of all is its `usedSeconds`. Open sessions are not in it yet. */
export const daily = procedure("reviewer")
  .input(z.strictObject({ month: monthInput }))
  .output(z.object({ month: z.string(), items: z.array(dayCharge) }))
  .query(async ({ ctx, input }) => {
    const { meter, projects } = ctx.deps;
    const days = await meter.days(input.month);
    const changeIds = [...new Set(days.map(({ changeId }) => changeId))];
    const changes = await Promise.all(changeIds.map((id) => projects.getChange(id, everything)));
    const projectIds = [...new Set(changes.map(({ projectId }) => projectId))];
    const owners = await Promise.all(projectIds.map((id) => projects.getProject(id, everything)));
    const titles = new Map(changes.map(({ id, title }) => [id, title]));
    const names = new Map(owners.map(({ id, name }) => [id, name]));
    const items = days.map((day) => ({
      ...day,
      projectName: names.get(day.projectId) ?? "",
      changeTitle: titles.get(day.changeId) ?? "",
    }));
    return { month: input.month, items };
  });
