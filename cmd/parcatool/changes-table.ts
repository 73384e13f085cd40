// Formats the changes between two selections as a table for a terminal.
import { counted } from '../../src/base/text/counted.ts';
import { printable } from '../../src/base/printable.ts';
import { divided, field, readInt64, readList, readString } from './shared/client.ts';
import {
  bold,
  formatChange,
  formatQuantity,
  formatTotal,
  green,
  red,
  tableLines,
  type Terminal,
  type TextRow,
} from './shared/terminal.ts';

/** Headings of both sides. */
export interface ChangesTitle {
  readonly base: string;
  readonly compared: string;
}

/** Options for showing changes. */
export interface ChangesLook {
  /** Measure by which the response is sorted. */
  readonly sort: 'flat' | 'cumulative';
  /** True to show averages, because sums of snapshots are meaningless. */
  readonly areAverages: boolean;
}

/** Formats a response of /api/v1/changes. */
export function changesText(
  summed: unknown,
  title: ChangesTitle,
  { sort, areAverages }: ChangesLook,
  terminal: Terminal,
): string {
  const answer = areAverages ? readAverages(summed) : summed;
  const unit = readString(field(answer, 'unit'));
  const other = sort === 'flat' ? 'cumulative' : 'flat';
  const heads = ['base', 'compared', 'change', '±', 'ratio', `${other} change`, 'function'];
  const rows = readList(field(answer, 'functions')).map((row) => toRow(row, sort, other, unit));
  const lines = [
    sideLine('base', title.base, field(answer, 'base'), unit),
    sideLine('compared', title.compared, field(answer, 'compared'), unit),
    changeLine(answer, unit),
    ...sentenceLine(field(answer, 'sentence')),
    '',
    ...(rows.length > 0
      ? tableLines(heads, rows, terminal)
      : ['no function changed beyond chance']),
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
  const total = formatTotal(readInt64(field(side, 'total')), unit);
  const samples = counted(readInt64(field(side, 'samples')), 'sample');
  const profiles = counted(Number(field(side, 'profiles')), 'profile');
  const isAverage = field(side, 'isAverage') === true;
  const made = isAverage ? `the average of ${profiles}` : `${samples} of ${profiles}`;
  return `${name.padEnd(8)}  ${printable(title)}: ${total}, ${made}`;
}

/**
 * Fields whose values are divided by the number of snapshots on the compared side, because these
 * values are already scaled to that side.
 */
const dividedByCompared = new Set(['compared', 'difference', 'low', 'high']);

/** Returns the response with averages of snapshots instead of sums. */
export function readAverages(answer: unknown): object {
  const snapshots = (side: 'base' | 'compared'): number =>
    Number(field(answer, side, 'snapshots')) || 1;
  const [base, compared] = [snapshots('base'), snapshots('compared')];
  const average = (value: unknown, divisor: number): string | number =>
    typeof value === 'number' ? value / divisor : String(divided(readInt64(value), divisor));
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => {
        const isValue = typeof one === 'string' || typeof one === 'number';
        if (isValue && dividedByCompared.has(name)) return [name, average(one, compared)];
        if (isValue && name === 'base') return [name, average(one, base)];
        return [name, walk(one)];
      }),
    );
  };
  const readSide = (side: 'base' | 'compared', divisor: number): object => ({
    profiles: field(answer, side, 'profiles'),
    samples: field(answer, side, 'samples'),
    total: average(field(answer, side, 'total'), divisor),
    isAverage: true,
  });
  const lists = Object.fromEntries(
    ['functions', 'more', 'noise'].map((name) => [name, walk(field(answer, name))]),
  );
  return {
    ...lists,
    sentence: field(answer, 'sentence'),
    unit: field(answer, 'unit'),
    difference: average(field(answer, 'difference'), compared),
    base: readSide('base', base),
    compared: readSide('compared', compared),
  };
}

/**
 * Largest relative difference between the base and the scaled base that counts as a rounding error.
 */
const roundingMax = 1e-4;

/**
 * Formats the change of the total. Shows the scaled base, so that the numbers in the rows add up.
 */
function changeLine(answer: unknown, unit: string): string {
  const total = readInt64(field(answer, 'compared', 'total'));
  const difference = readInt64(field(answer, 'difference'));
  const base = readInt64(field(answer, 'base', 'total'));
  const scaled = total - difference;
  const factor = base === 0n ? 1 : Number(scaled) / Number(base);
  const share = scaled === 0n ? '' : `, ${formatRatio(Number(total) / Number(scaled))}`;
  const isScaled = Math.abs(factor - 1) > roundingMax;
  const scaling = isScaled ? `; ${scaleText(answer)} by ${factor.toPrecision(4)}` : '';
  return `${'change'.padEnd(8)}  ${formatChange(difference, unit)}${share}${scaling}`;
}

/** Returns the sentence about the cause of the change; empty if a side has no profiles. */
function sentenceLine(parts: unknown): string[] {
  const words = readList(parts).map((part) => {
    const kind = readString(field(part, 'kind'));
    return kind === 'compared' || kind === 'base' ? kind : readString(field(part, 'text'));
  });
  return words.length === 0 ? [] : [printable(words.join('').replaceAll('\u202f', ' '))];
}

function scaleText(answer: unknown): string {
  const by = readString(field(answer, 'scale', 'by'));
  const count = Number(field(answer, 'scale', 'load', 'functions') ?? 0);
  return by === 'load'
    ? `the base is scaled to the load of the other side, the median of ${count} functions,`
    : 'the base is scaled';
}

function toRow(row: unknown, sort: string, other: string, unit: string): TextRow {
  const compared = readInt64(field(row, sort, 'compared'));
  const difference = readInt64(field(row, sort, 'difference'));
  const halfWidth = BigInt(Math.round(Number(field(row, sort, 'high')))) - difference;
  const ratio = field(row, sort, 'ratio');
  return {
    cells: [
      formatQuantity(compared - difference, unit),
      formatQuantity(compared, unit),
      formatChange(difference, unit),
      formatQuantity(halfWidth, unit),
      typeof ratio === 'number' ? formatRatio(ratio) : 'new',
      formatChange(readInt64(field(row, other, 'difference')), unit),
      printable(readString(field(row, 'name'))),
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
  const difference = readInt64(field(folded, 'flat', 'difference'));
  return [`and ${count} ${what}: ${formatChange(difference, unit)} flat`];
}
