// What the explore page asks the server, and how the answers belong together.
import { useEffect, useMemo, useRef, useState } from 'react';
import { useApp, usePlace } from '../app-context.ts';
import { measureOf, perSecondFactor, unknownCoverage } from '../format/measure.ts';
import type { Coverage, Measure } from '../format/measure.ts';
import {
  bestProfileType,
  isDiff,
  profileTypeOfQuery,
  profileTypeOptions,
} from '../format/profile-type.ts';
import type { ProfileTypeOption } from '../format/profile-type.ts';
import { graphData } from '../graph/metrics-data.ts';
import type { GraphData } from '../graph/metrics-data.ts';
import { TreeTexts } from '../icicle/tree-texts.ts';
import type { Tree } from '../icicle/tree.ts';
import { placeDetail, zoomNames } from '../icicle/zoom-detail.ts';
import type { AnsweredTree } from '../icicle/tree-messages.ts';
import { isIdle, useResource } from '../parts/use-resource.ts';
import type { Resource } from '../parts/use-resource.ts';
import { emptyRange } from '../rpc/api.ts';
import type { RangeAnswer, Span, TopAnswer } from '../rpc/api.ts';
import type { Asking } from '../rpc/asking.ts';
import { emptyWhenNotFound } from '../rpc/grpc-web.ts';
import { chooseStep, endsNow, resolveRange } from '../url/time-range.ts';

const pollMillis = 2_000;
const defaultRefreshSeconds = 30;
const graphPoints = 150;

/** What the page asks. */
interface Question {
  readonly types: readonly ProfileTypeOption[];
  /** Whether the server was asked and has no profiles at all. */
  readonly isEmpty: boolean;
  readonly serverError: Resource<unknown>['error'];
  readonly query: string;
  readonly profileType: string;
  readonly measure: Measure;
  readonly span: Span;
  /** The selected part of the range, else all of it. */
  readonly graphSpan: Span;
  readonly stepMillis: number;
}

/** The last answers, and how the next are doing. */
interface Answers {
  readonly metrics: Resource<RangeAnswer>;
  readonly graph: GraphData | undefined;
  readonly coverage: Coverage;
  readonly flame: Resource<AnsweredTree>;
  readonly top: Resource<TopAnswer>;
  /** What both graphs do without. */
  readonly warnings: readonly string[];
  /** Whether nothing is being asked, and nothing was cancelled. */
  readonly areIdle: boolean;
  /** Exact share of what is searched, where the graph's own is not; undefined until it is known. */
  readonly foundShare: number | undefined;
}

/** Everything the page shows. */
export interface Explore extends Question, Answers {
  readonly refreshSeconds: number;
  /** Evaluates a relative range anew. */
  readonly run: () => void;
}

/** `withTop`: whether the list of functions is on the page and needs its report. */
export function useExplore(withTop: boolean): Explore {
  const { state } = usePlace();
  const [now, setNow] = useState(() => Date.now());
  const run = () => setNow(Date.now());
  const question = useQuestion(now);
  const answers = useAnswers(question, withTop);

  const wished = state.refresh === 'default' ? defaultRefreshSeconds : state.refresh;
  const refreshSeconds = endsNow({ from: state.from, to: state.to }) ? wished : 0;
  useRepeat(question.isEmpty ? pollMillis : refreshSeconds * 1_000, () => {
    if (answers.areIdle) run();
  });
  return { ...question, ...answers, refreshSeconds, run };
}

/** What the page is about, from the URL and the types the server has. */
function useQuestion(now: number): Question {
  const { api } = useApp();
  const { state } = usePlace();
  const answer = useResource(`types ${now}`, ({ signal }) => api.profileTypes(signal));
  const types = useMemo(() => profileTypeOptions(answer.value ?? []), [answer.value]);
  const best = bestProfileType(types.map(({ value }) => value));
  const query = withType(state.query, best ?? '');
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
    measure: useMemo(() => measureOf(profileType), [profileType]),
    span,
    graphSpan: state.selection ?? span,
    stepMillis: chooseStep(span, graphPoints),
  };
}

/** Asks for graph, icicle and list at once; each keeps its last answer until the next is there. */
function useAnswers(question: Question, withTop: boolean): Answers {
  const { api, trees, base } = useApp();
  const { state } = usePlace();
  const { query, span, graphSpan, stepMillis, profileType } = question;
  const asks = query !== '' && !question.isEmpty;
  const { order, sumBy, search, searchMode, hideMetrics } = state;

  const metricsKey =
    asks && !isDiff(query) && !hideMetrics
      ? key('range', query, span, stepMillis, sumBy)
      : undefined;
  const metrics = useResource(metricsKey, (asking) =>
    emptyWhenNotFound(api.queryRange({ query, span, stepMillis, sumBy }, asking), emptyRange),
  );
  const asked = { base, query, span: graphSpan, order };
  const whole = useResource(asks ? key('flame', query, graphSpan, order) : undefined, (asking) =>
    trees.load({ ...asked, rootTrimPercent: trimPercent(), zoomPath: [] }, asking),
  );
  const flame = useDetail(whole, state.zoom, (zoomPath, asking) =>
    trees.load({ ...asked, rootTrimPercent: trimPercent(), zoomPath }, asking),
  );
  const top = useResource(asks && withTop ? key('top', query, graphSpan) : undefined, (asking) =>
    api.top(query, graphSpan, asking),
  );

  const isCut = (flame.value?.trimmed ?? 0n) > 0n;
  const foundKey =
    asks && isCut && search !== '' ? key('found', query, graphSpan, search, searchMode) : undefined;
  const found = useResource(foundKey, ({ signal }) =>
    api.searchShare({ query, span: graphSpan, text: search, mode: searchMode }, signal),
  );

  const graph = useMemo(() => {
    const factor = perSecondFactor(profileType);
    return metrics.value && graphData(metrics.value.series, stepMillis, factor);
  }, [metrics.value, stepMillis, profileType]);
  const coverage = flame.value?.coverage ?? unknownCoverage;
  const foundShare = found.valueKey === foundKey ? found.value : undefined;
  // The last answer stays when the graph over time is not asked for any more.
  const shownMetrics = metricsKey === undefined ? undefined : metrics.value;
  const warnings = [flame.value, shownMetrics].flatMap((answer) => answer?.warnings ?? []);
  const areIdle = [metrics, flame, top].every(isIdle);
  return { metrics, graph, coverage, flame, top, warnings, areIdle, foundShare };
}

/** The whole graph, or, once it is there, what lies below the zoomed frame in full detail. */
function useDetail(
  whole: Resource<AnsweredTree>,
  zoom: string,
  load: (zoomPath: readonly string[], asking: Asking) => Promise<AnsweredTree>,
): Resource<AnsweredTree> {
  const { value: tree, valueKey } = whole;
  const texts = useMemo(() => tree && new TreeTexts(tree), [tree]);
  const names = useMemo(
    () => (tree && texts && hasDetail(tree) ? zoomNames(tree, zoom, texts) : []),
    [tree, texts, zoom],
  );
  const detailKey = names.length === 0 ? undefined : key('detail', valueKey, names);
  const detail = useResource(detailKey, (asking) => load(names, asking));
  const found = detail.valueKey === detailKey ? detail.value : undefined;
  const placed = useMemo(
    () => found && tree && texts && placeDetail(found, found.zoomedFrames, tree, zoom, texts),
    [found, tree, texts, zoom],
  );
  const value = placed ?? tree;
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
  return /^\s*(?:$|[{<|])/.test(query) ? best + query.trimStart() : query;
}

/** A shortened profile type in a query means the one type it fits. */
function fullType(text: string, types: readonly ProfileTypeOption[]): string {
  const fits = types.filter(({ value }) => value === text || value.startsWith(`${text}:`));
  return fits.length === 1 ? fits[0].value : text;
}

/** Calls `action` every `millis` while the page is seen; 0 never. */
export function useRepeat(millis: number, action: () => void): void {
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    if (millis <= 0) return undefined;
    let last = Date.now();
    const tick = () => {
      if (document.hidden || Date.now() - last < millis * 0.9) return;
      last = Date.now();
      latest.current();
    };
    const timer = setInterval(tick, millis);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [millis]);
}
