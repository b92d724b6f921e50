import { Decimal } from "decimal.js";

export interface Line {
  quantity: number;
  unitPrice: string;
}

/** The total of an invoice after its discount, in per cent, rounded to two decimals. */
export function total(lines: readonly Line[], discountPercent: number): string {
  const sum = lines.reduce(
    (before, line) => before.plus(new Decimal(line.unitPrice).times(line.quantity)),
    new Decimal(0),
  );
  const discount = sum.times(discountPercent).dividedBy(100);
  return sum.plus(discount).toFixed(2);
}
