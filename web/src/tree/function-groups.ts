// Finds the kind, package and binary of functions, and remembers them for the next answer.
import { findKind } from '../../../src/model/function-kind.ts';
import { binaryName, packageName } from '../../../src/model/package-name.ts';
import type { GroupMode } from './tree.ts';

/** Group of a function in each grouping. */
export type FunctionGroups = Readonly<Record<GroupMode, string>>;

/** Maximum number of functions that are remembered. */
const knownMax = 50_000;

const known = new Map<string, FunctionGroups>();
/** Prefixes of own code that the remembered kinds depend on. */
let knownOwn = '';

/**
 * Returns a function that finds groups; `own` are the prefixes of own code. Groups are remembered,
 * because the rules are about 30 regular expressions, and most functions of a refresh or a zoom
 * were in the previous answer.
 */
export function groupFinder(
  own: readonly string[] = [],
): (name: string, file: string, binary: string) => FunctionGroups {
  const prefixes = own.join('\n');
  if (prefixes !== knownOwn) known.clear();
  knownOwn = prefixes;
  return (name, file, binary) => {
    const key = `${name}\n${file}\n${binary}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const groups = {
      binary: binaryName(binary),
      package: packageName(name, file, binary),
      kind: findKind(name, file, binary, own),
    };
    if (known.size >= knownMax) known.clear();
    known.set(key, groups);
    return groups;
  };
}
