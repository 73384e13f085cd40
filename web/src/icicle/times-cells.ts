// Cells of a heatmap. A column is a second or a minute; time runs downwards in it.

/** One line of the answer with its non-zero buckets. */
export interface TimesLine {
  readonly labels: Readonly<Record<string, string>>;
  readonly total: string;
  readonly buckets: readonly number[];
  readonly values: readonly string[];
}

/** Answer of `heatmap`. */
export interface TimesAnswer {
  readonly unit: string;
  readonly start: string;
  readonly stepMillis: number;
  readonly columnMillis: number;
  readonly lines: readonly TimesLine[];
  readonly more: { readonly lines: number; readonly total: string };
  readonly untimed: string;
  readonly warnings: readonly string[];
}

/** Cells in columns and rows; bucket b is in column b / rows, row b % rows. */
export interface Grid {
  readonly startMillis: number;
  readonly stepMillis: number;
  readonly columns: number;
  readonly rows: number;
}

/** Times in milliseconds, both ends included. */
export interface Times {
  readonly from: number;
  readonly to: number;
}

/** Returns the grid for an answer whose range ends at `to`; with `isFlat`, it has a single row. */
export function makeGrid(
  { start, stepMillis, columnMillis }: Pick<TimesAnswer, 'start' | 'stepMillis' | 'columnMillis'>,
  to: number,
  isFlat: boolean,
): Grid {
  const startMillis = Date.parse(start);
  const rows = isFlat ? 1 : Math.max(1, Math.round(columnMillis / stepMillis));
  const buckets = Math.floor((to - startMillis) / stepMillis) + 1;
  return { startMillis, stepMillis, columns: Math.max(1, Math.ceil(buckets / rows)), rows };
}

/** Possible lengths of cells in milliseconds; each divides a second. */
const cellMillis = [20, 40, 100, 200, 500] as const;

/**
 * Sums up the buckets of an answer whose columns are seconds, so that cells are longer than the
 * sampling period. Otherwise, most cells would be empty, which would look like stripes. The
 * smallest value is taken as the period.
 */
export function fillCells(answer: TimesAnswer): TimesAnswer {
  const { unit, stepMillis, lines } = answer;
  if (unit !== 'nanoseconds' || stepMillis !== cellMillis[0]) return answer;
  const values = lines.flatMap((line) => line.values.map(Number));
  const period = values.reduce((least, value) => Math.min(least, value), Infinity) / 1e6;
  const step = cellMillis.find((millis) => millis >= period * 1.5);
  if (step === undefined || step === stepMillis) return answer;
  return { ...answer, stepMillis: step, lines: lines.map((line) => joinCells(line, step)) };
}

function joinCells(line: TimesLine, step: number): TimesLine {
  const sums = new Map<number, bigint>();
  line.buckets.forEach((bucket, i) => {
    const joined = Math.floor((bucket * cellMillis[0]) / step);
    sums.set(joined, (sums.get(joined) ?? 0n) + BigInt(line.values[i]));
  });
  return { ...line, buckets: [...sums.keys()], values: Array.from(sums.values(), String) };
}

/** Returns the bucket at a position, given as fractions of width and height. */
export function bucketAt({ columns, rows }: Grid, x: number, y: number): number {
  const column = Math.min(columns - 1, Math.max(0, Math.floor(x * columns)));
  const row = Math.min(rows - 1, Math.max(0, Math.floor(y * rows)));
  return column * rows + row;
}

/** Returns the time range of all buckets from one bucket to another, in any order. */
export function timesBetween({ startMillis, stepMillis }: Grid, a: number, b: number): Times {
  const [first, last] = a < b ? [a, b] : [b, a];
  return {
    from: startMillis + first * stepMillis,
    to: startMillis + (last + 1) * stepMillis - 1,
  };
}

/** Returns the first and last bucket of a time range within the grid. */
export function toBuckets(grid: Grid, { from, to }: Times): readonly [first: number, last: number] {
  const { startMillis, stepMillis, columns, rows } = grid;
  const last = columns * rows - 1;
  const bucket = (time: number) =>
    Math.min(last, Math.max(0, Math.floor((time - startMillis) / stepMillis)));
  return [bucket(from), bucket(to)];
}

/** Returns the bucket after a movement key; undefined for other keys. */
export function moveBucket(
  { columns, rows }: Grid,
  bucket: number,
  key: string,
): number | undefined {
  const steps = new Map([
    ['ArrowUp', -1],
    ['ArrowDown', 1],
    ['ArrowLeft', -rows],
    ['ArrowRight', rows],
  ]);
  if (key === 'Home') return 0;
  if (key === 'End') return columns * rows - 1;
  const step = steps.get(key);
  const next = bucket + (step ?? 0);
  return step === undefined ? undefined : Math.min(columns * rows - 1, Math.max(0, next));
}

/**
 * Returns the opacity of a value relative to the largest value, from 0 to 1; half of the largest
 * value is clearly visible.
 */
export function strength(value: number, largest: number): number {
  return largest <= 0 || value <= 0 ? 0 : 0.15 + 0.85 * Math.sqrt(value / largest);
}
