// Values with their units as people read them: 1.2s, 340ms, 5.6MiB.
import { printable } from './text-table.ts';

/** Units from large to small, and how many of the value's own unit one is. */
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

/** Three digits and a unit; whole numbers with all their digits where the unit is not known. */
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

/** `part` of `whole` with one digit behind the point; "-" of nothing. */
export function formatShare(part: bigint, whole: bigint): string {
  return whole === 0n ? '-' : `${((Number(part) / Number(whole)) * 100).toFixed(1)}%`;
}

/** As `formatQuantity`, with the unit behind plain numbers: for values that stand alone. */
export function formatTotal(value: bigint, unit: string): string {
  const quantity = formatQuantity(value, unit);
  return scales.has(unit) ? quantity : `${quantity} ${printable(unit)}`;
}

/** As `formatQuantity`, with a plus sign where it grows. */
export function formatChange(value: bigint, unit: string): string {
  return `${value > 0n ? '+' : ''}${formatQuantity(value, unit)}`;
}
