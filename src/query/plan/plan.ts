// Turns requests into plans: parses query strings, shifts times, and turns stages into views.
import { AppError } from '../../base/errors.ts';
import { floorTo } from '../../base/int64.ts';
import { parseQuery, sideOfDiff } from '../../promql-like/parse.ts';
import {
  QueryError,
  type Query,
  type Selector,
  type SelectorPipeline,
  type TextSpan,
  type WrittenRange,
} from '../../promql-like/query.ts';
import type { ResolvedTypes } from '../../promql-like/resolve.ts';
import { isPlain, type StackView } from '../../report/stacks/stack-view.ts';
import type { TimeRange } from '../../storage/interface.ts';
import { groupedLabels } from '../notes/group-notes.ts';
import type { ProfileSelector, RangeQuestion, ReportQuestion } from '../interface.ts';
import { planBuild, type BuildPlan } from './build-plan.ts';
import { rangeWithin, type SelectorInTime, withOffset } from './ranges.ts';
import { checkRange } from './select.ts';
import { planStages, type StagePlan } from './stage-views.ts';

/** Profiles of one selector in one range. */
export interface PlannedSelection extends SelectorInTime {
  /** Mode of the selector. It decides whether finding no profile is an error. */
  readonly mode: ProfileSelector['mode'];
  /** Changes to the stacks of this selection only, before a diff. */
  readonly views: readonly StackView[];
  /** Position of the increase stage in the query; undefined if the query has none. */
  readonly increase: TextSpan | undefined;
  /** Times of the requested samples, before the offset; undefined for all samples. */
  readonly samples: WrittenRange | undefined;
}

/** A selection whose short profile type is resolved. */
export interface ResolvedSelection extends PlannedSelection {
  readonly profileTypes: ResolvedTypes;
}

/** The work for a report: selections to merge, and the report to build from the merges. */
export interface ReportPlan {
  /** The selection and, in a diff, the selection to subtract. */
  readonly selections: readonly PlannedSelection[];
  /** Labels that the query groups by. */
  readonly grouped: readonly string[];
  readonly build: BuildPlan;
}

/**
 * Returns the plan of a report. Stages of the query apply before the fields of the request.
 *
 * Errors: AppError 'invalid-argument' for queries that cannot be parsed, ranges that end before
 * they start, and fields that cannot be grouped by.
 */
export function planReport({ select, view, groupBy, ...asked }: ReportQuestion): ReportPlan {
  const ownViews = view === undefined || isPlain(view) ? [] : [view];
  const main = select.mode === 'diff' ? select.compared : select;
  const baseScale = select.mode === 'diff' ? select.baseScale : 'total';
  const query = readQuery(main.query);
  const { operand, stages } = query;
  const finish = (
    selections: readonly PlannedSelection[],
    { views, groupBy: fields, top }: Omit<StagePlan, 'increase' | 'samples'>,
  ): ReportPlan => {
    const sideViews = selections.map((one) => one.views);
    const common = { sideViews, views: [...views, ...ownViews], baseScale, top };
    const build = planBuild(asked, common, [...new Set([...fields, ...groupBy])]);
    return { selections, grouped: groupedLabels(stages), build };
  };
  const saysBase = operand.kind === 'diff' && (select.mode !== 'diff' || select.base === undefined);
  if (select.mode === 'diff' && !saysBase) {
    const side = sideOfDiff(query);
    const base =
      select.base === undefined
        ? planTimeBefore(side, main)
        : planSide(sideOfDiff(readQuery(select.base.query)), select.base);
    return finish([planSide(side, main), base], { views: [], groupBy: [], top: 0 });
  }
  const plan = planStages(stages);
  if (operand.kind === 'diff') {
    const sides = [operand.compared, operand.base].map((side) => planSide(side, main));
    return finish(
      sides.map((side) => ({
        ...side,
        increase: side.increase ?? plan.increase,
        samples: side.samples ?? plan.samples,
      })),
      plan,
    );
  }
  const side = planSide({ selector: operand, stages: [] }, main);
  return finish([{ ...side, increase: plan.increase, samples: plan.samples }], plan);
}

/** Returns the same plan for another range, which is moved by the offsets in the query. */
export function withRange({ selections, ...rest }: ReportPlan, range: TimeRange): ReportPlan {
  const moved = selections.map((one) => ({ ...one, range: withOffset(range, one.selector) }));
  return { selections: moved, ...rest };
}

/** The plan of a graph over time. */
export interface RangePlan extends SelectorInTime {
  /** Offset that is added to the times of profiles, so that they are in the requested range. */
  readonly offsetNanos: bigint;
  readonly views: readonly StackView[];
  /** Position of the increase stage, as in PlannedSelection. */
  readonly increase: TextSpan | undefined;
  /** Distinct names of labels. */
  readonly sumBy: readonly string[];
  /** Labels that the query groups by, without the labels of the request. */
  readonly grouped: readonly string[];
  /** Largest number of lines; 0 = all. */
  readonly limit: number;
}

/** Returns the plan of a graph over time. Errors: as in planReport; QueryError for a diff. */
export function planRange(question: RangeQuestion): RangePlan {
  checkRange(question.range);
  const { selector, stages } = pipelineOverTime(question.query);
  const { view } = question;
  const { views: ownViews, top, increase } = planStages(stages);
  const views = view === undefined || isPlain(view) ? ownViews : [...ownViews, view];
  const labels = stages.flatMap((stage) => (stage.kind === 'by' ? stage.names : []));
  const names = labels.flatMap(({ kind, name }) => (kind === 'label' ? [name] : []));
  return {
    selector,
    range: withOffset(question.range, selector),
    offsetNanos: selector.offset?.nanos ?? 0n,
    views,
    increase,
    sumBy: [...new Set([...names, ...question.sumBy])],
    grouped: [...new Set(names)],
    limit: smallerLimit(top, question.limit),
  };
}

/** Returns the selection of a query about values over time. Errors: as in planRange. */
export function pipelineOverTime(query: string): SelectorPipeline {
  const { text, operand, stages } = readQuery(query);
  if (operand.kind === 'selector') return { selector: operand, stages };
  const reason = 'a diff cannot be shown over time: ask for one of its queries';
  throw new QueryError(reason, text, operand.span);
}

/**
 * Returns the selector of a query; for a diff, the selector of the compared side. Errors: as in
 * planReport.
 */
export function parseSelector(text: string): Selector {
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
  const range = withOffset(selectedRange(asked), selector);
  const { views, increase, samples } = planStages(stages);
  return { selector, mode: asked.mode, range, views, increase, samples };
}

/**
 * Plans a selection of the range of equal length before the requested range. If the selector
 * limits the range, that is the time before the limited range. Both ends belong to a range.
 */
function planTimeBefore(side: SelectorPipeline, asked: ProfileSelector): PlannedSelection {
  if (asked.mode === 'single') {
    throw new AppError('invalid-argument', 'cannot compare one profile: say with which other');
  }
  const selector = { ...side.selector, within: undefined };
  const samples = side.stages.find((stage) => stage.kind === 'samples');
  const own = rangeWithin(rangeWithin(asked.range, side.selector), { within: samples });
  const { from, to } = own.from > own.to ? asked.range : own;
  const range = { from: from - (to - from) - 1n, to: from - 1n };
  const before = planSide({ ...side, selector }, { ...asked, range });
  return samples === undefined ? before : { ...before, samples: { ...samples, ...range } };
}

const nanosPerMilli = 1_000_000n;

function selectedRange(select: ProfileSelector): TimeRange {
  if (select.mode === 'merge') {
    checkRange(select.range);
    return select.range;
  }
  // Clients know times only in milliseconds.
  const from = floorTo(select.timeNanos, nanosPerMilli);
  return { from, to: from + nanosPerMilli - 1n };
}

/** Returns the smaller of two limits, where 0 means no limit. */
function smallerLimit(a: number, b: number): number {
  return a === 0 || b === 0 ? a + b : Math.min(a, b);
}
