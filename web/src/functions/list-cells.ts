// Formats the numbers in the function list by column and unit.
import type { Explore } from '../answers/use-explore.ts';
import { columnUnit, perSecond } from '../format/column-unit.ts';
import { formatRate, formatTotal } from '../format/measure.ts';
import { formatCount, formatPercent } from '../format/numbers.ts';
import { isDiff } from '../language/query-text.ts';
import type { AnswerSide } from '../tree/tree-messages.ts';
import type { UrlState } from '../url/url-state.ts';
import type { SideWeights } from './use-list-rows.ts';

/** Values of a function in a row. */
export interface ListRow {
  readonly name: string;
  readonly self: bigint;
  /** In a diff, self value of the base. */
  readonly total: bigint;
  readonly file: string;
  readonly binary: string;
  /** True if the function's kind, package or binary is dimmed. */
  readonly isDim: boolean;
}

/** Returns B minus A in the unit of the list: percentage points, a rate or a sum. */
function formatDifference(
  { self, total }: ListRow,
  now: AnswerSide,
  before: AnswerSide,
  unit: UrlState['unit'],
  measure: Explore['measure'],
): string {
  const signed = (value: number, text: string) =>
    `${value > 0 ? '+' : value < 0 ? '\u2212' : ''}${text}`;
  if (unit === 'percent') {
    const points = computeShare(self, now.total) - computeShare(total, before.total);
    return signed(points, formatPercent(Math.abs(points)).replace('%', 'pp'));
  }
  if (unit === 'total') {
    const sum = self - total;
    return signed(Number(sum), formatTotal(sum < 0n ? -sum : sum, measure));
  }
  const rate = perSecond(self, measure, now.coverage) - perSecond(total, measure, before.coverage);
  const { unit: name, text } = columnUnit(Math.abs(rate), measure);
  return signed(rate, `${text(Math.abs(rate))}\u202f${name}`);
}

/** Returns a function that formats a row's number in a column. */
export function formatNumbers(
  explore: Explore,
  unit: UrlState['unit'],
  whole: bigint,
): (column: string, row: ListRow) => string {
  const { measure, coverage, query } = explore;
  const now = { total: whole, coverage };
  const before = (isDiff(query) ? explore.icicle.value?.baseSide : undefined) ?? now;
  const cell = (value: bigint, side: AnswerSide): string => {
    const rate = unit === 'rate' ? formatRate(value, measure, side.coverage) : undefined;
    if (rate !== undefined) return rate;
    if (unit === 'total') return formatTotal(value, measure);
    return formatPercent(computeShare(value, side.total));
  };
  return (column, row) => {
    if (column === 'self' || column === 'b') return cell(row.self, now);
    if (column === 'total' || column === 'a') return cell(row.total, before);
    if (column === 'share') return formatPercent(computeShare(row.total, whole));
    if (column === 'difference') return formatDifference(row, now, before, unit, measure);
    return formatSamples(row.self, explore);
  };
}

/** Returns the weights of both sides for `difference`. */
export function computeWeights(
  { top, icicle, coverage, measure }: Explore,
  unit: UrlState['unit'],
): SideWeights {
  const whole = top.value?.whole ?? 0n;
  const now = { total: whole, coverage };
  const sideWeight = (side: AnswerSide): number => {
    if (unit === 'percent') return side.total > 0n ? 1 / Number(side.total) : 0;
    return unit === 'total' ? 1 : perSecond(1_000_000_000n, measure, side.coverage);
  };
  return { now: sideWeight(now), before: sideWeight(icicle.value?.baseSide ?? now) };
}

/** Formats the number of samples in a value; it is unknown if samples have different values. */
function formatSamples(value: bigint, { coverage, measure }: Explore): string {
  const isKnown = coverage.period > 0 && measure.delta && measure.sampled;
  return isKnown ? formatCount(Math.floor(Number(value) / coverage.period)) : '–';
}

/** Returns a value as a fraction of a total. */
export function computeShare(value: bigint, total: bigint): number {
  return total > 0n ? Number(value) / Number(total) : 0;
}
