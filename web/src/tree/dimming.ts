// Dimmed groups, and the names that are not dimmed.
import { ownCode } from '../../../src/model/group-names.ts';
import type { GroupMode, Groups } from './tree.ts';

/** Settings for dimming. */
export interface Dimming {
  /** Groups as written in the URL, such as `kind:runtime`. */
  readonly dimmed: readonly string[];
  /** True if all code except the user's own code is dimmed. */
  readonly mine: boolean;
}

const modes = ['kind', 'package', 'binary'] as const satisfies readonly GroupMode[];

/** Returns the URL form of a group. */
export function dimmedGroup(mode: GroupMode, text: string): string {
  return `${mode}:${text}`;
}

/** Returns 1 for each name that is not dimmed; undefined if no name is dimmed. */
export function brightNames(groups: Groups, { dimmed, mine }: Dimming): Uint8Array | undefined {
  if (dimmed.length === 0 && !mine) return undefined;
  const bright = new Uint8Array(groups.kind.ofName.length).fill(1);
  for (const mode of modes) {
    const { texts, ofName } = groups[mode];
    const isDim = texts.map(
      (text) =>
        dimmed.includes(dimmedGroup(mode, text)) || (mine && mode === 'kind' && text !== ownCode),
    );
    for (let name = 0; name < ofName.length; name += 1) {
      if (isDim[ofName[name]]) bright[name] = 0;
    }
  }
  return bright;
}
