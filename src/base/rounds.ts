// A queue that serves its groups in rounds, and the groups within each group in the same way.

/** Items of a group, by the next key of their paths. Lists and groups are never empty. */
type Group<T> = Map<unknown, Group<T> | T[]>;

/**
 * Items by paths of keys, such as network, address and connection; all paths have the same length.
 */
export class Rounds<T> {
  readonly #all: Group<T> = new Map();
  #size = 0;

  /** Number of items. */
  get size(): number {
    return this.#size;
  }

  /** Adds an item at the end of its group. */
  add(path: readonly unknown[], item: T): void {
    this.#size += 1;
    let group = this.#all;
    for (const key of path.slice(0, -1)) {
      const next = (group.get(key) as Group<T> | undefined) ?? new Map();
      group.set(key, next);
      group = next;
    }
    const last = path[path.length - 1];
    const items = group.get(last) as T[] | undefined;
    if (items === undefined) group.set(last, [item]);
    else items.push(item);
  }

  /** Removes an item that was added with the same path; returns false if it is not there. */
  remove(path: readonly unknown[], item: T): boolean {
    const isFound = removeOf(this.#all, path, 0, item);
    if (isFound) this.#size -= 1;
    return isFound;
  }

  /** Takes the item whose turn it is. */
  take(): T | undefined {
    if (this.#size === 0) return undefined;
    this.#size -= 1;
    return takeOf(this.#all);
  }
}

/**
 * Takes the next item of a group, which must not be empty. The subgroup of that item moves to the
 * end.
 */
function takeOf<T>(group: Group<T>): T | undefined {
  for (const [key, part] of group) {
    const item = Array.isArray(part) ? part.shift() : takeOf(part);
    const left = Array.isArray(part) ? part.length : part.size;
    // A single subgroup is already the last.
    if (left > 0 && group.size === 1) return item;
    group.delete(key);
    if (left > 0) group.set(key, part);
    return item;
  }
  return undefined;
}

/** Removes an item of a group, and subgroups that become empty. The others keep their turns. */
function removeOf<T>(group: Group<T>, path: readonly unknown[], depth: number, item: T): boolean {
  const key = path[depth];
  const part = group.get(key);
  if (part === undefined) return false;
  if (!Array.isArray(part)) {
    if (!removeOf(part, path, depth + 1, item)) return false;
    if (part.size === 0) group.delete(key);
    return true;
  }
  const at = part.indexOf(item);
  if (at === -1) return false;
  part.splice(at, 1);
  if (part.length === 0) group.delete(key);
  return true;
}
