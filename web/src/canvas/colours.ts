// Colours of the flame graph: one lightness per theme, so that text has the same contrast on all
// frames.
import { unknownGroup } from '../../../src/model/group-names.ts';
import { hashString } from '../format/hash.ts';
import type { GroupMode, Grouping, Groups } from '../tree/tree.ts';

/** Colours of a theme in CSS syntax. */
export interface Palette {
  readonly background: string;
  /** Colours of groups, with hues 30 degrees apart: first light, then strong colours. */
  readonly hues: readonly string[];
  /** Colour of frames without a known group. */
  readonly other: string;
  readonly root: string;
  readonly text: string;
  /** Colour of the package in a name. */
  readonly scopeText: string;
  /** Colour of the zoomed frame's ancestors. */
  readonly ancestor: string;
  readonly ancestorText: string;
  /** Colours of frames that match a search, and of all other frames. */
  readonly match: string;
  readonly matchText: string;
  readonly dimmed: string;
  readonly dimmedText: string;
  /** Colours of a diff, from much less to much more. */
  readonly diff: readonly string[];
  /** Colours of frames in a diff with a small but certain change: less and more. */
  readonly smallChange: readonly [less: string, more: string];
  /** Stripes of frames whose change may be chance. */
  readonly chanceStripe: string;
  /** Stripes of new frames, and outline of frames that are gone. */
  readonly newStripe: string;
  readonly goneOutline: string;
  /** Colour of merged frames that are narrower than a pixel. */
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
    '#DEA2A0',
    '#DBA88C',
    '#CFB282',
    '#B9BB86',
    '#9FC297',
    '#89C5AF',
    '#7EC3C8',
    '#84BDD9',
    '#99B3E1',
    '#B0AADD',
    '#C7A3CE',
    '#D7A0B9',
  ],
  other: '#D5D9E0',
  root: '#E2E6EC',
  text: '#16191F',
  scopeText: '#3A424D',
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
  smallChange: ['#CFDCEA', '#EBD8CD'],
  chanceStripe: '#D0D0D0',
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
    '#5D3031',
    '#5A351F',
    '#523C14',
    '#424317',
    '#2D4828',
    '#144B3B',
    '#004A4E',
    '#13465B',
    '#2A3E61',
    '#3E385E',
    '#4E3353',
    '#583043',
  ],
  other: '#4A525E',
  root: '#333B46',
  text: '#F2F4F7',
  scopeText: '#D3DAE3',
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
  smallChange: ['#33404D', '#483A32'],
  chanceStripe: '#434343',
  newStripe: '#7A3604',
  goneOutline: '#5B9BE0',
  narrow: '#3A424D',
  outline: '#F2F4F7',
  cursor: '#82B1FF',
};

/** Used instead of an index into Palette.hues if the group is unknown. */
export const otherHue = -1;
/** Used instead of an index into Palette.hues for the root, which has no group. */
export const rootHue = -2;

/**
 * Assigns a hue to each group. It depends only on the group's name, so a group has the same hue on
 * all screens. Two groups may share a hue.
 */
export function assignHues({ texts }: Grouping, hueCount: number): Int32Array {
  return Int32Array.from(texts, (text) => hashHue(text, hueCount));
}

/** Returns the hue of one group. */
export function hashHue(text: string, hueCount: number): number {
  return text === unknownGroup ? otherHue : hashString(text) % hueCount;
}

/** Returns the groups with a known name, largest area first. */
export function heaviestGroups({ texts, area }: Grouping): number[] {
  return [...texts.keys()]
    .filter((group) => texts[group] !== unknownGroup)
    .sort((a, b) => area[b] - area[a] || (texts[a] < texts[b] ? -1 : 1));
}

/**
 * Returns the grouping for 'auto': kinds or binaries if they distinguish frames, otherwise
 * packages.
 */
export function autoGrouping({ kind, binary }: Pick<Groups, 'kind' | 'binary'>): GroupMode {
  if (tellsApart(kind)) return 'kind';
  return tellsApart(binary) ? 'binary' : 'package';
}

function tellsApart({ texts, area }: Grouping): boolean {
  return texts.filter((text, i) => text !== unknownGroup && area[i] > 0.005).length > 1;
}
