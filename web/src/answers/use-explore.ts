// What the explore page asks the server, and how the answers belong together.
import { useRepeat } from '../page/hooks.ts';
import { useMemo, useRef, useState } from 'react';
import { useApp, usePlace } from '../page/app-context.ts';
import {
  type Coverage,
  type Measure,
  measureOf,
  perSecondFactor,
  unknownCoverage,
} from '../format/measure.ts';
import {
  asksIncrease,
  beginsWithQuotedType,
  invertedQuery,
  isDiff,
  profileTypeOfQuery,
  withIncrease,
} from '../language/query-text.ts';
import {
  bestProfileType,
  type ProfileTypeOption,
  profileTypeOptions,
} from '../format/profile-type.ts';
import { graphData, type GraphData, type GraphLegend, legendOf } from './metrics-data.ts';
import { TreeTexts } from '../tree/tree-texts.ts';
import type { Tree } from '../tree/tree.ts';
import { placeDetail, zoomNames } from '../tree/zoom-path.ts';
import type { AnsweredTree } from '../tree/tree-messages.ts';
import { isIdle, type Refreshing, type Resource, useResource } from '../page/use-resource.ts';
import {
  emptyRange,
  type RangeAnswer,
  type SearchAnswer,
  type Span,
  type TopAnswer,
} from '../rpc/api.ts';
import type { Asking } from '../rpc/asking.ts';
import { emptyWhenNotFound } from '../rpc/grpc-web.ts';
import type { UrlState } from '../url/url-state.ts';
import { chooseStep, endsNow, resolveRange } from '../url/time-range.ts';

const pollMillis = 2_000;
const defaultRefreshSeconds = 30;
const graphPoints = 150;
/** Narrower buckets would have some programs of a fleet and not the others. */
const stepMillisMin = 10_000;

/** What the page asks. */
interface Question {
  readonly types: readonly ProfileTypeOption[];
  /** Whether the server was asked and has no profiles at all. */
  readonly isEmpty: boolean;
  readonly serverError: Resource<unknown>['error'];
  readonly query: string;
  readonly profileType: string;
  readonly measure: Measure;
  /** Whether callers stand under what they call. */
  readonly isInverted: boolean;
  readonly span: Span;
  /** The selected part of the range, else all of it. */
  readonly graphSpan: Span;
  readonly stepMillis: number;
}

/** The last answers, and how the next are doing. */
interface Answers {
  readonly metrics: Resource<RangeAnswer>;
  readonly graph: GraphData | undefined;
  /** What each line has of the selection; undefined until it is known. */
  readonly legend: LegendTotals | undefined;
  readonly coverage: Coverage;
  readonly flame: Resource<AnsweredTree>;
  /** The graph without what is only loaded below a zoomed frame. */
  readonly whole: AnsweredTree | undefined;
  readonly top: Resource<TopAnswer>;
  /** What both graphs do without. */
  readonly warnings: readonly string[];
  /** Whether nothing is being asked, and nothing was cancelled. */
  readonly areIdle: boolean;
  /** What is searched, counted by the server where the graph was cut; undefined until it is known. */
  readonly found: SearchAnswer | undefined;
}

/** What lines add to the headline. */
export interface LegendTotals extends GraphLegend {
  readonly total: bigint;
  readonly coverage: Coverage;
}

/** Everything the page shows. */
export interface Explore extends Question, Answers {
  readonly refreshSeconds: number;
  /** Whether the range was moved by time alone. */
  readonly isQuiet: boolean;
  /** Evaluates a relative range anew, because somebody wants it. */
  readonly run: () => void;
}

/** `withTop`: whether the list of functions is on the page and needs its report. */
export function useExplore(withTop: boolean): Explore {
  const { state } = usePlace();
  const [{ now, isQuiet }, setMoment] = useState(() => ({ now: Date.now(), isQuiet: false }));
  const run = () => setMoment({ now: Date.now(), isQuiet: false });
  const question = useQuestion(now);
  const answers = useAnswers(question, withTop, isQuiet);

  const wished = state.refresh === 'default' ? defaultRefreshSeconds : state.refresh;
  const refreshSeconds = endsNow({ from: state.from, to: state.to }) ? wished : 0;
  useRepeat(question.isEmpty ? pollMillis : refreshSeconds * 1_000, () => {
    if (answers.areIdle) setMoment({ now: Date.now(), isQuiet: true });
  });
  return { ...question, ...answers, refreshSeconds, isQuiet, run };
}

/** What the page is about, from the URL and the types the server has. */
function useQuestion(now: number): Question {
  const { api } = useApp();
  const { state } = usePlace();
  const answer = useResource(`types ${now}`, ({ signal }) => api.profileTypes(signal), {
    topic: 'types',
    isQuiet: true,
  });
  const types = useMemo(() => profileTypeOptions(answer.value ?? []), [answer.value]);
  const best = bestProfileType(types.map(({ value }) => value));
  const query = withType(state.query, best ?? '');
  const isIncrease = asksIncrease(query);
  const profileType = fullType(profileTypeOfQuery(query), types);
  const span = useMemo(
    () => resolveRange({ from: state.from, to: state.to }, now),
    [state.from, state.to, now],
  );
  return {
    types,
    isEmpty: answer.value !== undefined && types.length === 0,
    serverError: answer.error,
    query,
    profileType,
    measure: useMemo(() => measureOf(profileType, isIncrease), [profileType, isIncrease]),
    isInverted: invertedQuery(query).isInverted,
    span,
    graphSpan: state.selection ?? span,
    stepMillis: Math.max(stepMillisMin, chooseStep(span, graphPoints)),
  };
}

/** Asks for graph, icicle and list at once; each keeps its last answer until the next is there. */
function useAnswers(question: Question, withTop: boolean, isQuiet: boolean): Answers {
  const { api, trees, base } = useApp();
  const { state } = usePlace();
  const { query, graphSpan } = question;
  const { order, zoom } = state;
  const asks = query !== '' && !question.isEmpty;
  const refreshing = refreshingOf(question, state, isQuiet);

  const overTime = useOverTime(question, refreshing);
  const asked = { base, query, span: graphSpan, order };
  const flameKey = asks ? key('flame', query, graphSpan, order) : undefined;
  const whole = useResource(
    flameKey,
    (asking) => trees.load({ ...asked, rootTrimPercent: trimPercent(), zoomPath: [] }, asking),
    refreshing(order),
  );
  const flame = useDetail(
    whole,
    zoom,
    (zoomPath, asking) =>
      trees.load({ ...asked, rootTrimPercent: trimPercent(), zoomPath }, asking),
    refreshing(order, zoom),
  );
  const isCut = (whole.value?.trimmed ?? 0n) > 0n;
  const { isInverted, upright = query } = invertedQuery(query);
  // What a function has itself is not in a graph that was cut, nor in one that stands on its head.
  const needsTop = withTop || ((isCut || isInverted) && !isDiff(query));
  const top = useResource(
    asks && needsTop ? key('top', upright, graphSpan) : undefined,
    (asking) => api.top(upright, graphSpan, asking),
    refreshing(),
  );
  const found = useFound(question, asks && isCut);
  const legend = useLegend(
    whole.valueKey === flameKey ? whole : { ...whole, value: undefined },
    overTime,
  );
  const { metrics, part, graph } = overTime;
  const warnings = [flame.value, overTime.shown].flatMap((answer) => answer?.warnings ?? []);
  return {
    ...{ metrics, graph, legend, flame, top, found, warnings },
    whole: whole.value,
    coverage: flame.value?.coverage ?? unknownCoverage,
    areIdle: [metrics, part, flame, top].every(isIdle),
  };
}

/** A refresh differs from the question before in time alone. */
function refreshingOf({ query }: Question, { from, to, selection }: UrlState, isQuiet: boolean) {
  return (...parts: readonly unknown[]): Refreshing => ({
    topic: key(query, from, to, selection, ...parts),
    isQuiet,
  });
}

/** Values over time, and what each line has of the selected part of it. */
interface OverTime {
  readonly metrics: Resource<RangeAnswer>;
  readonly part: Resource<RangeAnswer>;
  readonly graph: GraphData | undefined;
  /** The answer that is on the page. */
  readonly shown: RangeAnswer | undefined;
  /** Of the selection, else of the range; undefined while it is of an earlier question. */
  readonly totals: RangeAnswer | undefined;
}

function useOverTime(question: Question, refreshing: ReturnType<typeof refreshingOf>): OverTime {
  const { api } = useApp();
  const { sumBy, hideMetrics, selection } = usePlace().state;
  const { query, isEmpty, span, graphSpan, stepMillis, profileType, measure } = question;
  const asks = query !== '' && !isEmpty && !isDiff(query) && !hideMetrics;
  const ask = (asked: Span, step: number, asking: Asking) =>
    emptyWhenNotFound(
      api.queryRange({ query, span: asked, stepMillis: step, sumBy }, asking),
      emptyRange,
    );
  const metricsKey = asks ? key('range', query, span, stepMillis, sumBy) : undefined;
  const metrics = useResource(
    metricsKey,
    (asking) => ask(span, stepMillis, asking),
    refreshing(sumBy),
  );
  const hasPart = asks && selection !== undefined;
  const partKey = hasPart ? key('part', query, graphSpan, sumBy) : undefined;
  const wholeStep = graphSpan.to - graphSpan.from + 1;
  const part = useResource(
    partKey,
    (asking) => ask(graphSpan, wholeStep, asking),
    refreshing(sumBy),
  );
  const graph = useMemo(() => {
    const factor = perSecondFactor(profileType, measure);
    return metrics.value && graphData(metrics.value.series, stepMillis, factor);
  }, [metrics.value, stepMillis, profileType, measure]);
  const areCurrent = metrics.valueKey === metricsKey && (!hasPart || part.valueKey === partKey);
  return {
    ...{ metrics, part, graph },
    // The last answer stays when the graph over time is not asked for any more.
    shown: metricsKey === undefined ? undefined : metrics.value,
    totals: areCurrent ? (hasPart ? part.value : metrics.value) : undefined,
  };
}

/** What the server finds in all stacks, where the graph does not have them all. */
function useFound({ query, graphSpan }: Question, isCut: boolean): SearchAnswer | undefined {
  const { api } = useApp();
  const { search, searchMode } = usePlace().state;
  const foundKey =
    isCut && search !== '' ? key('found', query, graphSpan, search, searchMode) : undefined;
  const found = useResource(foundKey, ({ signal }) =>
    api.search({ query, span: graphSpan, text: search, mode: searchMode }, signal),
  );
  return found.valueKey === foundKey ? found.value : undefined;
}

/** Totals and headline are of one time; while one of them is on its way the last ones stay. */
function useLegend(
  whole: Resource<AnsweredTree>,
  { metrics, part, graph, totals }: OverTime,
): LegendTotals | undefined {
  const tree = whole.value;
  const found = useMemo(() => {
    if (tree === undefined || graph === undefined || totals === undefined) return undefined;
    const { total, coverage } = tree;
    return { ...legendOf(graph, totals.series), total, coverage };
  }, [tree, graph, totals]);
  const last = useRef<LegendTotals | undefined>(undefined);
  if (found !== undefined || [metrics, part, whole].every(isIdle)) last.current = found;
  return last.current;
}

/** The whole graph, or, once it is there, what lies below the zoomed frame in full detail. */
function useDetail(
  whole: Resource<AnsweredTree>,
  zoom: string,
  load: (zoomPath: readonly string[], asking: Asking) => Promise<AnsweredTree>,
  refreshing: Refreshing,
): Resource<AnsweredTree> {
  const { value: tree, valueKey } = whole;
  const texts = useMemo(() => tree && new TreeTexts(tree), [tree]);
  const names = useMemo(
    () => (tree && texts && hasDetail(tree) ? zoomNames(tree, zoom, texts) : []),
    [tree, texts, zoom],
  );
  const detailKey = names.length === 0 ? undefined : key('detail', valueKey, names);
  const detail = useResource(detailKey, (asking) => load(names, asking), refreshing);
  const found = detail.valueKey === detailKey ? detail.value : undefined;
  const placed = useMemo(
    () => found && tree && texts && placeDetail(found, found.zoomedFrames, tree, zoom, texts),
    [found, tree, texts, zoom],
  );
  // While the details of a later time are on their way, those of before stay.
  const shown = useRef<{ readonly topic: string; readonly tree: AnsweredTree } | undefined>(
    undefined,
  );
  const isComing = detailKey !== undefined && found === undefined && detail.pending !== undefined;
  const before = shown.current?.topic === refreshing.topic ? shown.current.tree : undefined;
  const value = placed ?? (isComing ? before : undefined) ?? tree;
  if (placed !== undefined) shown.current = { topic: refreshing.topic, tree: placed };
  if (!isIdle(whole)) return { ...whole, value };
  const { pending, cancelledAfter, cancel, repeat } = detail;
  return { ...whole, value, pending, cancelledAfter, cancel, repeat };
}

/** In a diff the width of a frame depends on all that is below, cut or not: details do not fit. */
function hasDetail(tree: Tree): boolean {
  return tree.trimmed > 0n && tree.base === undefined;
}

function key(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

/** Half a pixel of this window, as a percentage of the root. */
function trimPercent(): number {
  return 100 / (2 * Math.max(320, innerWidth * devicePixelRatio));
}

/** Conditions alone, or stages, are about the best type. */
function withType(query: string, best: string): string {
  const isBare = /^\s*(?:$|[{<|])/.test(query) && !beginsWithQuotedType(query);
  return isBare ? withIncrease(best + query.trimStart(), best) : query;
}

/** A shortened profile type in a query means the one type it fits. */
function fullType(text: string, types: readonly ProfileTypeOption[]): string {
  const fits = types.filter(({ value }) => value === text || value.startsWith(`${text}:`));
  return fits.length === 1 ? fits[0].value : text;
}
