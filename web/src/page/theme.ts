// Light or dark: the system's wish, unless this person chose; kept as taste, not in the URL.
import { useSyncExternalStore } from 'react';

export type ThemeChoice = 'system' | 'light' | 'dark';
export type Theme = 'light' | 'dark';

const storageKey = 'theme';
const listeners = new Set<() => void>();
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

function readChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    // Storage can be switched off; the choice then lasts as long as the page.
    return 'system';
  }
}

let choice = readChoice();

function themeOf(): Theme {
  if (choice !== 'system') return choice;
  return systemIsDark.matches ? 'dark' : 'light';
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function announce(): void {
  document.documentElement.dataset['theme'] = themeOf();
  for (const listener of listeners) listener();
}

/** Puts the theme on the document and follows the system from then on. */
export function startTheme(): void {
  systemIsDark.addEventListener('change', announce);
  announce();
}

/** Chooses, and remembers it. */
export function chooseTheme(next: ThemeChoice): void {
  choice = next;
  try {
    if (next === 'system') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, next);
  } catch {
    // As above: without storage the choice is not remembered.
  }
  announce();
}

/** The theme that is shown now. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, themeOf);
}
