// The functions of an answer as a table for the terminal, or as JSON.
import { formatQuantity, formatShare, formatTotal } from './quantity.ts';
import { printable, red, tableLines, yellow } from './text-table.ts';
import type { Terminal } from './text-table.ts';

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

/** Shares from which a row stands out, and how. */
const highlights = [
  { shareMin: 0.2, colour: red },
  { shareMin: 0.05, colour: yellow },
] as const;

const heads = ['flat', 'flat%', 'cumulative', 'cum%', 'function'];

/** The answer as lines of text, below `title`. */
export function topText(
  title: string,
  answer: TopAnswer,
  options: TopOptions,
  terminal: Terminal,
): string {
  const { from, to, unit, total } = answer;
  const rows = topRows(answer, options);
  const cells = rows.map((row) => ({
    cells: [
      formatQuantity(row.flat, unit),
      formatShare(row.flat, total),
      formatQuantity(row.cumulative, unit),
      formatShare(row.cumulative, total),
      printable(row.name),
    ],
    colour: colourOf(row[options.sort], total),
  }));
  const lines = [
    printable(title),
    `${from} to ${to}, total ${formatTotal(total, unit)}`,
    '',
    ...tableLines(heads, cells, terminal),
  ];
  const hidden = answer.rows.length - rows.length;
  if (hidden > 0) lines.push(`and ${hidden} more (--top 0 shows all)`);
  return `${lines.join('\n')}\n`;
}

function colourOf(value: bigint, total: bigint): string {
  const share = total === 0n ? 0 : Number(value) / Number(total);
  return highlights.find(({ shareMin }) => share >= shareMin)?.colour ?? '';
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
