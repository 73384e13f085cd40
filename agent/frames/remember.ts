// Names that take long to make, remembered.
import { heldNamesBytesMax } from '../limits.ts';

/** Bytes that an entry of a map takes, next to its texts. */
const entryBytes = 64;

/** Bytes that a name takes in a map, about. */
export function nameBytes(name: string): number {
  return name.length + entryBytes;
}

/** Returns a function with the same results, which makes each of them once; it forgets now and then. */
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
