// Decides which functions of a list are dimmed.
import { findKind } from '../../../src/model/function-kind.ts';
import { ownCode } from '../../../src/model/group-names.ts';
import { binaryName, packageName } from '../../../src/model/package-name.ts';
import { type Dimming, dimmedGroup } from './dimming.ts';

/** Returns true if a function is dimmed; `own` are the prefixes of own code. */
export function isDimmed(
  { name, file, binary }: { readonly name: string; readonly file: string; readonly binary: string },
  { dimmed, mine }: Dimming,
  own: readonly string[],
): boolean {
  if (dimmed.length === 0 && !mine) return false;
  const kind = findKind(name, file, binary, own);
  if (mine && kind !== ownCode) return true;
  return [
    dimmedGroup('kind', kind),
    dimmedGroup('package', packageName(name, file, binary)),
    dimmedGroup('binary', binaryName(binary)),
  ].some((group) => dimmed.includes(group));
}
