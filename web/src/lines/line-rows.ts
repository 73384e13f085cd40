// Makes the rows of the lines panel: lines of the source, else those with values.
import type { LinesAnswer, LineValue } from './ask-lines.ts';

/** Rows, and facts about them. */
export interface LineRows {
  readonly count: number;
  /** Number of lines that have values. */
  readonly valueCount: number;
  /** Number of lines with values after the end of the source, which is then of another version. */
  readonly pastEnd: number;
  /** Number of lines of the source that are left out. */
  readonly cut: number;
  /** Largest value of a line, for bars. */
  readonly selfMax: bigint;
  readonly totalMax: bigint;
  lineNumber(row: number): number;
  lineText(row: number): string | undefined;
  lineValue(row: number): LineValue | undefined;
  /** Returns the function of a line if the line with a value before it has another one. */
  lineFunction(row: number): string | undefined;
  /**
   * Returns the row of a line, or if it is 0, of the line with the largest value; 0 if no line has
   * a value.
   */
  rowToShow(line: number): number;
  /** Returns the next row with a value, in one direction; undefined if there is none. */
  nextValue(row: number, step: 1 | -1): number | undefined;
}

/** Most rows: browsers draw no element that is higher than some 17 million pixels. */
const rowsMax = 500_000;
/** Most characters of a line that are shown: bundles have lines of a megabyte. */
const lineLengthMax = 2_000;

export function buildLineRows({ text, values }: LinesAnswer): LineRows {
  const lines = text === '' ? undefined : splitLines(text);
  const last = lines?.length ?? Number.MAX_SAFE_INTEGER;
  const inside = values.filter(({ line }) => line <= last);
  const byLine = new Map(inside.map((value) => [value.line, value]));
  const named = new Set(
    inside.filter(({ functionName }, i) => functionName !== inside[i - 1]?.functionName),
  );
  const count = Math.min(lines?.length ?? inside.length, rowsMax);
  const findLine = (row: number) => (lines === undefined ? inside[row].line : row + 1);
  const findRow = (line: number) =>
    lines === undefined ? inside.findIndex((value) => value.line === line) : line - 1;
  const rowsWithValues = inside.map(({ line }) => findRow(line)).filter((row) => row < count);
  return {
    count,
    valueCount: inside.length,
    pastEnd: values.length - inside.length,
    cut: (lines?.length ?? inside.length) - count,
    selfMax: findMax(inside, 'self'),
    totalMax: findMax(inside, 'total'),
    lineNumber: findLine,
    lineText: (row) => lines?.[row].slice(0, lineLengthMax),
    lineValue: (row) => byLine.get(findLine(row)),
    lineFunction(row) {
      const value = byLine.get(findLine(row));
      return value !== undefined && named.has(value) ? value.functionName : undefined;
    },
    rowToShow(line) {
      const wanted = findRow(line);
      if (wanted >= 0 && wanted < count) return wanted;
      const hottest = inside.toSorted(byHeat)[0];
      return hottest === undefined ? 0 : Math.min(findRow(hottest.line), count - 1);
    },
    nextValue: (row, step) =>
      step === 1
        ? rowsWithValues.find((other) => other > row)
        : rowsWithValues.findLast((other) => other < row),
  };
}

/** A line feed at the end of the source ends its last line. */
function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Orders lines by self, then by total, the largest first. */
function byHeat(a: LineValue, b: LineValue): number {
  if (a.self !== b.self) return a.self < b.self ? 1 : -1;
  return a.total < b.total ? 1 : -1;
}

function findMax(values: readonly LineValue[], column: 'self' | 'total'): bigint {
  return values.reduce((max, value) => (value[column] > max ? value[column] : max), 0n);
}
