// Formats functions as a table for a terminal, or as JSON.
import { counted } from '../../../src/base/text/counted.ts';
import { formatDuration } from '../../../src/base/text/duration.ts';
import { printable } from '../../../src/base/printable.ts';
import {
  formatQuantity,
  formatShare,
  formatTotal,
  red,
  tableLines,
  type Terminal,
  yellow,
} from './terminal.ts';

/** A function or a line, with exact values. */
export interface TopRow {
  readonly name: string;
  /** Source file; "" = unknown. */
  readonly file: string;
  /** Line in the file; 0 if it is unknown, absent in a table of functions. */
  readonly line?: number;
  readonly flat: bigint;
  readonly cumulative: bigint;
}

export interface TopAnswer {
  readonly query: string;
  /** Range as RFC 3339. */
  readonly from: string;
  readonly to: string;
  readonly unit: string;
  readonly total: bigint;
  /** Number of merged profiles. */
  readonly profiles: number;
  /** Time covered by the profiles; 0 for states. */
  readonly coveredNanos: bigint;
  /** True if values are averages, because sums would be meaningless. */
  readonly isAverage: boolean;
  /** Largest functions or lines, or all of them. */
  readonly rows: readonly TopRow[];
  /** Number of functions or lines, including functions or lines without a row. */
  readonly functionCount: number;
}

export interface TopOptions {
  /** Meaning of a row; default is a function. */
  readonly by?: 'function' | 'line';
  readonly sort: 'flat' | 'cumulative';
  /** Maximum number of rows; 0 = all. */
  readonly rowsMax: number;
}

/** Colours of rows, each with the smallest share of the total that has this colour. */
const highlights = [
  { shareMin: 0.2, colour: red },
  { shareMin: 0.05, colour: yellow },
] as const;

const heads = ['flat', 'flat%', 'cumulative', 'cum%'];

/** Formats the response as lines below `title`. */
export function topText(
  title: string,
  answer: TopAnswer,
  options: TopOptions,
  terminal: Terminal,
): string {
  const { unit, total } = answer;
  const rows = topRows(answer, options);
  const cells = rows.map((row) => ({
    cells: [
      formatQuantity(row.flat, unit),
      formatShare(row.flat, total),
      formatQuantity(row.cumulative, unit),
      formatShare(row.cumulative, total),
      printable(formatLine(row)),
    ],
    colour: chooseColour(row[options.sort], total),
  }));
  const lines = [
    printable(title),
    `${rangeText(answer)}, ${answer.isAverage ? 'average' : 'total'} ${formatTotal(total, unit)}`,
    coverageText(answer),
    '',
    ...tableLines([...heads, options.by ?? 'function'], cells, terminal),
  ];
  const hidden = answer.functionCount - rows.length;
  if (hidden > 0) lines.push(`and ${hidden} more (--top 0 shows all)`);
  return `${lines.join('\n')}\n`;
}

/**
 * Formats a function, or a line as `file.go:12 main.work`. The position comes first, because long
 * names are shortened.
 */
function formatLine({ name, file, line }: TopRow): string {
  if (line === undefined) return name;
  const place = file === '' ? '' : file.slice(file.lastIndexOf('/') + 1);
  return line === 0 ? name : `${place}:${line} ${name}`;
}

function rangeText({ from, to }: TopAnswer): string {
  if (from === to) return `taken ${from}`;
  const millis = Date.parse(to) - Date.parse(from);
  return `${from} to ${to} (${formatDuration(Math.round(millis / 1_000) * 1_000)})`;
}

/** Formats the number of profiles, the time that they cover, and the total per second. */
function coverageText({ profiles, coveredNanos, isAverage, total, unit }: TopAnswer): string {
  const count = counted(profiles, 'profile');
  if (coveredNanos > 0n) {
    const perSecond = BigInt(Math.round((Number(total) * 1e9) / Number(coveredNanos)));
    const covered = formatQuantity(coveredNanos, 'nanoseconds');
    return `${count} covering ${covered}, ${formatTotal(perSecond, unit)} a second`;
  }
  return isAverage ? `${count}, values are averages over their time` : count;
}

/** Returns the colour of a row by its share of the total; "" = none. */
export function chooseColour(value: bigint, total: bigint): string {
  const share = total === 0n ? 0 : Number(value) / Number(total);
  return highlights.find(({ shareMin }) => share >= shareMin)?.colour ?? '';
}

/** Formats the response as JSON. Values of type int64 are strings, as in the API. */
export function topJson(answer: TopAnswer, options: TopOptions): string {
  const functions = topRows(answer, options).map((row) => ({
    ...row,
    flat: String(row.flat),
    cumulative: String(row.cumulative),
  }));
  const { rows: _rows, ...head } = answer;
  const { total, coveredNanos } = head;
  const texts = { total: String(total), coveredNanos: String(coveredNanos) };
  const body = { ...head, ...texts, functions };
  return `${JSON.stringify(body, undefined, 2)}\n`;
}

function topRows({ rows }: TopAnswer, { sort, rowsMax }: TopOptions): readonly TopRow[] {
  const sorted = rows.toSorted((a, b) => {
    if (a[sort] !== b[sort]) return a[sort] < b[sort] ? 1 : -1;
    if (a.name !== b.name) return a.name < b.name ? -1 : 1;
    return (a.line ?? 0) - (b.line ?? 0);
  });
  return rowsMax === 0 ? sorted : sorted.slice(0, rowsMax);
}
