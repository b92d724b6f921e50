/** The product's mark: four slots of a Change, one of them taken. */
export function Mark() {
  const place = { width: 6.5, height: 6.5, rx: 1.5, strokeWidth: 1.5, className: "fill-none stroke-muted" };
  return (
    <svg viewBox="0 0 20 20" className="size-5" aria-hidden="true">
      <rect x="1" y="1" width="8" height="8" rx="2" className="fill-accent" />
      <rect x="11.75" y="1.75" {...place} />
      <rect x="1.75" y="11.75" {...place} />
      <rect x="11.75" y="11.75" {...place} />
    </svg>
  );
}
