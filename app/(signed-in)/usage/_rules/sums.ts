/** A day of a month with what it was charged. */
export interface DaySum {
  day: string;
  chargedSeconds: number;
}

/** Every day of a month `YYYY-MM`, those without a charge too. */
export function daysOf(month: string, charges: readonly { day: string; chargedSeconds: number }[]): DaySum[] {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length: count }, (_, index) => {
    const day = `${month}-${String(index + 1).padStart(2, "0")}`;
    const ofDay = charges.filter((charge) => charge.day === day);
    return { day, chargedSeconds: ofDay.reduce((sum, { chargedSeconds }) => sum + chargedSeconds, 0) };
  });
}

/** Charges by whatever `keyOf` names, as id and name, the largest sum first. */
export function sumBy<Charge extends { chargedSeconds: number }>(
  charges: readonly Charge[],
  keyOf: (charge: Charge) => readonly [id: string, name: string],
): { id: string; name: string; chargedSeconds: number }[] {
  const sums = new Map<string, { id: string; name: string; chargedSeconds: number }>();
  for (const charge of charges) {
    const [id, name] = keyOf(charge);
    const before = sums.get(id)?.chargedSeconds ?? 0;
    sums.set(id, { id, name, chargedSeconds: before + charge.chargedSeconds });
  }
  return [...sums.values()].sort((left, right) => right.chargedSeconds - left.chargedSeconds);
}
