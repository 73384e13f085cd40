// Tables for the terminal: aligned columns that fit its width, colours for people.

/** What output looks like where it goes to. */
export interface Terminal {
  readonly isColoured: boolean;
  /** Columns; undefined: lines may be as long as they are. */
  readonly width: number | undefined;
}

/** A pipe or a file. */
export const plainTerminal: Terminal = { isColoured: false, width: undefined };

/** How a line stands out (ANSI SGR). */
export const bold = '1';
export const red = '31';
export const green = '32';
export const yellow = '33';

export interface TextRow {
  readonly cells: readonly string[];
  /** "" = as it is. */
  readonly colour: string;
}

/**
 * Lines of a table: right-aligned columns but the last one, which is cut in its middle where it
 * does not fit, as names differ at both ends.
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
/** Narrower than this a name says nothing: lines are wrapped instead. */
const lastWidthMin = 20;

function fit(text: string, width: number): string {
  if (text.length <= width) return text;
  const end = Math.floor((width - 1) / 2);
  return `${text.slice(0, width - 1 - end)}…${text.slice(text.length - end)}`;
}

/** Names come from whoever sends profiles: none may steer the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\ufffd');
}
