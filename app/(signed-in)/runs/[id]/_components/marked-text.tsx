import { UntrustedText } from "@/app/_ui/untrusted-text";

/** Text in which what is searched for stands out. */
export function MarkedText({ text, wanted }: { text: string; wanted: string }) {
  if (wanted === "") return <UntrustedText text={text} />;
  const parts: { text: string; isMarked: boolean }[] = [];
  const lower = text.toLowerCase();
  // A letter whose other case is longer would shift every place behind it.
  const isSafe = lower.length === text.length;
  let from = 0;
  for (
    let place = isSafe ? lower.indexOf(wanted.toLowerCase()) : -1;
    place !== -1;
    place = lower.indexOf(wanted.toLowerCase(), from)
  ) {
    parts.push({ text: text.slice(from, place), isMarked: false });
    from = place + wanted.length;
    parts.push({ text: text.slice(place, from), isMarked: true });
  }
  parts.push({ text: text.slice(from), isMarked: false });
  return parts
    .filter((part) => part.text !== "")
    .map((part, index) =>
      part.isMarked ? (
        <mark key={index} className="rounded-sm bg-warn-soft text-warn underline underline-offset-2">
          <UntrustedText text={part.text} />
        </mark>
      ) : (
        <UntrustedText key={index} text={part.text} />
      ),
    );
}
