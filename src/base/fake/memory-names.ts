// The directory tree of the memory file system: its durable names, and later changes.
import { randomBelow, type Random } from '../random.ts';
import { MemoryFile } from './memory-file.ts';

/** Names of one directory. */
interface Directory {
  readonly durable: Map<string, Entry>;
  readonly current: Map<string, Entry>;
}

type Entry = MemoryFile | Directory;

/** A name that appears, is replaced or is removed. */
interface Step {
  readonly directory: Directory;
  readonly name: string;
  /** File under the name; undefined if the name is removed. */
  readonly entry: Entry | undefined;
}

/** The changes of one call: the disk has either all of them or none. */
type Change = readonly Step[];

const emptyDirectory = (): Directory => ({ durable: new Map(), current: new Map() });

/** Files by path. Missing directories are created when they are used, durably. */
export class MemoryNames {
  readonly #root = emptyDirectory();
  #changes: Change[] = [];

  file(path: string): MemoryFile | undefined {
    const entry = this.#find(path);
    return entry instanceof MemoryFile ? entry : undefined;
  }

  exists(path: string): boolean {
    return this.#find(path) !== undefined;
  }

  /** Returns the names in a directory, sorted. */
  list(path: string): string[] {
    const entry = this.#find(path);
    if (entry === undefined || entry instanceof MemoryFile) return [];
    return [...entry.current.keys()].sort();
  }

  makeDirectory(path: string): void {
    let directory = this.#root;
    for (const name of splitPath(path)) {
      const known = directory.current.get(name);
      if (known instanceof MemoryFile) throw new Error(`${path} is a file`);
      const next = known ?? emptyDirectory();
      if (known === undefined) this.#change([{ directory, name, entry: next }]);
      directory = next;
    }
  }

  put(path: string, file: MemoryFile): void {
    this.#change([this.#step(path, file)]);
  }

  rename(from: string, to: string, file: MemoryFile): void {
    this.#change([this.#step(to, file), this.#step(from, undefined)]);
  }

  remove(path: string): void {
    this.#change([this.#step(path, undefined)]);
  }

  /** Makes the changes in this directory durable. */
  sync(path: string): void {
    const directory = this.#directory(path);
    const touches = (change: Change): boolean => change.some((at) => at.directory === directory);
    for (const change of this.#changes) if (touches(change)) applyTo('durable', change);
    this.#changes = this.#changes.filter((change) => !touches(change));
  }

  /**
   * Keeps some of the unsynced changes: either the first ones, like a journal, or any. Calls
   * `onFile` for each file that remains.
   */
  losePower(random: Random, onFile: (file: MemoryFile) => void): void {
    const isOrdered = (random.uint32() & 1) === 0;
    const kept = isOrdered ? randomBelow(random, this.#changes.length + 1) : this.#changes.length;
    for (const change of this.#changes.slice(0, kept)) {
      if (isOrdered || random.uint32() & 1) applyTo('durable', change);
    }
    this.#changes = [];
    const seen = new Set<Entry>();
    const visit = (directory: Directory): void => {
      directory.current.clear();
      for (const [name, entry] of directory.durable) {
        directory.current.set(name, entry);
        if (seen.has(entry)) continue;
        seen.add(entry);
        if (entry instanceof MemoryFile) onFile(entry);
        else visit(entry);
      }
    };
    visit(this.#root);
  }

  /** Paths of all files, in order. */
  paths(): string[] {
    const paths: string[] = [];
    const visit = (directory: Directory, prefix: string): void => {
      for (const [name, entry] of directory.current) {
        if (entry instanceof MemoryFile) paths.push(`${prefix}/${name}`);
        else visit(entry, `${prefix}/${name}`);
      }
    };
    visit(this.#root, '');
    return paths.sort();
  }

  /** Returns a copy of the tree with copies of its files. All of it is durable. */
  copy(): MemoryNames {
    const copies = new Map<Entry, Entry>();
    const copyInto = (from: Directory, to: Directory): void => {
      for (const [name, entry] of from.current) {
        let copy = copies.get(entry);
        if (copy === undefined) {
          copy = entry instanceof MemoryFile ? entry.copy() : emptyDirectory();
          copies.set(entry, copy);
          if (!(entry instanceof MemoryFile || copy instanceof MemoryFile)) copyInto(entry, copy);
        }
        to.current.set(name, copy);
        to.durable.set(name, copy);
      }
    };
    const names = new MemoryNames();
    copyInto(this.#root, names.#root);
    return names;
  }

  #find(path: string): Entry | undefined {
    let entry: Entry | undefined = this.#root;
    for (const name of splitPath(path)) {
      if (entry === undefined || entry instanceof MemoryFile) return undefined;
      entry = entry.current.get(name);
    }
    return entry;
  }

  #directory(path: string): Directory {
    let directory = this.#root;
    for (const name of splitPath(path)) {
      let next = directory.current.get(name);
      if (next === undefined || next instanceof MemoryFile) {
        next = emptyDirectory();
        directory.current.set(name, next);
        directory.durable.set(name, next);
      }
      directory = next;
    }
    return directory;
  }

  #step(path: string, entry: Entry | undefined): Step {
    const slash = path.lastIndexOf('/');
    const directory = this.#directory(path.slice(0, Math.max(0, slash)));
    return { directory, name: path.slice(slash + 1), entry };
  }

  #change(change: Change): void {
    applyTo('current', change);
    this.#changes.push(change);
  }
}

function applyTo(side: 'current' | 'durable', change: Change): void {
  for (const { directory, name, entry } of change) {
    if (entry === undefined) directory[side].delete(name);
    else directory[side].set(name, entry);
  }
}

function splitPath(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}
