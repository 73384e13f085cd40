// Chooses how many entries of a legend fit into its lines. Titles are shortened if that makes space
// for more entries.
import { fitTexts } from '../format/fit-names.ts';

/** Available space of a legend in CSS pixels; widths include the gap after the item. */
export interface LegendRoom {
  /** Width of a line, and the number of lines. */
  readonly width: number;
  readonly lines: number;
  /** Width of the items before the entries, and of the entry after them for the band; 0 = none. */
  readonly start: number;
  readonly band: number;
  /** Width of the button for hidden entries. */
  readonly more: number;
  /** Returns the width of an entry with this title. */
  readonly measureEntry: (text: string) => number;
}

export interface FittedLegend {
  /** Shown form of each title; different titles have different forms. */
  readonly texts: ReadonlyMap<string, string>;
  /** Number of entries that fit, at least one. */
  readonly count: number;
  /** True if all entries fit, so that no button is needed. */
  readonly isWhole: boolean;
  /** Width of all entries in one line. */
  readonly wholeWidth: number;
}

/**
 * Largest numbers of characters in a title, in the order in which they are tried; all of them still
 * distinguish names.
 */
const titleRooms = [40, 32, 26, 20];

export function fitLegend(titles: readonly string[], room: LegendRoom): FittedLegend {
  const all = titleRooms.map((titleRoom) => findFit(titles, fitTexts(titles, titleRoom), room));
  const most = Math.max(...all.map(({ count, isWhole }) => (isWhole ? Infinity : count)));
  const [widest] = all;
  const best = all.find(({ count, isWhole }) => isWhole || count === most) ?? widest;
  // At least one entry is always shown, even if it is cut off.
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

/** Returns true if items of these widths fit in this order. */
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
