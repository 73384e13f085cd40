// Converts links from Parca's page, so that old links work.
import { profileTypeOfQuery, withIncrease } from '../language/query-text.ts';
import type { Span } from '../rpc/api.ts';
import { stagesOfParca } from './parca-stages.ts';
import { defaultRange, fixedRange, lastMillis } from './time-range.ts';
import { parseUrl, printUrl, type UrlState } from './url-state.ts';

/** Parca's parameters with an equivalent; others are dropped. */
const parcaKeys = [
  'expression',
  'time_selection',
  'from',
  'to',
  'merge_from',
  'merge_to',
  'sum_by',
  'selection',
  'dashboard_items',
  'search_string',
  'source_filename',
  'source_buildid',
  'source_line',
  'compare',
  'compare_absolute',
  'group_by',
  'invert_call_stack',
  'profile_filters',
  'sandwich_function_name',
];

const minuteMillis: ReadonlyMap<string, number> = new Map([
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
]);

const scales: ReadonlyMap<string, UrlState['scale']> = new Map([
  ['true', 'amount'],
  ['false', 'share'],
]);

/** Returns the query part of the equivalent URL; undefined if it is not a link from Parca. */
export function fromParcaUrl(search: string): string | undefined {
  const params = new URLSearchParams(search);
  // Parca names its queries `_a` and `_b` in a comparison.
  const readSide = (side: string) => (key: string) =>
    params.get(`${key}_${side}`) ?? params.get(key) ?? '';
  const before = readSide('a');
  if (before('expression') === '') return undefined;
  const isCompared = params.has('expression_b') && params.get('compare_b') !== 'false';
  // The range comes from the second side; the first side gets an offset.
  const read = isCompared ? readSide('b') : before;
  const times = isCompared ? unequalTimes(before, read) : undefined;
  const range = times?.range ?? readRange(read('time_selection'), read('from'), read('to'));
  const selection = times ? undefined : readSelection(read('merge_from'), read('merge_to'));
  const [beforeText, text] = times?.texts ?? [offsetText(before, read), ''];
  const query = isCompared
    ? `diff(${before('expression')}${beforeText}, ${read('expression')}${text})`
    : before('expression');
  const type = profileTypeOfQuery(query);
  const state: UrlState = {
    ...parseUrl('').state,
    query: (isCompared ? query : withIncrease(query, type)) + stagesOfParca(read),
    from: range.from,
    to: range.to,
    search: read('search_string'),
    scale: scales.get(params.get('compare_absolute') ?? '') ?? 'auto',
    ...readSource(read('source_filename'), read('source_buildid'), read('source_line')),
    selection,
    ...(read('sum_by') === '' ? {} : { sumBy: readSumBy(read('sum_by')) }),
  };
  const ours = [...params].filter(([key]) => !parcaKeys.includes(key.replace(/_[ab]$/, '')));
  return printUrl(
    state,
    ours.filter(([key]) => !parcaKeys.includes(key)),
  );
}

type ReadParameter = (key: string) => string;

/**
 * Returns the range of both sides, and ` @ 1764000000 to 1764000060` for each, if both have fixed
 * times of different length.
 */
function unequalTimes(before: ReadParameter, now: ReadParameter) {
  const [first, second] = [before, now].map(toSpan);
  if (first === undefined || second === undefined) return undefined;
  if (first.to - first.from === second.to - second.from) return undefined;
  const [from, to] = [Math.min(first.from, second.from), Math.max(first.to, second.to)];
  const texts = [first, second].map((span) => ` @ ${span.from / 1_000} to ${span.to / 1_000}`);
  return { range: fixedRange(from, to), texts };
}

/** Returns ` offset 60s` if the first side begins a minute before the second side. */
function offsetText(before: ReadParameter, now: ReadParameter): string {
  const [start, reference] = [before, now].map((read) => toSpan(read)?.from);
  if (start === undefined || reference === undefined || start === reference) return '';
  return ` offset ${Math.round((reference - start) / 1_000)}s`;
}

/** Returns the time range of a side in milliseconds; undefined for a relative range. */
function toSpan(read: ReadParameter): Span | undefined {
  const selection = readSelection(read('merge_from'), read('merge_to'));
  if (selection !== undefined) return selection;
  const { from, to } = readRange(read('time_selection'), read('from'), read('to'));
  if (from.kind !== 'absolute' || to.kind !== 'absolute') return undefined;
  return { from: from.millis, to: to.millis };
}

function readRange(selection: string, from: string, to: string) {
  const relative = /^relative:(\w+)\|(\d+)$/.exec(selection);
  const unit = relative === null ? undefined : minuteMillis.get(relative[1]);
  if (relative !== null && unit !== undefined) return lastMillis(unit * Number(relative[2]));
  const absolute = /^absolute:(\d+)-(\d+)$/.exec(selection);
  if (absolute !== null) return fixedRange(Number(absolute[1]), Number(absolute[2]));
  const fixed = /^\d+$/.test(from) && /^\d+$/.test(to);
  return fixed ? fixedRange(Number(from), Number(to)) : defaultRange;
}

/** Reads the ends of a selection, which Parca writes in nanoseconds. */
function readSelection(from: string, to: string) {
  if (!/^\d{1,19}$/.test(from) || !/^\d{1,19}$/.test(to)) return undefined;
  const [start, end] = [from, to].map((nanos) => Number(BigInt(nanos) / 1_000_000n));
  return start <= end ? { from: start, to: end } : undefined;
}

function readSource(file: string, build: string, line: string) {
  if (file === '') return {};
  return { file, build, line: /^\d{1,9}$/.test(line) ? Number(line) : 0, panel: 'lines' as const };
}

function readSumBy(text: string): readonly string[] {
  return text === '__none__' ? [] : text.split(',').filter((name) => name !== '');
}
