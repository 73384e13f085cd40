// Links made by Parca's own page: read once and rewritten, so that old links open.
import { profileTypeOfQuery, withIncrease } from '../language/query-text.ts';
import { defaultRange, fixedRange, lastMillis } from './time-range.ts';
import { parseUrl, printUrl, type UrlState } from './url-state.ts';

/** Parca's parameters that have a meaning here; others are dropped. */
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
];

const minuteMillis: ReadonlyMap<string, number> = new Map([
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
]);

/** The query part of the same view here; undefined when this is no link of Parca's. */
export function fromParcaUrl(search: string): string | undefined {
  const params = new URLSearchParams(search);
  // Parca numbers its queries `_a` and `_b` when comparing; the first one is shown.
  const read = (key: string) => params.get(key) ?? params.get(`${key}_a`) ?? '';
  const expression = read('expression');
  if (expression === '') return undefined;
  const range = readRange(read('time_selection'), read('from'), read('to'));
  const state: UrlState = {
    ...parseUrl('').state,
    query: withIncrease(expression, profileTypeOfQuery(expression)),
    from: range.from,
    to: range.to,
    search: read('search_string'),
    ...readSource(read('source_filename'), read('source_buildid'), read('source_line')),
    selection: readSelection(read('merge_from'), read('merge_to')),
    ...(read('sum_by') === '' ? {} : { sumBy: readSumBy(read('sum_by')) }),
  };
  const ours = [...params].filter(([key]) => !parcaKeys.includes(key.replace(/_[ab]$/, '')));
  return printUrl(state, ours);
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

/** Parca gives nanoseconds. */
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
