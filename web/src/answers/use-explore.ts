// Keeps the queries and answers of the explore page as React state.
import { useEffect, useState } from 'react';
import { type Coverage, unknownCoverage } from '../format/measure.ts';
import { invertedQuery, isDiff, profileTypeOfQuery } from '../language/query-text.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import * as clock from '../page/clock.ts';
import { useRepeat } from '../page/hooks.ts';
import { useOwnPrefixes } from '../page/own-code.ts';
import { isIdle, type Resource, useResource } from '../page/use-resource.ts';
import type { RangeAnswer, SearchAnswer } from '../rpc/api.ts';
import type { FunctionTable } from '../tree/function-table.ts';
import type { AnsweredTree } from '../tree/tree-messages.ts';
import { endsNow, chooseRefreshSeconds } from '../url/time-range.ts';
import type { MetricsData } from './metrics-data.ts';
import { key, describeRefresh } from './refreshing.ts';
import { findScale } from './scale.ts';
import { useDetail } from './use-detail.ts';
import { type LegendTotals, useLegend, useOverTime } from './use-over-time.ts';
import { type Question, useQuestion } from './use-question.ts';

const pollMillis = 2_000;
const namesMillis = 3_000;

/** The last answers, and the state of running queries. */
interface Answers {
  readonly metrics: Resource<RangeAnswer>;
  readonly lines: MetricsData | undefined;
  /** Share of each line in the selection; undefined until it is known. */
  readonly legend: LegendTotals | undefined;
  readonly coverage: Coverage;
  readonly icicle: Resource<AnsweredTree>;
  /** True if the graph belongs to the current query, not to an earlier query. */
  readonly isCurrent: boolean;
  /** Graph of all stacks, without details below a zoomed frame. */
  readonly whole: AnsweredTree | undefined;
  readonly top: Resource<FunctionTable>;
  /** Warnings of both graphs about data that could not be read. */
  readonly warnings: readonly string[];
  /** True if no query is running and none was cancelled. */
  readonly areIdle: boolean;
  /** Search matches counted by the server, if the graph is trimmed; otherwise undefined. */
  readonly found: SearchAnswer | undefined;
}

/** All data that the page shows. */
export interface Explore extends Question, Answers {
  readonly refreshSeconds: number;
  /** True if the range only moved with time. */
  readonly isQuiet: boolean;
  /** Evaluates a relative range again and repeats the query. */
  readonly run: () => void;
}

/**
 * Sends the queries of the page. `withTop` is true if the list of functions is visible and needs
 * its data.
 */
export function useExplore(withTop: boolean): Explore {
  const { state } = usePlace();
  const [{ now, isQuiet }, setMoment] = useState(() => ({ now: clock.now(), isQuiet: false }));
  const run = () => setMoment({ now: clock.now(), isQuiet: false });
  clock.useClockChange(run);
  const [resolved, setResolved] = useState<ReadonlyMap<string, string>>(new Map());
  const question = useQuestion(now, resolved);
  const answers = useAnswers(question, withTop, isQuiet);
  // The server returns the full type for a short name such as `process_cpu`.
  const said = profileTypeOfQuery(question.query);
  const found = answers.isCurrent ? answers.whole?.profileTypes.at(0) : undefined;
  useEffect(() => {
    if (found === undefined || resolved.get(said) === found) return;
    setResolved(new Map([...resolved, [said, found]]));
  }, [said, found, resolved]);

  const wished = state.refresh === 'default' ? chooseRefreshSeconds(question.span) : state.refresh;
  const refreshSeconds = endsNow({ from: state.from, to: state.to }) ? wished : 0;
  useRepeat(question.isEmpty ? pollMillis : refreshSeconds * 1_000, () => {
    if (answers.areIdle) setMoment({ now: clock.now(), isQuiet: true });
  });
  return { ...question, ...answers, refreshSeconds, isQuiet, run };
}

/**
 * Requests metrics, graph and list at the same time; each keeps its last answer until the next
 * answer arrives.
 */
function useAnswers(question: Question, withTop: boolean, isQuiet: boolean): Answers {
  const { trees, base } = useApp();
  const { state } = usePlace();
  const { query, selectedSpan, measure } = question;
  const { order, zoom } = state;
  const scale = findScale(query, state.scale, measure);
  const asks = query !== '' && !question.isEmpty;
  const refreshing = describeRefresh(question, state, isQuiet);

  const overTime = useOverTime(question, refreshing);
  const own = useOwnPrefixes(query);
  const asked = { base, query, span: selectedSpan, order, scale, own };
  const icicleKey = asks ? key('icicle', query, selectedSpan, order, scale, ...own) : undefined;
  const whole = useResource(
    icicleKey,
    (asking) => trees.load({ ...asked, rootTrimPercent: trimPercent(), zoomPath: [] }, asking),
    refreshing(order, scale),
  );
  const icicle = useDetail(
    whole,
    zoom,
    (zoomPath, asking) =>
      trees.load({ ...asked, rootTrimPercent: trimPercent(), zoomPath }, asking),
    refreshing(order, scale, zoom),
  );
  const isCut = (whole.value?.trimmed ?? 0n) > 0n;
  const { isInverted, upright = query } = invertedQuery(query);
  // A trimmed graph lacks self values, and the self values of an inverted graph are different ones.
  const needsTop = withTop || ((isCut || isInverted) && !isDiff(query));
  const top = useResource(
    asks && needsTop ? key('top', upright, selectedSpan, ...own) : undefined,
    (asking) => trees.functions({ base, query: upright, span: selectedSpan, own }, asking),
    refreshing(),
  );
  const found = useFound(question, asks && isCut);
  const legend = useLegend(
    whole.valueKey === icicleKey ? whole : { ...whole, value: undefined },
    overTime,
  );
  const { metrics, part, lines } = overTime;
  const warnings = [icicle.value, overTime.shown].flatMap((answer) => answer?.warnings ?? []);
  const areIdle = [metrics, part, icicle, top].every(isIdle);
  // While the server symbolizes addresses, each new answer contains more names.
  useRepeat(
    warnings.some((sentence) => sentence.includes('being looked up')) ? namesMillis : 0,
    () => {
      if (areIdle) for (const one of new Set([whole, icicle, top])) one.repeat();
    },
  );
  return {
    metrics,
    lines,
    legend,
    icicle,
    top,
    found,
    warnings,
    isCurrent: whole.valueKey === icicleKey,
    whole: whole.value,
    coverage: icicle.value?.coverage ?? unknownCoverage,
    areIdle,
  };
}

/** Lets the server count the matches in all stacks if the graph is trimmed. */
function useFound({ query, selectedSpan }: Question, isCut: boolean): SearchAnswer | undefined {
  const { api } = useApp();
  const { search, searchMode } = usePlace().state;
  const foundKey =
    isCut && search !== '' ? key('found', query, selectedSpan, search, searchMode) : undefined;
  const found = useResource(foundKey, ({ signal }) =>
    api.search({ query, span: selectedSpan, text: search, mode: searchMode }, signal),
  );
  return found.valueKey === foundKey ? found.value : undefined;
}

/** Returns half a pixel of the window as a percentage of the root. */
export function trimPercent(): number {
  return 100 / (2 * Math.max(320, innerWidth * devicePixelRatio));
}
