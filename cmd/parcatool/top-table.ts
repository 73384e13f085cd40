// The functions of an answer as a table for the terminal, or as JSON.
import { formatQuantity, formatShare } from './quantity.ts';

/** One function; values are exact. */
export interface TopRow {
  readonly name: string;
  /** Source file, "" = unknown. */
  readonly file: string;
  readonly flat: bigint;
  readonly cumulative: bigint;
}

export interface TopAnswer {
  readonly query: string;
  /** RFC 3339. */
  readonly from: string;
  readonly to: string;
  readonly unit: string;
  readonly total: bigint;
  /** Every function of the answer. */
  readonly rows: readonly TopRow[];
}

export interface TopOptions {
  readonly sort: 'flat' | 'cumulative';
  /** Most rows to show, 0 = all. */
  readonly rowsMax: number;
}

/** Shares from which a row stands out, and how (ANSI SGR). */
const highlights = [
  { shareMin: 0.2, code: '31' },
  { shareMin: 0.05, code: '33' },
] as const;

/** The answer as lines of text; with colours only where `isColoured`. */
export function topText(answer: TopAnswer, options: TopOptions, isColoured: boolean): string {
  const { query, from, to, unit, total } = answer;
  const rows = topRows(answer, options);
  const paint = (code: string, text: string): string =>
    isColoured ? `\u001b[${code}m${text}\u001b[0m` : text;
  const cells = rows.map(({ name, flat, cumulative }) => [
    formatQuantity(flat, unit),
    formatShare(flat, total),
    formatQuantity(cumulative, unit),
    formatShare(cumulative, total),
    printable(name),
  ]);
  const head = ['flat', 'flat%', 'cumulative', 'cum%', 'function'];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column].length)),
  );
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => (column === 4 ? cell : cell.padStart(widths[column]))).join('  ');
  const lines = [
    printable(query),
    `${from} to ${to}, total ${formatQuantity(total, unit)}${plainUnit(unit)}`,
    '',
    paint('1', line(head)),
    ...cells.map((row, i) => {
      const share = total === 0n ? 0 : Number(rows[i][options.sort]) / Number(total);
      const found = highlights.find(({ shareMin }) => share >= shareMin);
      return found === undefined ? line(row) : paint(found.code, line(row));
    }),
  ];
  const hidden = answer.rows.length - rows.length;
  if (hidden > 0) lines.push(`and ${hidden} more (--top 0 shows all)`);
  return `${lines.join('\n')}\n`;
}

/** The same as JSON; int64 as text, as in the API. */
export function topJson(answer: TopAnswer, options: TopOptions): string {
  const functions = topRows(answer, options).map((row) => ({
    ...row,
    flat: String(row.flat),
    cumulative: String(row.cumulative),
  }));
  const { rows, ...head } = answer;
  const functionCount = rows.length;
  const body = { ...head, total: String(answer.total), functionCount, functions };
  return `${JSON.stringify(body, undefined, 2)}\n`;
}

function topRows({ rows }: TopAnswer, { sort, rowsMax }: TopOptions): readonly TopRow[] {
  const sorted = rows.toSorted((a, b) => {
    if (a[sort] !== b[sort]) return a[sort] < b[sort] ? 1 : -1;
    return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
  });
  return rowsMax === 0 ? sorted : sorted.slice(0, rowsMax);
}

/** Names come from whoever sends profiles: none may steer the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\ufffd');
}

function plainUnit(unit: string): string {
  return unit === 'nanoseconds' || unit === 'bytes' ? '' : ` ${printable(unit)}`;
}
