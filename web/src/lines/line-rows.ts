// Creates the rows of the lines panel: all lines of the source, or only lines with values if there
// is no source.
import type { LinesAnswer, LineValue } from './ask-lines.ts';

/** Rows, and data about them. */
export interface LineRows {
  readonly count: number;
  /** Number of lines with values. */
  readonly valueCount: number;
  /**
   * Number of lines with values after the end of the source. If it is not 0, the source is another
   * version.
   */
  readonly pastEnd: number;
  /** Number of source lines that were omitted. */
  readonly cut: number;
  /** Largest value of a line, for scaling the bars. */
  readonly selfMax: bigint;
  readonly totalMax: bigint;
  lineNumber(row: number): number;
  lineText(row: number): string | undefined;
  lineValue(row: number): LineValue | undefined;
  /**
   * Returns the function of a line; undefined if the previous line with a value has the same
   * function.
   */
  lineFunction(row: number): string | undefined;
  /** Returns the function of a line, or of the last line with a value before it; "" if unknown. */
  functionAt(line: number): string;
  /**
   * Returns the row of a line; for line 0, the row with the largest value; 0 if there is no such
   * row.
   */
  rowToShow(line: number): number;
  /** Returns the next row with a value in a direction; undefined if there is none. */
  nextValue(row: number, step: 1 | -1): number | undefined;
}

/**
 * Maximum number of rows, because browsers limit the height of an element to about 17 million
 * pixels.
 */
const rowsMax = 500_000;
/** Maximum number of characters in a line, because bundles have lines of a megabyte. */
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
    functionAt: (line) =>
      (inside.findLast((value) => value.line <= line) ?? inside.at(0))?.functionName ?? '',
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

/** Splits a source into lines; a line feed at its end does not start another line. */
function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Compares lines by self value, then by total value, largest first. */
function byHeat(a: LineValue, b: LineValue): number {
  if (a.self !== b.self) return a.self < b.self ? 1 : -1;
  return a.total < b.total ? 1 : -1;
}

function findMax(values: readonly LineValue[], column: 'self' | 'total'): bigint {
  return values.reduce((max, value) => (value[column] > max ? value[column] : max), 0n);
}
