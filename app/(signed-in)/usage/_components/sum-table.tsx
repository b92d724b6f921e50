import Link from "next/link";
import { formatSeconds } from "@/app/_ui/amount-words";
import { EmptyState } from "@/app/_ui/empty-state";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { Sum } from "../_rules/sums";

const rowsMax = 10;

interface SumTableProps {
  rows: readonly Sum[];
  hrefOf: (id: string) => string;
}

/** Who used how much, the largest first. */
export function SumTable({ rows, hrefOf }: SumTableProps) {
  if (rows.length === 0) return <EmptyState title="Nothing was charged" />;
  return (
    <>
      <ul className="divide-y divide-line">
        {rows.slice(0, rowsMax).map(({ id, name, within, chargedSeconds }) => (
          <li key={id} className="flex items-baseline justify-between gap-4 px-3 py-2">
            <Link href={hrefOf(id)} className="min-w-0 wrap-anywhere hover:underline">
              <UntrustedText text={name} />
              {within === null ? null : <UntrustedText text={within} className="ml-2 text-xs text-muted" />}
            </Link>
            <span className="shrink-0 tabular-nums">{formatSeconds(chargedSeconds)}</span>
          </li>
        ))}
      </ul>
      {rows.length > rowsMax ? (
        <p className="px-3 py-2 text-xs text-muted">
          The {rowsMax} largest of {rows.length}; the table of sessions has all.
        </p>
      ) : null}
    </>
  );
}
