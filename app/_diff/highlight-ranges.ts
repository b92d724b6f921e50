import { markPattern } from "./marked-text";

const rangesByElement = new Map<HTMLElement, { unseen: Range[]; found: Range[] }>();

/**
 * Marks, in the lines of one drawn file, the characters that were written as their code and the word that is sought. It adds no
 * node: the library's own lines stay as they are. `null` forgets the file.
 */
export function highlightRanges(element: HTMLElement, sought: string | null): void {
  if (!("highlights" in CSS)) return;
  if (sought === null) rangesByElement.delete(element);
  else {
    const ranges = { unseen: [] as Range[], found: [] as Range[] };
    const lines = element.shadowRoot?.querySelectorAll<HTMLElement>("[data-line]") ?? [];
    for (const line of lines) {
      const text = line.textContent;
      if (text.includes("⟦U+"))
        for (const match of text.matchAll(markPattern))
          add(ranges.unseen, line, match.index, match[0].length);
      if (sought !== "") findAll(text, sought, (index) => add(ranges.found, line, index, sought.length));
    }
    rangesByElement.set(element, ranges);
  }
  publish("unseen");
  publish("found");
}

function findAll(text: string, sought: string, found: (index: number) => void): void {
  const low = text.toLowerCase();
  const word = sought.toLowerCase();
  for (let index = low.indexOf(word); index >= 0; index = low.indexOf(word, index + word.length))
    found(index);
}

function publish(name: "unseen" | "found"): void {
  const ranges = [...rangesByElement.values()].flatMap((kept) => kept[name]);
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}

/** A line is made of many text nodes; the place is counted through them. */
function add(ranges: Range[], line: HTMLElement, start: number, length: number): void {
  const range = new Range();
  let position = 0;
  let isOpen = false;
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const end = position + (node.nodeValue ?? "").length;
    if (!isOpen && start < end) {
      range.setStart(node, start - position);
      isOpen = true;
    }
    if (isOpen && start + length <= end) {
      range.setEnd(node, start + length - position);
      ranges.push(range);
      return;
    }
    position = end;
  }
}
