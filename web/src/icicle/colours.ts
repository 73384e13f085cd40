// The icicle's colours: one lightness per theme, so text on any frame has the same contrast.
import { unknownGroup } from './grouping.ts';
import type { Grouping } from './tree.ts';

/** Colours of one theme, as canvas takes them. */
export interface Palette {
  readonly background: string;
  /** Frames by hue, 30 degrees apart. */
  readonly hues: readonly string[];
  /** Frames of groups that got no hue. */
  readonly other: string;
  readonly root: string;
  readonly text: string;
  /** Ancestors of the zoomed frame. */
  readonly ancestor: string;
  readonly ancestorText: string;
  /** Frames that a search found, and all others. */
  readonly match: string;
  readonly matchText: string;
  readonly dimmed: string;
  readonly dimmedText: string;
  /** Frames of a diff by step, from much less to much more. */
  readonly diff: readonly string[];
  /** Stripes of frames that are new, and outline of those that are gone. */
  readonly newStripe: string;
  readonly goneOutline: string;
  /** Runs of frames narrower than a pixel. */
  readonly narrow: string;
  readonly outline: string;
  readonly cursor: string;
}

export const lightPalette: Palette = {
  background: '#FFFFFF',
  hues: [
    '#F9C1BF',
    '#F5C5AB',
    '#E8CDA1',
    '#D3D5A4',
    '#BBDCB4',
    '#A7DFCA',
    '#9EDEE2',
    '#A5DAF4',
    '#B9D2FC',
    '#D0CAFA',
    '#E5C4EC',
    '#F3C0D7',
  ],
  other: '#D5D9E0',
  root: '#E2E6EC',
  text: '#16191F',
  ancestor: '#E9ECF1',
  ancestorText: '#4A5260',
  match: '#FFE066',
  matchText: '#16191F',
  dimmed: '#EDEFF3',
  dimmedText: '#5A6270',
  diff: [
    '#4C8FD8',
    '#70A5E1',
    '#97BBE4',
    '#BED0E5',
    '#E4E4E4',
    '#E2C8BA',
    '#DDAA91',
    '#D78D66',
    '#CB713F',
  ],
  newStripe: '#E0A080',
  goneOutline: '#2F6DB5',
  narrow: '#C9CFD8',
  outline: '#16191F',
  cursor: '#1D5BC6',
};

export const darkPalette: Palette = {
  background: '#0F1216',
  hues: [
    '#7A4344',
    '#76482D',
    '#6B501F',
    '#585923',
    '#3E5F37',
    '#1F634F',
    '#066166',
    '#1F5D77',
    '#3C557F',
    '#554E7C',
    '#68476F',
    '#74435B',
  ],
  other: '#4A525E',
  root: '#333B46',
  text: '#F2F4F7',
  ancestor: '#20262E',
  ancestorText: '#AAB3C0',
  match: '#E8C547',
  matchText: '#16191F',
  dimmed: '#1C2128',
  dimmedText: '#98A2B1',
  diff: [
    '#1B66AF',
    '#255D96',
    '#2D527A',
    '#31445A',
    '#353535',
    '#563B2D',
    '#734126',
    '#8B441A',
    '#A04705',
  ],
  newStripe: '#7A3604',
  goneOutline: '#5B9BE0',
  narrow: '#3A424D',
  outline: '#F2F4F7',
  cursor: '#82B1FF',
};

/** Index into Palette.hues of groups without a hue of their own. */
export const otherHue = -1;
/** The root belongs to nobody. */
export const rootHue = -2;

const huesAssigned = 11;

/** Remembers the hue of each group while the page lives, so that colours do not jump. */
export type HueMemory = Map<string, number>;

/**
 * A hue for each group of a grouping: the heaviest 11 get one, the rest share grey.
 *
 * The wish of a group follows from its name alone, so two people with one link mostly agree.
 */
export function assignHues(grouping: Grouping, memory: HueMemory, hueCount: number): Int32Array {
  const hues = new Int32Array(grouping.texts.length).fill(otherHue);
  const heaviest = heaviestGroups(grouping).slice(0, huesAssigned);
  const taken = new Set<number>();
  const waiting: number[] = [];
  for (const group of heaviest) {
    const known = memory.get(grouping.texts[group]);
    if (known === undefined || taken.has(known)) waiting.push(group);
    else {
      hues[group] = known;
      taken.add(known);
    }
  }
  for (const group of waiting) {
    const hue = freeHue(grouping.texts[group], taken, hueCount);
    hues[group] = hue;
    taken.add(hue);
    memory.set(grouping.texts[group], hue);
  }
  return hues;
}

/** Groups with a known name, those that fill most of the picture first. */
export function heaviestGroups({ texts, area }: Grouping): number[] {
  return [...texts.keys()]
    .filter((group) => texts[group] !== unknownGroup)
    .sort((a, b) => area[b] - area[a] || (texts[a] < texts[b] ? -1 : 1));
}

function freeHue(text: string, taken: ReadonlySet<number>, hueCount: number): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) >>> 0;
  // A step of five visits all twelve hues and keeps neighbours in weight apart in hue.
  for (let step = 0; step < hueCount; step++) {
    const hue = (hash + step * 5) % hueCount;
    if (!taken.has(hue)) return hue;
  }
  return hash % hueCount;
}

/** Which grouping 'auto' means: modules when they tell frames apart, else packages. */
export function autoGrouping(module: Grouping): 'module' | 'package' {
  const heavy = module.texts.filter((text, i) => text !== unknownGroup && module.area[i] > 0.005);
  return heavy.length > 1 ? 'module' : 'package';
}
