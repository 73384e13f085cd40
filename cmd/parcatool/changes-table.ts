// The changes between two selections as a table for the terminal.
import { field, int64Of, listOf, textOf } from './client.ts';
import {
  bold,
  formatChange,
  formatQuantity,
  formatTotal,
  green,
  printable,
  red,
  tableLines,
  type Terminal,
  type TextRow,
} from './terminal.ts';

/** Headings of the two sides. */
export interface ChangesTitle {
  readonly base: string;
  readonly compared: string;
}

/** Formats an answer of /api/v1/changes that is ranked by `sort`. */
export function changesText(
  answer: unknown,
  title: ChangesTitle,
  sort: 'flat' | 'cumulative',
  terminal: Terminal,
): string {
  const unit = textOf(field(answer, 'unit'));
  const other = sort === 'flat' ? 'cumulative' : 'flat';
  const heads = ['base', 'compared', 'change', '±', 'ratio', `${other} change`, 'function'];
  const rows = listOf(field(answer, 'functions')).map((row) => rowOf(row, sort, other, unit));
  const lines = [
    sideLine('base', title.base, field(answer, 'base'), unit),
    sideLine('compared', title.compared, field(answer, 'compared'), unit),
    changeLine(answer, unit),
    '',
    ...(rows.length > 0 ? tableLines(heads, rows, terminal) : ['nothing changed beyond chance']),
    ...foldedLine(field(answer, 'more'), 'more (--top 0 shows all)', unit),
    ...foldedLine(field(answer, 'noise'), 'that may be chance', unit),
  ];
  const { isColoured } = terminal;
  const head = lines
    .slice(0, 3)
    .map((line) => (isColoured ? `\u001b[${bold}m${line}\u001b[0m` : line));
  return `${[...head, ...lines.slice(3)].join('\n')}\n`;
}

function sideLine(name: string, title: string, side: unknown, unit: string): string {
  const total = formatTotal(int64Of(field(side, 'total')), unit);
  const samples = textOf(field(side, 'samples'));
  const count = Number(field(side, 'profiles'));
  const profiles = count === 1 ? '1 profile' : `${count} profiles`;
  return `${name.padEnd(8)}  ${printable(title)}: ${total}, ${samples} samples of ${profiles}`;
}

/** Shows the scaled base, so that the columns of a row add up. */
function changeLine(answer: unknown, unit: string): string {
  const total = int64Of(field(answer, 'compared', 'total'));
  const difference = int64Of(field(answer, 'difference'));
  const base = int64Of(field(answer, 'base', 'total'));
  const scaled = total - difference;
  const factor = base === 0n ? 1 : Number(scaled) / Number(base);
  const share = scaled === 0n ? '' : `, ${formatRatio(Number(total) / Number(scaled))}`;
  const scaling = scaled === base ? '' : `; the base is scaled by ${factor.toPrecision(4)}`;
  return `${'change'.padEnd(8)}  ${formatChange(difference, unit)}${share}${scaling}`;
}

function rowOf(row: unknown, sort: string, other: string, unit: string): TextRow {
  const compared = int64Of(field(row, sort, 'compared'));
  const difference = int64Of(field(row, sort, 'difference'));
  const halfWidth = BigInt(Math.round(Number(field(row, sort, 'high')))) - difference;
  const ratio = field(row, sort, 'ratio');
  return {
    cells: [
      formatQuantity(compared - difference, unit),
      formatQuantity(compared, unit),
      formatChange(difference, unit),
      formatQuantity(halfWidth, unit),
      typeof ratio === 'number' ? formatRatio(ratio) : 'new',
      formatChange(int64Of(field(row, other, 'difference')), unit),
      printable(textOf(field(row, 'name'))),
    ],
    colour: difference > 0n ? red : green,
  };
}

function formatRatio(ratio: number): string {
  return `${ratio.toFixed(2)}x`;
}

function foldedLine(folded: unknown, what: string, unit: string): string[] {
  const count = Number(field(folded, 'functions'));
  if (!(count > 0)) return [];
  const difference = int64Of(field(folded, 'flat', 'difference'));
  return [`and ${count} ${what}: ${formatChange(difference, unit)} flat`];
}
