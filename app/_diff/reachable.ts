/** Gives what the library draws the names and tab stops that it lacks: its buttons are bare, its scrolling lines out of reach. */
export function makeReachable(element: HTMLElement, path: string): void {
  const { shadowRoot } = element;
  if (shadowRoot === null) return;
  for (const button of shadowRoot.querySelectorAll<HTMLElement>("[data-expand-button]")) {
    if (button.tabIndex === 0) continue;
    button.tabIndex = 0;
    const where = button.hasAttribute("data-expand-up")
      ? "above the change below"
      : button.hasAttribute("data-expand-down")
        ? "below the change above"
        : "between two changes";
    button.setAttribute("aria-label", `Show more lines ${where}`);
  }
  for (const lines of shadowRoot.querySelectorAll<HTMLElement>("[data-code]")) {
    if (lines.tabIndex === 0) continue;
    lines.tabIndex = 0;
    lines.setAttribute("role", "group");
    const side = lines.hasAttribute("data-deletions")
      ? "Old lines"
      : lines.hasAttribute("data-additions")
        ? "New lines"
        : "Lines";
    lines.setAttribute("aria-label", `${side} of ${path}`);
  }
}

/** Presses the library's own buttons by key; they are no real buttons. */
export function pressByKey(event: KeyboardEvent): void {
  const [target] = event.composedPath();
  if (event.key !== "Enter" && event.key !== " ") return;
  if (!(target instanceof HTMLElement) || !target.hasAttribute("data-expand-button")) return;
  event.preventDefault();
  event.stopPropagation();
  target.click();
}
