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

/** What one Project or Change was charged. `within` is what a Change belongs to, for those that are called alike. */
export interface Sum {
  id: string;
  name: string;
  within: string | null;
  chargedSeconds: number;
}

/** Charges by whatever `keyOf` names, the largest sum first. */
export function sumBy<Charge extends { chargedSeconds: number }>(
  charges: readonly Charge[],
  keyOf: (charge: Charge) => Omit<Sum, "chargedSeconds">,
): Sum[] {
  const sums = new Map<string, Sum>();
  for (const charge of charges) {
    const key = keyOf(charge);
    const before = sums.get(key.id)?.chargedSeconds ?? 0;
    sums.set(key.id, { ...key, chargedSeconds: before + charge.chargedSeconds });
  }
  return [...sums.values()].sort((left, right) => right.chargedSeconds - left.chargedSeconds);
}
