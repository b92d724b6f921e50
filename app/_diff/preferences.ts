"use client";

import { useCallback, useSyncExternalStore } from "react";

/** How a person likes to read diffs, in this browser. */
export interface Preferences {
  layout: "split" | "unified";
  whitespace: "none" | "trailing" | "all";
  wraps: boolean;
  tabWidth: 2 | 4 | 8;
  marksWords: boolean;
  context: 3 | 10 | "whole";
  showsTree: boolean;
  order: "path" | "size";
}

export const defaultPreferences: Preferences = {
  layout: "split",
  whitespace: "none",
  wraps: false,
  tabWidth: 4,
  marksWords: true,
  context: 3,
  showsTree: true,
  order: "path",
};

const allowed: { [Key in keyof Preferences]: readonly Preferences[Key][] } = {
  layout: ["split", "unified"],
  whitespace: ["none", "trailing", "all"],
  wraps: [true, false],
  tabWidth: [2, 4, 8],
  marksWords: [true, false],
  context: [3, 10, "whole"],
  showsTree: [true, false],
  order: ["path", "size"],
};

const storageKey = "rhumbatron.review";
const listeners = new Set<() => void>();
let known: { text: string | null; value: Preferences } = { text: null, value: defaultPreferences };

/** What is stored, and the default for everything that is missing or not one of the allowed values. */
export function parsePreferences(text: string | null): Preferences {
  let stored: unknown = null;
  try {
    stored = text === null ? null : JSON.parse(text);
  } catch {
    return defaultPreferences; // Somebody else's text under our name: it is overwritten by the next choice.
  }
  if (typeof stored !== "object" || stored === null) return defaultPreferences;
  const entries = Object.entries(stored).filter(([key, value]) =>
    key in allowed ? (allowed[key as keyof Preferences] as readonly unknown[]).includes(value) : false,
  );
  return { ...defaultPreferences, ...(Object.fromEntries(entries) as Partial<Preferences>) };
}

function read(): Preferences {
  const text = readStored();
  if (text !== known.text) known = { text, value: parsePreferences(text) };
  return known.value;
}

function readStored(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return known.text; // The browser keeps nothing for us: choices last as long as the page.
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

function write(value: Preferences): void {
  const text = JSON.stringify(value);
  known = { text, value };
  try {
    localStorage.setItem(storageKey, text);
  } catch {
    // As above: the choice holds for this page.
  }
  for (const listener of listeners) listener();
}

export function usePreferences(): [Preferences, (change: Partial<Preferences>) => void] {
  const preferences = useSyncExternalStore(subscribe, read, () => defaultPreferences);
  const change = useCallback((next: Partial<Preferences>) => write({ ...read(), ...next }), []);
  return [preferences, change];
}
