// The keyboard of the page: which keys count as typing, and what Escape closes.
import { useEffect, useRef } from 'react';

const lettersItem = 'letter-keys';

/** Returns true if single characters are keys. People who dictate can turn them off. */
export function hasLetterKeys(): boolean {
  try {
    return localStorage.getItem(lettersItem) !== 'off';
  } catch {
    // Storage can be switched off.
    return true;
  }
}

/** Turns keys of a single character on or off, and remembers it. */
export function setLetterKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(lettersItem);
    else localStorage.setItem(lettersItem, 'off');
  } catch {
    // Without storage they stay on.
  }
}

/**
 * Returns true if a key belongs to a text field, menu or dialog, or single characters are not keys.
 */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.key.length === 1 && !hasLetterKeys()) return true;
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest('dialog, [role="dialog"], [role="menu"]') !== null)
    return true;
  return ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

/**
 * Levels that Escape closes, in this order: open parts, running queries, settings. Popovers, menus
 * and fields handle the key first.
 */
const levels = ['open', 'asked', 'set'] as const;
type Level = (typeof levels)[number];

/** Closes one thing; false if there is none to close. */
type Act = () => boolean;

const acts: Readonly<Record<Level, Set<Act>>> = {
  open: new Set(),
  asked: new Set(),
  set: new Set(),
};

/** Calls `act` when Escape is pressed and no lower level has acted; all of one level act. */
export function useEscape(level: Level, act: Act): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const call = () => latest.current();
    acts[level].add(call);
    return () => {
      acts[level].delete(call);
    };
  }, [level]);
}

/** Listens from now on. */
export function startEscape(): void {
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [target] = event.composedPath();
    if (!(target instanceof HTMLElement) || target.closest('input, select, dialog') !== null)
      return;
    for (const level of levels) {
      const acted = [...acts[level]].filter((act) => act());
      if (acted.length > 0) return;
    }
  });
}
