// Chooses the light or the dark theme: the system's theme, unless the user chose one. The choice is
// stored like other choices, not in the URL.
import { useSyncExternalStore } from 'react';
import { keepTaste, readTaste } from './taste.ts';

export type ThemeChoice = 'system' | 'light' | 'dark';
export type Theme = 'light' | 'dark';

const storageKey = 'theme';
const listeners = new Set<() => void>();
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

function readChoice(): ThemeChoice {
  const stored = readTaste(storageKey);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

let choice = readChoice();

function readTheme(): Theme {
  if (choice !== 'system') return choice;
  return systemIsDark.matches ? 'dark' : 'light';
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function announce(): void {
  document.documentElement.dataset['theme'] = readTheme();
  for (const listener of listeners) listener();
}

/** Applies the theme to the document, and follows changes of the system's theme. */
export function startTheme(): void {
  systemIsDark.addEventListener('change', announce);
  announce();
}

/** Chooses a theme, and remembers it. */
export function chooseTheme(next: ThemeChoice): void {
  choice = next;
  keepTaste(storageKey, next === 'system' ? undefined : next);
  announce();
}

/** Returns the current theme. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, readTheme);
}
