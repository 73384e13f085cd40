// From questions to what is selected and done: query texts parsed, times shifted, stages lowered.
import { AppError } from '../../base/errors.ts';
import { floorTo } from '../../base/int64.ts';
import type { ProfileType } from '../../model/profile-type.ts';
import { parseQuery, sideOfDiff } from '../../promql-like/parse.ts';
import {
  QueryError,
  type Query,
  type Selector,
  type SelectorPipeline,
  type Span,
} from '../../promql-like/query.ts';
import type { BaseScale } from '../../report/base-ratio.ts';
import { isPlain, type StackView } from '../../report/stacks/stack-view.ts';
import type { TimeRange } from '../../storage/interface.ts';
import type { ProfileSelector, RangeQuestion, ReportQuestion } from '../interface.ts';
import { checkRange } from './select.ts';
import { planStages } from './stage-views.ts';

/** Profiles of one selector in one range. */
export interface PlannedSelection {
  readonly selector: Selector;
  /** Whether it is an error when there is none. */
  readonly mode: ProfileSelector['mode'];
  /** Where the profiles lie, the selector's offset taken off. */
  readonly range: TimeRange;
  /** What is done to its stacks alone, before a diff. */
  readonly views: readonly StackView[];
  /** Where the query asks for what counters gain in the range; absent: values are those stored. */
  readonly increase: Span | undefined;
}

/** One of which it is known what a short profile type means. */
export interface ResolvedSelection extends PlannedSelection {
  readonly profileType: ProfileType;
}

export interface ReportPlan {
  readonly main: PlannedSelection;
  /** Of a diff: what is subtracted. */
  readonly base: PlannedSelection | undefined;
  /** See DiffSelector; of `diff(...)` as in a request that does not say it. */
  readonly baseScale: BaseScale;
  /** What is done to the stacks of all selections. */
  readonly views: readonly StackView[];
  readonly groupBy: readonly string[];
  /** Most rows of a table; 0 = all. */
  readonly top: number;
}

/**
 * What a question for a report asks for. What its query says is done before what it says itself.
 *
 * Errors: AppError 'invalid-argument' for queries that cannot be read and ranges that end before
 * they start.
 */
export function planReport({ select, view, groupBy }: ReportQuestion): ReportPlan {
  const asked = view === undefined || isPlain(view) ? [] : [view];
  const main = select.mode === 'diff' ? select.compared : select;
  const baseScale = select.mode === 'diff' ? select.baseScale : 'total';
  const query = readQuery(main.query);
  const { operand, stages } = query;
  const saysBase = operand.kind === 'diff' && (select.mode !== 'diff' || select.base === undefined);
  if (select.mode === 'diff' && !saysBase) {
    const side = sideOfDiff(query);
    const base =
      select.base === undefined
        ? planSide(side, timeBefore(main))
        : planSide(sideOfDiff(readQuery(select.base.query)), select.base);
    return { main: planSide(side, main), base, baseScale, views: asked, groupBy, top: 0 };
  }
  const plan = planStages(stages);
  const common: Omit<ReportPlan, 'main' | 'base'> = {
    baseScale,
    views: [...plan.views, ...asked],
    groupBy: [...new Set([...plan.groupBy, ...groupBy])],
    top: plan.top,
  };
  if (operand.kind === 'diff') {
    const [own, base] = [operand.compared, operand.base].map((side) => {
      const planned = planSide(side, main);
      return { ...planned, increase: planned.increase ?? plan.increase };
    });
    return { main: own, base, ...common };
  }
  const side = planSide({ selector: operand, stages: [] }, main);
  return { main: { ...side, increase: plan.increase }, base: undefined, ...common };
}

/** What a question for a graph over time asks for. */
export interface RangePlan {
  readonly selector: Selector;
  /** Where the profiles lie. */
  readonly range: TimeRange;
  /** By how much their times are moved to lie in the asked range. */
  readonly offsetNanos: bigint;
  readonly views: readonly StackView[];
  /** As in PlannedSelection. */
  readonly increase: Span | undefined;
  /** Names of labels, each once. */
  readonly sumBy: readonly string[];
  /** Most lines; 0 = all. */
  readonly limit: number;
}

/** Errors: as planReport; QueryError for a diff. */
export function planRange(question: RangeQuestion): RangePlan {
  checkRange(question.range);
  const { selector, stages } = pipelineOverTime(question.query);
  const { views, top, increase } = planStages(stages);
  const labels = stages.flatMap((stage) => (stage.kind === 'by' ? stage.names : []));
  const names = labels.flatMap(({ kind, name }) => (kind === 'label' ? [name] : []));
  const offsetNanos = selector.offset?.nanos ?? 0n;
  return {
    selector,
    range: earlier(question.range, offsetNanos),
    offsetNanos,
    views,
    increase,
    sumBy: [...new Set([...names, ...question.sumBy])],
    limit: smallerLimit(top, question.limit),
  };
}

/** What a question about values over time selects. Errors: as planRange. */
export function pipelineOverTime(query: string): SelectorPipeline {
  const { text, operand, stages } = readQuery(query);
  if (operand.kind === 'selector') return { selector: operand, stages };
  const reason = 'a diff cannot be shown over time: ask for one of its queries';
  throw new QueryError(reason, text, operand.span);
}

/** The selector of a query; of a diff, that of what is compared. Errors: as planReport. */
export function selectorOf(text: string): Selector {
  const { operand } = readQuery(text);
  return operand.kind === 'diff' ? operand.compared.selector : operand;
}

function readQuery(text: string): Query {
  if (text === '') throw new AppError('invalid-argument', 'query is required');
  return parseQuery(text);
}

function planSide(
  { selector, stages }: SelectorPipeline,
  asked: ProfileSelector,
): PlannedSelection {
  const range = earlier(rangeOf(asked), selector.offset?.nanos ?? 0n);
  const { views, increase } = planStages(stages);
  return { selector, mode: asked.mode, range, views, increase };
}

/** The range of equal length right before. Both ends belong to a range. */
function timeBefore(select: ProfileSelector): ProfileSelector {
  if (select.mode === 'single') {
    throw new AppError('invalid-argument', 'cannot compare one profile: say with which other');
  }
  const { from, to } = select.range;
  return { ...select, range: { from: from - (to - from) - 1n, to: from - 1n } };
}

const nanosPerMilli = 1_000_000n;

function rangeOf(select: ProfileSelector): TimeRange {
  if (select.mode === 'merge') {
    checkRange(select.range);
    return select.range;
  }
  // Clients know times to the millisecond only.
  const from = floorTo(select.timeNanos, nanosPerMilli);
  return { from, to: from + nanosPerMilli - 1n };
}

/** A range that lies `nanos` earlier, as far as times reach. */
export function earlier({ from, to }: TimeRange, nanos: bigint): TimeRange {
  return { from: clampToInt64(from - nanos), to: clampToInt64(to - nanos) };
}

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);

function clampToInt64(value: bigint): bigint {
  if (value > int64Max) return int64Max;
  return value < int64Min ? int64Min : value;
}

/** Of two limits, of which 0 is none. */
function smallerLimit(a: number, b: number): number {
  return a === 0 || b === 0 ? a + b : Math.min(a, b);
}
