// Terminal output: readable quantities, aligned columns, colours.
import { printable } from '../../../src/base/printable.ts';

/** Properties of the output. */
export interface Terminal {
  readonly isColoured: boolean;
  /** Width in columns; undefined = no limit. */
  readonly width: number | undefined;
}

/** ANSI SGR code for bold text. */
export const bold = '1';
export const red = '31';
export const green = '32';
export const yellow = '33';

export interface TextRow {
  readonly cells: readonly string[];
  /** ANSI SGR code; "" = none. */
  readonly colour: string;
}

/**
 * Formats a table. All columns except the last are right-aligned. A name in the last column that
 * does not fit is shortened in the middle, because names differ at both ends.
 */
export function tableLines(
  heads: readonly string[],
  rows: readonly TextRow[],
  { isColoured, width }: Terminal,
): string[] {
  const last = heads.length - 1;
  const widths = heads.map((head, i) =>
    Math.max(head.length, ...rows.map(({ cells }) => cells[i].length)),
  );
  const before = widths.slice(0, last).reduce((sum, one) => sum + one + gap.length, 0);
  const left = width === undefined ? Infinity : Math.max(width - before, lastWidthMin);
  const line = ({ cells, colour }: TextRow): string => {
    const numbers = cells.slice(0, last).map((cell, i) => cell.padStart(widths[i]));
    const text = [...numbers, fit(cells[last], left)].join(gap);
    return isColoured && colour !== '' ? `\u001b[${colour}m${text}\u001b[0m` : text;
  };
  return [line({ cells: heads, colour: bold }), ...rows.map(line)];
}

const gap = '  ';
/** Minimum width of the last column, in characters. Narrower terminals wrap lines. */
const lastWidthMin = 20;

function fit(text: string, width: number): string {
  if (text.length <= width) return text;
  const end = Math.floor((width - 1) / 2);
  return `${text.slice(0, width - 1 - end)}…${text.slice(text.length - end)}`;
}

/** Units by a value's unit, from large to small, each with its size in the value's unit. */
const scales: ReadonlyMap<string, readonly (readonly [string, number])[]> = new Map([
  [
    'nanoseconds',
    [
      ['h', 3_600e9],
      ['min', 60e9],
      ['s', 1e9],
      ['ms', 1e6],
      ['µs', 1e3],
      ['ns', 1],
    ],
  ],
  [
    'bytes',
    [
      ['TiB', 2 ** 40],
      ['GiB', 2 ** 30],
      ['MiB', 2 ** 20],
      ['KiB', 2 ** 10],
      ['B', 1],
    ],
  ],
]);

/**
 * Formats a value with three significant digits and a unit. If the unit is unknown, shows all
 * digits.
 */
export function formatQuantity(value: bigint, unit: string): string {
  const units = scales.get(unit);
  if (units === undefined || value === 0n) return String(value);
  const number = Number(value);
  const found = units.find(([, size]) => Math.abs(number) >= size);
  const [name, size] = found ?? ['', 1];
  const scaled = number / size;
  const digits = Math.abs(scaled) < 10 ? 2 : Math.abs(scaled) < 100 ? 1 : 0;
  return `${scaled.toFixed(size === 1 ? 0 : digits)}${name}`;
}

/** Formats `part / whole` in percent with one decimal; "-" if `whole` is 0. */
export function formatShare(part: bigint, whole: bigint): string {
  return whole === 0n ? '-' : `${((Number(part) / Number(whole)) * 100).toFixed(1)}%`;
}

/** Like `formatQuantity`, but adds the unit to plain numbers, too. Not meant for tables. */
export function formatTotal(value: bigint, unit: string): string {
  const quantity = formatQuantity(value, unit);
  return scales.has(unit) ? quantity : `${quantity} ${printable(unit)}`;
}

/** Like `formatQuantity`, but with a plus sign before positive values. */
export function formatChange(value: bigint, unit: string): string {
  return `${value > 0n ? '+' : ''}${formatQuantity(value, unit)}`;
}
