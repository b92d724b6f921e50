import { registerCustomCSSVariableTheme } from "@pierre/diffs";

/** The name under which the library knows our colours. */
export const codeTheme = "rhumbatron";

let isRegistered = false;

/** Colours of code come from app/theme.css, in both schemes, so the library's own themes are never loaded. */
export function registerCodeTheme(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerCustomCSSVariableTheme(codeTheme, {
    foreground: "var(--color-ink)",
    background: "var(--color-surface)",
    "token-comment": "var(--color-code-comment)",
    "token-constant": "var(--color-code-constant)",
    "token-deleted": "var(--color-bad)",
    "token-function": "var(--color-code-function)",
    "token-inserted": "var(--color-good)",
    "token-keyword": "var(--color-code-keyword)",
    "token-link": "var(--color-code-string)",
    "token-parameter": "var(--color-ink)",
    "token-punctuation": "var(--color-code-punctuation)",
    "token-string": "var(--color-code-string)",
    "token-string-expression": "var(--color-code-string)",
  });
}

/** What the library's drawing gets from us: it lives in a shadow tree, where only variables and this text reach. */
export const diffCss = `
  :host {
    color-scheme: inherit;
    --diffs-font-family: var(--font-mono);
    --diffs-header-font-family: var(--font-sans);
    --diffs-font-size: 12px;
    --diffs-line-height: 20px;
    --diffs-bg: var(--color-surface);
    --diffs-addition-color-override: var(--color-good);
    --diffs-deletion-color-override: var(--color-bad);
    --diffs-modified-color-override: var(--color-accent);
    --diffs-bg-context-override: var(--color-surface);
    --diffs-bg-context-gutter-override: var(--color-surface);
    --diffs-bg-separator-override: var(--color-sunken);
    --diffs-bg-buffer-override: var(--color-line);
    --diffs-fg-number-override: var(--color-muted);
    --diffs-bg-addition-emphasis-override: var(--color-diff-added-strong);
    --diffs-bg-deletion-emphasis-override: var(--color-diff-removed-strong);
    --diffs-gap-style: 1px solid var(--color-line);
    font-variant-ligatures: none;
    border-radius: 8px;
    box-shadow: 0 0 0 1px var(--color-line);
    overflow: clip;
  }
  [data-no-newline]::before { content: none !important; }
  [data-indicators="classic"] [data-no-newline] { padding-inline-start: 2ch; }
  [data-gutter-buffer="annotation"] { border-right-color: transparent; }
  [data-background] [data-line-type="change-addition"]:is([data-line], [data-no-newline], [data-column-number], [data-gutter-buffer]) {
    --diffs-computed-diff-line-bg: var(--color-diff-added);
  }
  [data-background] [data-line-type="change-deletion"]:is([data-line], [data-no-newline], [data-column-number], [data-gutter-buffer]) {
    --diffs-computed-diff-line-bg: var(--color-diff-removed);
  }
  [data-deletions] [data-selected-line] { --diffs-selection-mix-target: var(--cursor-old, var(--diffs-computed-diff-line-bg)); }
  [data-additions] [data-selected-line] { --diffs-selection-mix-target: var(--cursor-new, var(--diffs-computed-diff-line-bg)); }
  [data-column-number] { font-size: 11px; }
  [data-annotation-content] { font-family: var(--font-sans); background: var(--color-surface); }
  [data-line-annotation] { --diffs-annotation-bg: var(--color-surface); }
  [data-diffs-header] { background: var(--color-surface); }
  [data-diffs-header][data-sticky] { z-index: 5; }
  ::highlight(unseen) { background-color: var(--color-warn-soft); color: var(--color-warn); text-decoration: underline; }
  ::highlight(found) { background-color: var(--color-warn-soft); text-decoration: underline var(--color-warn); }
`;
