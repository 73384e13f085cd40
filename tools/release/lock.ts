// Extracts the entries of some packages from package-lock.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';

interface Locked {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Entries of a lock file by the path of the package. */
export type LockedPackages = Readonly<Record<string, Locked>>;

/** Returns the entries of the checkout's lock file. */
export function readLock(): LockedPackages {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
}

/** Returns the entries that `names` need directly or indirectly, in order. */
export function lockedFor(all: LockedPackages, names: readonly string[]): LockedPackages {
  const found = new Map<string, Locked>();
  const waiting = names.flatMap((name) => findLocked(all, '', name) ?? []);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    const entry = all[path];
    found.set(path, entry);
    for (const name of needs(entry)) {
      const at = findLocked(all, path, name);
      if (at !== undefined) waiting.push(at);
    }
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function needs(entry: Locked): string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = entry;
  const peers = Object.keys(peerDependencies ?? {});
  return [
    ...Object.keys(dependencies ?? {}),
    ...Object.keys(optionalDependencies ?? {}),
    ...peers.filter((name) => peerDependenciesMeta?.[name]?.optional !== true),
  ];
}

/** Returns the path of the package that `from` loads as `name`, as Node finds it. */
function findLocked(all: LockedPackages, from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (all[path] !== undefined) return path;
    if (at === '') return undefined;
  }
}
