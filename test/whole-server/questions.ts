// Makes random queries as clients send them: bytes of gRPC methods, and HTTP paths.
import Long from 'long';
import { parca } from '../../proto/gen/query.js';
import type { ProfileSelector, ReportQuestion } from '../../src/query/interface.ts';
import type { PlainProfile } from '../../src/query/testing/oracle/plain-data.ts';
import {
  randomRange,
  randomReport,
  type RandomRange,
  type RandomReport,
} from '../../src/query/testing/oracle/random-questions.ts';
import { pick, type RandomBelow } from '../../src/query/testing/random-rows.ts';
import { randomSelector, selectorText } from '../../src/query/testing/oracle/random-selectors.ts';
import { randomTypes } from '../../src/query/testing/random-store.ts';
import { toTimestamp } from '../../src/api/transport/call/message.ts';
import type {
  FrameCriteria,
  NumberCondition,
  TextCondition,
} from '../../src/report/stacks/frame-criteria.ts';
import type { TimeRange } from '../../src/storage/interface.ts';

const hourNanos = 3_600_000_000_000n;
const messages = parca.query.v1alpha1;
const { Mode, ReportType } = messages.QueryRequest;
type WireReport = parca.query.v1alpha1.QueryRequest.$Properties;
type WireSide = parca.query.v1alpha1.ProfileDiffSelection.$Properties;
type Filter = parca.query.v1alpha1.Filter.$Properties;

/** One query, and its form for the naive evaluation if it has one. */
export interface Asked {
  /** Kind of the query, for counts and messages. */
  readonly kind: string;
  readonly text: string;
  readonly call:
    | { readonly via: 'grpc' | 'grpc-web'; readonly method: Method; readonly bytes: Uint8Array }
    | { readonly via: 'http'; readonly path: string };
  readonly report?: RandomReport;
  readonly range?: RandomRange;
}

export type Method = 'Query' | 'QueryRange' | 'ProfileTypes' | 'Labels' | 'Values';

/** Returns a random query for profiles, of any kind. */
function randomQuestion(random: RandomBelow, profiles: readonly PlainProfile[]): Asked {
  const make = pick(random, [
    askReport,
    askReport,
    askReport,
    askReport,
    askRange,
    askRange,
    askTypes,
    askLabels,
    askValues,
    askExport,
    askInsight,
    askInsight,
  ]);
  return make(random, profiles);
}

/** Returns a query for a report of everything, such as a flame graph, as a user first sees it. */
function wholeQuestion(random: RandomBelow, profiles: readonly PlainProfile[]): Asked {
  const { type } = pick(random, profiles);
  const { from, to } = wholeRange(profiles);
  const job = random(2) === 0 ? '' : `job="${pick(random, profiles).labels['job']}"`;
  const report = pick(random, ['flame-graph', 'table', 'top', 'call-graph', 'profile'] as const);
  return reportCall(random, report, {
    report,
    groupBy: [],
    nodeTrimFraction: 0,
    rootTrimFraction: 0,
    select: { mode: 'merge', query: `${type}{${job}}`, range: { from, to } },
  });
}

function askReport(random: RandomBelow, profiles: readonly PlainProfile[]): Asked {
  for (;;) {
    const report = randomReport(random, profiles);
    if (!isSayable(report.question)) continue;
    return { ...reportCall(random, report.oracle.report, report.question), report };
  }
}

function reportCall(random: RandomBelow, kind: string, question: ReportQuestion): Asked {
  const bytes = messages.QueryRequest.encode(wireReport(question)).finish();
  return grpcCall(random, 'Query', kind, question, bytes);
}

function askRange(random: RandomBelow, profiles: readonly PlainProfile[]): Asked {
  let range = randomRange(random, profiles);
  // A request must have a step. It has no limit here, because it is undefined which of several
  // equal lines a limit keeps; test/fuzz tests limits.
  while (range.question.stepNanos === 0n || range.oracle.limit !== 0)
    range = randomRange(random, profiles);
  const { query, range: times, stepNanos, sumBy, limit } = range.question;
  const step = {
    seconds: toLong(stepNanos / 1_000_000_000n),
    nanos: Number(stepNanos % 1_000_000_000n),
  };
  const bytes = messages.QueryRangeRequest.encode({
    query,
    step,
    sumBy: [...sumBy],
    limit,
    start: toTimestamp(times.from),
    end: toTimestamp(times.to),
  }).finish();
  return { ...grpcCall(random, 'QueryRange', 'range', range.question, bytes), range };
}

function askTypes(random: RandomBelow): Asked {
  return grpcCall(random, 'ProfileTypes', 'types', {}, new Uint8Array());
}

function askLabels(random: RandomBelow, profiles: readonly PlainProfile[]): Asked {
  const asked = labelQuestion(random, profiles);
  return grpcCall(random, 'Labels', 'labels', asked, messages.LabelsRequest.encode(asked).finish());
}

function askValues(random: RandomBelow, profiles: readonly PlainProfile[]): Asked {
  const labelName = pick(random, ['job', 'instance', 'absent']);
  const asked = { ...labelQuestion(random, profiles), labelName };
  return grpcCall(random, 'Values', 'values', asked, messages.ValuesRequest.encode(asked).finish());
}

function labelQuestion(random: RandomBelow, profiles: readonly PlainProfile[]) {
  const { type, matchers, from, to } = randomSelector(random, profiles);
  // Conditions on sample labels select rows, so they have no effect on lists of label names.
  const ofSeries = matchers.filter(({ name }) => name !== 'thread');
  return {
    match:
      random(2) === 0
        ? []
        : [selectorText({ type: '', matchers: ofSeries, from, to, isIncrease: false })],
    ...(random(2) === 0 && { profileType: orShort(random, type) }),
    ...(random(2) === 0 && { start: toTimestamp(from), end: toTimestamp(to) }),
  };
}

function askExport(random: RandomBelow, profiles: readonly PlainProfile[]): Asked {
  const format = pick(random, ['pprof', 'collapsed', 'speedscope', 'firefox']);
  const asked = { ...selection(random, profiles, true), format };
  return httpCall(`export ${format}`, '/api/v1/export', asked);
}

function askInsight(random: RandomBelow, profiles: readonly PlainProfile[]): Asked {
  const sort = pick(random, ['flat', 'cumulative']);
  const normalize = pick(random, ['time', 'total', 'load', 'none']);
  const path = pick(random, ['changes', 'functions', 'labels', 'labels/job/values', 'nearest']);
  const isOfLabels = path.startsWith('labels');
  const asked = selection(random, profiles, path === 'changes' || path === 'functions', isOfLabels);
  const more: Readonly<Record<string, object>> = {
    changes: { sort, normalize },
    functions: { sort, top: String(1 + random(6)), step: pick(random, ['600s', '3600s']) },
  };
  return httpCall(path, `/api/v1/${path}`, { ...asked, ...more[path] });
}

/**
 * Makes a selection. If `mayGain` is true, it sometimes selects the increase of counters. If
 * `isOfLabels` is true, it has no times, because queries for labels refuse them.
 */
function selection(
  random: RandomBelow,
  profiles: readonly PlainProfile[],
  mayGain: boolean,
  isOfLabels = false,
) {
  const { matchers, within, except, ...selector } = randomSelector(random, profiles);
  const { from, to } = selector;
  const parts = isOfLabels ? {} : { within, except };
  const ofSeries = matchers.filter(({ name }) => name !== 'thread');
  const isCounter = selector.type === randomTypes.alloc;
  const stage = mayGain && isCounter && random(2) === 0 ? ' | increase' : '';
  const type = orShort(random, selector.type);
  const query = selectorText({ ...selector, ...parts, type, matchers: ofSeries }) + stage;
  const all = wholeRange(profiles);
  const [first, last] = [from < all.from ? all.from : from, to > all.to ? all.to : to];
  // If the range is empty, it becomes the last hour of the original range.
  return { query, start: instant(first < last ? first : last - hourNanos), end: instant(last) };
}

/**
 * Returns the type, sometimes as a short type; the stored series decide what a short type means.
 */
function orShort(random: RandomBelow, type: string): string {
  const [name, sample] = type.split(':');
  return pick(random, [type, type, type, name, sample, `${name}:${sample}`]);
}

function httpCall(kind: string, path: string, parameters: Readonly<Record<string, string>>): Asked {
  const text = `${path}?${new URLSearchParams(parameters)}`;
  return { kind, text, call: { via: 'http', path: text } };
}

function grpcCall(
  random: RandomBelow,
  method: Method,
  kind: string,
  question: object,
  bytes: Uint8Array,
): Asked {
  const via = pick(random, ['grpc', 'grpc-web'] as const);
  const text = JSON.stringify(question, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  return { kind, text, call: { via, method, bytes } };
}

/**
 * Returns true if a QueryService request can express the query: one string per condition, no
 * scaling by time.
 */
function isSayable({ select, view }: ReportQuestion): boolean {
  const isOne = (condition: FrameCriteria[keyof FrameCriteria]): boolean =>
    condition === undefined || !('texts' in condition) || condition.texts.length === 1;
  const filters = [...(view?.stackFilters ?? []), ...(view?.frameFilters ?? [])];
  const isScalable = select.mode !== 'diff' || select.baseScale !== 'time';
  return isScalable && filters.every((criteria) => Object.values(criteria).every(isOne));
}

const reportTypes = {
  'flame-graph': ReportType.REPORT_TYPE_FLAMEGRAPH_ARROW,
  'nested-flame-graph': ReportType.REPORT_TYPE_FLAMEGRAPH_UNSPECIFIED,
  'flame-graph-table': ReportType.REPORT_TYPE_FLAMEGRAPH_TABLE,
  top: ReportType.REPORT_TYPE_TOP,
  table: ReportType.REPORT_TYPE_TABLE_ARROW,
  'call-graph': ReportType.REPORT_TYPE_CALLGRAPH,
  source: ReportType.REPORT_TYPE_SOURCE,
  profile: ReportType.REPORT_TYPE_PPROF,
  metadata: ReportType.REPORT_TYPE_PROFILE_METADATA,
} as const;

const searchModes = { text: 0, regex: 1, case: 2 } as const;

function wireReport(question: ReportQuestion): WireReport {
  const { select, report, view, search, source } = question;
  if (report === 'changes' || report === 'functions' || report === 'instructions')
    throw new Error(`${report} has a path`);
  return {
    ...wireSelect(select),
    reportType: reportTypes[report],
    nodeTrimThreshold: question.nodeTrimFraction * 100,
    rootTrimThreshold: question.rootTrimFraction * 100,
    groupBy: { fields: [...question.groupBy] },
    zoomPath: [...(question.zoomPath ?? [])],
    ...(source && { sourceReference: { buildId: source.buildId, filename: source.fileName } }),
    ...(search && { search: { text: search.text, mode: searchModes[search.mode] } }),
    ...(view && {
      invertCallStack: view.isInverted,
      ...(view.sandwich !== '' && { sandwichByFunction: view.sandwich }),
      filter: [
        ...view.stackFilters.map((all): Filter => ({ stackFilter: { criteria: wire(all) } })),
        ...view.frameFilters.map((all): Filter => ({ frameFilter: { criteria: wire(all) } })),
      ],
    }),
  };
}

function wireSelect(select: ReportQuestion['select']): WireReport {
  if (select.mode === 'merge') return { mode: Mode.MODE_MERGE, merge: wireMerge(select) };
  if (select.mode === 'single') {
    return { mode: Mode.MODE_SINGLE_UNSPECIFIED, single: wireSingle(select) };
  }
  const { base, compared, baseScale } = select;
  if (base === undefined) throw new Error('a request says what the base is');
  const absolute = baseScale === 'none';
  return { mode: Mode.MODE_DIFF, diff: { a: wireSide(base), b: wireSide(compared), absolute } };
}

function wireSide(side: ProfileSelector): WireSide {
  return side.mode === 'single'
    ? { mode: 0, single: wireSingle(side) }
    : { mode: 1, merge: wireMerge(side) };
}

function wireSingle({ query, timeNanos }: Extract<ProfileSelector, { mode: 'single' }>) {
  return { query, time: toTimestamp(timeNanos) };
}

function wireMerge({ query, range }: Extract<ProfileSelector, { mode: 'merge' }>) {
  return { query, start: toTimestamp(range.from), end: toTimestamp(range.to) };
}

function wire(criteria: FrameCriteria): parca.query.v1alpha1.FilterCriteria.$Properties {
  const { functionName, systemName, binary, fileName, address, lineNumber } = criteria;
  return {
    ...(functionName && { functionName: wireText(functionName) }),
    ...(systemName && { systemName: wireText(systemName) }),
    ...(binary && { binary: wireText(binary) }),
    ...(fileName && { filename: wireText(fileName) }),
    ...(address && { address: wireNumber(address) }),
    ...(lineNumber && { lineNumber: wireNumber(lineNumber) }),
  };
}

function wireNumber({ isNegated, value }: NumberCondition) {
  return { [isNegated ? 'notEqual' : 'equal']: toLong(value) };
}

const operators = {
  equal: ['equal', 'notEqual'],
  contains: ['contains', 'notContains'],
  'starts-with': ['startsWith', 'notStartsWith'],
  matches: undefined,
} as const;

function wireText({ operator, isNegated, texts }: TextCondition) {
  const names = operators[operator];
  if (names === undefined) throw new Error('a request has no expressions');
  return { [names[isNegated ? 1 : 0]]: texts[0] };
}

function toLong(value: bigint): Long {
  return Long.fromString(value.toString());
}

/** Formats a time for a path, rounded down to a millisecond. */
function instant(nanos: bigint): string {
  return new Date(Number(nanos / 1_000_000n)).toISOString();
}

/** Returns a range that contains every profile. */
export function wholeRange(profiles: readonly PlainProfile[]): TimeRange {
  const times = profiles.map(({ timeNanos }) => timeNanos);
  return {
    from: times.reduce((a, b) => (a < b ? a : b)),
    to: times.reduce((a, b) => (a > b ? a : b)),
  };
}

/** Returns several queries, some of them twice in a row. */
export function makeQuestions(
  random: RandomBelow,
  profiles: readonly PlainProfile[],
  count: number,
): Asked[] {
  return Array.from({ length: count }, () => {
    const make = random(4) === 0 ? wholeQuestion : randomQuestion;
    return make(random, profiles);
  }).flatMap((asked) => (random(4) === 0 ? [asked, asked] : [asked]));
}
