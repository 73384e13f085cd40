// Chooses colours and dashes of lines by name, independent of values and order.
import { hashString } from '../format/hash.ts';

/** Colours of lines by theme. */
export const lineColours = {
  light: ['#0B6BCB', '#B8430B', '#0A7A55', '#8A3FB5', '#9A6700', '#C2255C', '#0B7285', '#5C5F66'],
  dark: ['#6CB2FF', '#FF9E64', '#56D6A8', '#CFA3F5', '#F0C75E', '#FF8FB1', '#5FD3E0', '#B0B7C3'],
} as const;

const colourCount = lineColours.light.length;

/** Lengths of dashes and gaps in CSS pixels; undefined for a solid line. */
const dashes: readonly (readonly number[] | undefined)[] = [undefined, [6, 3], [2, 3]];

export interface LineLook {
  /** Index into `lineColours`. */
  readonly colour: number;
  readonly dash: readonly number[] | undefined;
}

/**
 * Returns a look for each name, in order. A name has its own colour, unless an earlier name in the
 * alphabet has it already. All looks differ until there are more lines than looks.
 */
export function lineLooks(names: readonly string[]): LineLook[] {
  const taken = new Set<number>();
  const byName = new Map<string, LineLook>();
  for (const name of names.toSorted()) {
    const look = firstFree(hashString(name) % colourCount, taken);
    taken.add(look);
    byName.set(name, {
      colour: look % colourCount,
      dash: dashes[Math.floor(look / colourCount) % dashes.length],
    });
  }
  return names.map((name) => byName.get(name) ?? { colour: 0, dash: undefined });
}

/** Returns the first unused look: colours first, then dashes. */
function firstFree(wish: number, taken: ReadonlySet<number>): number {
  for (let dash = 0; dash < dashes.length; dash++) {
    for (let step = 0; step < colourCount; step++) {
      const look = dash * colourCount + ((wish + 3 * step) % colourCount);
      if (!taken.has(look)) return look;
    }
  }
  return wish;
}
