// Remembers the user's choices across visits; without storage, until the page is closed.

const kept = new Map<string, string>();

/** Returns the stored value; undefined if there is none. */
export function readTaste(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    // Storage may be disabled.
    return kept.get(key);
  }
}

/** Stores a value; undefined removes it. */
export function keepTaste(key: string, text: string | undefined): void {
  if (text === undefined) kept.delete(key);
  else kept.set(key, text);
  try {
    if (text === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
}
