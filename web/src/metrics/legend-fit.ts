// Fits the entries of a legend into its lines: shortens titles if that shows more of them.
import { fitTexts } from '../format/fit-names.ts';

/** The available width of a legend, in CSS pixels; each width includes the gap after it. */
export interface LegendRoom {
  /** Width of a line, and the number of lines. */
  readonly width: number;
  readonly lines: number;
  /**
   * Width of the items before the entries, and of the entry for the band after them; 0 without one.
   */
  readonly start: number;
  readonly band: number;
  /** Width of the button that shows the hidden entries. */
  readonly more: number;
  /** Returns the width of an entry with this title. */
  readonly measureEntry: (text: string) => number;
}

export interface FittedLegend {
  /** The shown form of each title; two are equal only if the titles are. */
  readonly texts: ReadonlyMap<string, string>;
  /** Number of entries that fit, at least one. */
  readonly count: number;
  /** True if everything fits, so no button is needed. */
  readonly isWhole: boolean;
  /** Width of one line with everything. */
  readonly wholeWidth: number;
}

/**
 * Maximum lengths of a title in characters, from the best to the shortest that still tells names
 * apart.
 */
const titleRooms = [40, 32, 26, 20];

export function fitLegend(titles: readonly string[], room: LegendRoom): FittedLegend {
  const all = titleRooms.map((titleRoom) => findFit(titles, fitTexts(titles, titleRoom), room));
  const most = Math.max(...all.map(({ count, isWhole }) => (isWhole ? Infinity : count)));
  const [widest] = all;
  const best = all.find(({ count, isWhole }) => isWhole || count === most) ?? widest;
  // One entry is always shown, cut off if it has to be.
  return { ...best, count: Math.max(1, best.count), wholeWidth: widest.wholeWidth };
}

function findFit(
  titles: readonly string[],
  texts: ReadonlyMap<string, string>,
  room: LegendRoom,
): FittedLegend {
  const { start, band, more } = room;
  const widths = titles.map((title) => room.measureEntry(texts.get(title) ?? title));
  const whole = [start, ...widths, band];
  const wholeWidth = whole.reduce((sum, width) => sum + width, 0);
  const isWhole = fits(whole, room);
  let count = titles.length;
  if (!isWhole) while (count > 0 && !fits([start, ...widths.slice(0, count), more], room)) count--;
  return { texts, count, isWhole, wholeWidth };
}

/** Returns true if things of these widths fit, in their order. */
function fits(widths: readonly number[], { width, lines }: LegendRoom): boolean {
  let line = 1;
  let used = 0;
  for (const one of widths) {
    if (used > 0 && used + one > width) {
      line += 1;
      used = 0;
    }
    if (one > width) return false;
    used += one;
  }
  return line <= lines && used <= width;
}
