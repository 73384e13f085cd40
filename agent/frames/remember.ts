// Caches names that are slow to compute.
import { heldNamesBytesMax } from '../limits.ts';

/** Bytes that a map entry takes in addition to its strings. */
const entryBytes = 64;

/** Returns the approximate number of bytes of a name in a map. */
export function nameBytes(name: string): number {
  return name.length + entryBytes;
}

/**
 * Returns a function with the same results as `makeName`. It caches results up to a limit in bytes.
 */
export function remember(makeName: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>();
  let bytes = 0;
  return (name) => {
    const held = known.get(name);
    if (held !== undefined) return held;
    const made = makeName(name);
    if (bytes >= heldNamesBytesMax) {
      known.clear();
      bytes = 0;
    }
    bytes += nameBytes(name) + nameBytes(made);
    known.set(name, made);
    return made;
  };
}
