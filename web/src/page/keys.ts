// Decides which keys count as typing, and what Escape closes.
import { useEffect, useRef } from 'react';

const lettersItem = 'letter-keys';

/** Returns true if single characters are shortcuts. Users who dictate can disable them. */
export function hasLetterKeys(): boolean {
  try {
    return localStorage.getItem(lettersItem) !== 'off';
  } catch {
    // Storage may be disabled.
    return true;
  }
}

/** Enables or disables single-character shortcuts, and remembers the choice. */
export function setLetterKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(lettersItem);
    else localStorage.setItem(lettersItem, 'off');
  } catch {
    // Without storage, the shortcuts remain enabled.
  }
}

/**
 * Returns true if a key belongs to a text field, menu or dialog, or if single-character shortcuts
 * are disabled.
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
 * Levels that Escape closes, in this order: open elements, running queries, settings. Popovers,
 * menus and fields handle the key first.
 */
const levels = ['open', 'asked', 'set'] as const;
type Level = (typeof levels)[number];

/** Closes something; returns false if there is nothing to close. */
type Act = () => boolean;

const acts: Readonly<Record<Level, Set<Act>>> = {
  open: new Set(),
  asked: new Set(),
  set: new Set(),
};

/**
 * Calls `act` when Escape is pressed and no earlier level has acted. All handlers of a level are
 * called.
 */
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

/** Starts to listen. */
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
