"use client";

import {
  createContext,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from "react";
import { Dialog } from "./dialog";
import { addPress, endsWithKeys, nothingTyped } from "./key-sequence";

export interface Shortcut {
  /** Such as `j`, `shift+j`, `mod+enter`, `?`, `escape`, or two in a row: `g h`. */
  keys: string;
  label: string;
  run: () => void;
  enabled?: boolean;
}

interface ShortcutGroup {
  title: string;
  shortcuts: readonly Shortcut[];
}

interface Registry {
  set: (id: string, group: ShortcutGroup) => void;
  remove: (id: string) => void;
  showHelp: () => void;
}

const RegistryContext = createContext<Registry | null>(null);

/** Keys that work while the component is on the page. They are listed by `?`, and rest while somebody types. */
export function useShortcuts(groupTitle: string, shortcuts: readonly Shortcut[]): void {
  const registry = useRegistry();
  const id = useId();
  // After each render: what the keys do is made anew with the component.
  useEffect(() => registry.set(id, { title: groupTitle, shortcuts }));
  useEffect(() => () => registry.remove(id), [registry, id]);
}

/** Opens the list of keys. */
export function useShortcutHelp(): () => void {
  return useRegistry().showHelp;
}

function useRegistry(): Registry {
  const registry = useContext(RegistryContext);
  if (registry === null) throw new Error("A shortcut stands outside of ShortcutProvider.");
  return registry;
}

export function ShortcutProvider({ children }: { children: ReactNode }) {
  const groups = useRef(new Map<string, ShortcutGroup>());
  const [help, setHelp] = useState<ShortcutGroup[] | null>(null);
  const registry = useMemo<Registry>(
    () => ({
      set: (id, group) => void groups.current.set(id, group),
      remove: (id) => void groups.current.delete(id),
      showHelp: () => setHelp(mergeByTitle([...groups.current.values()])),
    }),
    [],
  );

  useEffect(() => {
    let typed = nothingTyped;
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.repeat || isModifier(event.key)) return;
      if (isBlocked(event)) return;
      typed = addPress(typed, event, event.timeStamp);
      const found = findShortcut([...groups.current.values()], (keys) => endsWithKeys(typed, keys));
      const isHelp = found === undefined && endsWithKeys(typed, "?");
      if (found === undefined && !isHelp) return;
      event.preventDefault();
      typed = nothingTyped;
      if (isHelp) registry.showHelp();
      else found?.run();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [registry]);

  return (
    <RegistryContext value={registry}>
      {children}
      <ShortcutHelp groups={help} onClose={() => setHelp(null)} />
    </RegistryContext>
  );
}

/** Of all that match, the one with the most keys, and of those the one that came onto the page last. */
function findShortcut(
  groups: readonly ShortcutGroup[],
  matches: (keys: string) => boolean,
): Shortcut | undefined {
  return groups
    .flatMap((group) => group.shortcuts)
    .filter((shortcut) => shortcut.enabled !== false && matches(shortcut.keys))
    .reduce<Shortcut | undefined>(
      (best, shortcut) => (best === undefined || lengthOf(shortcut) >= lengthOf(best) ? shortcut : best),
      undefined,
    );
}

function lengthOf(shortcut: Shortcut): number {
  return shortcut.keys.split(" ").length;
}

function isModifier(key: string): boolean {
  return ["Shift", "Control", "Alt", "Meta"].includes(key);
}

/** While somebody types, and behind an open dialog or menu, keys mean what they always mean; `mod+` ones go on. */
function isBlocked(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey) return false;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  const isTyping =
    target.isContentEditable ||
    target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=button])");
  return isTyping || target.closest("[role=dialog], [role=menu]") !== null;
}

function mergeByTitle(groups: readonly ShortcutGroup[]): ShortcutGroup[] {
  const byTitle = new Map<string, Shortcut[]>();
  for (const { title, shortcuts } of groups) {
    byTitle.set(title, [
      ...(byTitle.get(title) ?? []),
      ...shortcuts.filter(({ enabled }) => enabled !== false),
    ]);
  }
  return [...byTitle].map(([title, shortcuts]) => ({ title, shortcuts }));
}

function ShortcutHelp({ groups, onClose }: { groups: ShortcutGroup[] | null; onClose: () => void }) {
  return (
    <Dialog
      open={groups !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Keys"
      className="max-w-2xl"
    >
      <div className="grid gap-x-8 gap-y-4 pb-2 sm:grid-cols-2">
        {(groups ?? []).map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className="mb-1 text-xs font-medium text-muted">{title}</h3>
            <dl>
              {shortcuts.map(({ keys, label }) => (
                <div
                  key={`${keys} ${label}`}
                  className="flex items-center justify-between gap-4 py-0.5 text-sm"
                >
                  <dt>{label}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** Keys as they are printed on a keyboard. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      {keys.split(" ").map((key, index) => (
        <kbd
          key={index}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded border border-line bg-sunken px-1 font-mono text-2xs text-muted"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
