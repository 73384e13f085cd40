// Random questions about random worlds: as the engine is asked, and as the naive evaluation is.
import type { FrameCriteria, NumberCondition, TextCondition } from '../../report/frame-criteria.ts';
import type { StackView } from '../../report/stack-view.ts';
import type { TimeRange } from '../../storage/interface.ts';
import type { ProfileSelector, RangeQuestion, ReportQuestion } from '../interface.ts';
import type { OracleQuestion } from './oracle-report.ts';
import { labelOf } from './oracle-select.ts';
import type { OracleMatcher, OracleProfile, OracleSelector } from './oracle-select.ts';
import type { RandomBelow } from './random-rows.ts';
import { randomTypes } from './random-store.ts';

const second = 1_000_000_000n;
const milli = 1_000_000n;
const hour = 3_600n * second;
const whole: TimeRange = { from: 0n, to: 10_000_000n * second };
const labelNames = ['job', 'instance', 'thread', 'absent'];

/** A selection in both forms. */
interface RandomSelection {
  readonly select: ProfileSelector;
  readonly selector: OracleSelector;
}

export interface RandomReport {
  readonly question: ReportQuestion & { readonly report: RandomKind };
  readonly oracle: OracleQuestion;
}

export interface RandomRange {
  readonly question: RangeQuestion;
  readonly selector: OracleSelector;
}

function pick<T>(random: RandomBelow, values: readonly T[]): T {
  return values[random(values.length)];
}

function listOf<T>(random: RandomBelow, lengthMax: number, make: () => T): T[] {
  return Array.from({ length: random(lengthMax + 1) }, make);
}

const kinds = [
  'flame-graph',
  'flame-graph',
  'top',
  'table',
  'profile',
  'nested-flame-graph',
  'flame-graph-table',
  'call-graph',
] as const;

/** Reports that are asked for. */
export type RandomKind = (typeof kinds)[number];

/** Those by function name, or of whole stacks, whatever they are grouped by. */
const tables: ReadonlySet<RandomKind> = new Set(['top', 'table', 'call-graph', 'profile']);

/** A report of a merge, of one moment, or of the difference of two of these. */
export function randomReport(
  random: RandomBelow,
  profiles: readonly OracleProfile[],
): RandomReport {
  const own = randomSelection(random, profiles);
  const base = random(3) === 0 ? randomSelection(random, profiles, own) : undefined;
  const baseScale = pick(random, ['none', 'total'] as const);
  const report = pick(random, kinds);
  const frameFields = pick(random, [
    [],
    [],
    ['function_file_name'],
    ['mapping_file'],
    ['location_address', 'function_name'],
    ['function_file_name', 'mapping_file'],
  ]);
  const labels = [...new Set(listOf(random, 2, () => pick(random, labelNames)))];
  const isTree = !tables.has(report);
  const view = randomView(random);
  const [nodeTrimFraction, rootTrimFraction] = pick(random, [
    [0, 0],
    [0, 0],
    [0.1, 0],
    [0, 0.05],
    [0.3, 0.02],
  ]);
  const modes = [own, base].map((side) => side?.select.mode);
  return {
    question: {
      select:
        base === undefined
          ? own.select
          : { mode: 'diff', base: base.select, compared: own.select, baseScale },
      ...{ report, nodeTrimFraction, rootTrimFraction, view },
      groupBy: [...labels.map((name) => `labels.${name}`), ...frameFields],
    },
    oracle: {
      ...{ selector: own.selector, base: base?.selector, baseScale, view },
      scales: report !== 'profile' && modes.includes('merge'),
      labelNames: report === 'flame-graph' || report === 'profile' ? labels : [],
      frameFields: isTree ? frameFields : [],
    },
  };
}

/** Values over time. */
export function randomRange(random: RandomBelow, profiles: readonly OracleProfile[]): RandomRange {
  const selector = randomSelector(random, profiles);
  const span = selector.to - selector.from;
  return {
    question: {
      query: queryText(selector),
      range: { from: selector.from, to: selector.to },
      stepNanos: pick(random, [0n, second, 30n * second, hour, span / 3n + 1n]),
      sumBy: listOf(random, 2, () => pick(random, labelNames)),
      limit: 0,
    },
    selector,
  };
}

/** Of a diff's other side, the units are those of `like`, mostly. */
function randomSelection(
  random: RandomBelow,
  profiles: readonly OracleProfile[],
  like?: RandomSelection,
): RandomSelection {
  const selector = randomSelector(random, profiles);
  const isSameType = like !== undefined && random(10) !== 0;
  const type = isSameType ? like.selector.type : selector.type;
  if (random(5) === 0) {
    const { timeNanos } = pick(random, profiles);
    const from = timeNanos - (timeNanos % milli);
    // What samples say decides nothing here: a moment is found, or it is not.
    const matchers = selector.matchers.filter(({ name }) => name !== 'thread');
    const single = { type, matchers, from, to: from + milli - 1n };
    return {
      select: { mode: 'single', query: queryText(single), timeNanos },
      selector: single,
    };
  }
  const range = { from: selector.from, to: selector.to };
  const merged = { ...selector, type };
  return { select: { mode: 'merge', query: queryText(merged), range }, selector: merged };
}

/** Mostly around some profile, so that something is found. */
function randomSelector(random: RandomBelow, profiles: readonly OracleProfile[]): OracleSelector {
  const one = pick(random, profiles);
  const type = random(16) === 0 ? pick(random, types) : one.type;
  const matchers = random(2) === 0 ? [] : listOf(random, 2, () => randomMatcher(random, one));
  const times = profiles.filter((profile) => profile.type === one.type);
  return { type, matchers, ...randomTimes(random, times) };
}

const types: readonly string[] = Object.values(randomTypes);

const values: Readonly<Record<string, readonly string[]>> = {
  job: ['job0', 'job1', ''],
  instance: ['i0', 'i1', 'i2', ''],
  thread: ['t0', 't1', 't2', ''],
  absent: ['', 'x'],
};
const expressions = ['', '.+', '.*', 'job.*', 'i[0-2]', 'i', 't(1|2)', '(job0|t.|x)?', '[^t].*'];

function randomMatcher(random: RandomBelow, like: OracleProfile): OracleMatcher {
  const name = pick(random, labelNames);
  if (random(2) === 0) {
    return { name, operator: '=', value: labelOf(name, like, pick(random, like.rows)) };
  }
  const operator = pick(random, ['=', '!=', '!=', '=~', '!~'] as const);
  const isExpression = operator === '=~' || operator === '!~';
  return { name, operator, value: pick(random, isExpression ? expressions : values[name]) };
}

function queryText({ type, matchers }: OracleSelector): string {
  const texts = matchers.map(({ name, operator, value }) => `${name}${operator}"${value}"`);
  return `${type}{${texts.join(',')}}`;
}

/** Everything, from one profile to another, or whole hours. */
function randomTimes(random: RandomBelow, profiles: readonly OracleProfile[]): TimeRange {
  if (random(3) === 0) return whole;
  if (random(3) === 0) {
    const from = BigInt(random(10)) * hour;
    return { from, to: from + BigInt(1 + random(10)) * hour - 1n };
  }
  const times = [pick(random, profiles).timeNanos, pick(random, profiles).timeNanos];
  const [from, to] = times.toSorted((a, b) => (a < b ? -1 : 1));
  // From behind the first profile on, or to it.
  return { from: from + BigInt(random(2)), to: to + 1n };
}

function randomView(random: RandomBelow): StackView {
  const isPlain = random(3) === 0;
  const filters = (): FrameCriteria[] =>
    isPlain || random(2) === 0 ? [] : listOf(random, 2, () => randomCriteria(random));
  return {
    stackFilters: filters(),
    frameFilters: filters(),
    sandwich: isPlain || random(3) !== 0 ? '' : `f${random(5)}`,
    isInverted: random(3) === 0,
  };
}

const operators: readonly TextCondition['operator'][] = ['equal', 'contains', 'starts-with'];

function randomCriteria(random: RandomBelow): FrameCriteria {
  const isNegated = random(2) === 0;
  const text = (...wanted: string[]): TextCondition => ({
    ...{ operator: pick(random, operators), isNegated },
    texts: [pick(random, wanted), ...listOf(random, 1, () => pick(random, wanted))],
  });
  const number = (...wanted: bigint[]): NumberCondition => ({
    ...{ isNegated, value: pick(random, wanted) },
  });
  const one = (): FrameCriteria =>
    pick(random, [
      () => ({ functionName: text('f1', 'F2', 'f', 'g', 'g1', '3') }),
      () => ({ functionName: text('f0', 'f4', 'g2', '') }),
      () => ({ systemName: text('_zf1', '_Z', 'f2', '') }),
      () => ({ fileName: text('src/', 'SRC/A.go', 'b.c', '') }),
      () => ({ binary: text('app', 'LIBF1.so', 'lib', 'usr') }),
      () => ({ address: number(0x1000n, 0x2_0000_1000n, 0x1010n) }),
      () => ({ lineNumber: number(0n, 11n, 12n, 22n) }),
    ])();
  return { ...one(), ...(random(3) === 0 ? one() : {}) };
}
