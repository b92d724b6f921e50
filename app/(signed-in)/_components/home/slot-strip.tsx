import { cn } from "@/app/_ui/class-names";

interface SlotStripProps {
  taken: number;
  max: number;
  /** What a place is for, such as "live sandboxes". */
  label: string;
}

/** Places side by side, the taken ones filled; the words beside it say the same. */
export function SlotStrip({ taken, max, label }: SlotStripProps) {
  return (
    <span className="flex items-center gap-2 text-xs text-muted">
      <span className="flex gap-1" aria-hidden="true">
        {Array.from({ length: max }, (_, place) => (
          <span
            key={place}
            className={cn(
              "size-3 rounded-sm border",
              place < taken ? "border-accent bg-accent" : "border-edge bg-sunken",
            )}
          />
        ))}
      </span>
      <span className="tabular-nums">
        {taken} of {max} {label}
      </span>
    </span>
  );
}
