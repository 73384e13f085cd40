// The plan for building a report from merges. It is plain data, which is made once for the thread
// that builds the report.
import { AppError } from '../../base/errors.ts';
import type { BaseScale } from '../../report/base-ratio.ts';
import type { FrameCriteria } from '../../report/stacks/frame-criteria.ts';
import { splitFrameFilters, type StackView } from '../../report/stacks/stack-view.ts';
import type { FrameField } from '../../report/tree/frame-keys.ts';
import type { ReportQuestion } from '../interface.ts';
import { reportKinds } from '../report-kinds.ts';

/** Options of a query that control how its report is built, apart from stacks and groups. */
type ReportOptions = Omit<ReportQuestion, 'select' | 'view' | 'groupBy'>;

/**
 * Plan for building a report. It is plain data, with one exception: the summer of a 'functions'
 * report, which is built on the main thread.
 */
export interface BuildPlan extends ReportOptions, SideViews {
  /** Labels to group by; without labels, a report combines all selected profiles. */
  readonly labelNames: readonly string[];
  readonly tree: TreeKind;
}

/** Parts of a plan that come from the query. */
interface SideViews {
  /** Changes to the stacks of only one side, before a diff. */
  readonly sideViews: readonly (readonly StackView[])[];
  /** Changes to the stacks of all sides. */
  readonly views: readonly StackView[];
  /** Scale of the base, see DiffSelector. `diff(...)` in a query uses the default of requests. */
  readonly baseScale: BaseScale;
  /** Largest number of rows of a table; 0 = all. */
  readonly top: number;
}

/** Properties of a tree besides its stacks. */
export interface TreeKind {
  /** Fields that distinguish frames in addition to their function names; sorted. */
  readonly frameFields: readonly FrameField[];
  /** Frame filters. A frame has no row if any filter excludes it. */
  readonly frameFilters: readonly FrameCriteria[];
  /** True if profiles are laid out along time, as in a flame chart. */
  readonly isChart: boolean;
}

const labelPrefix = 'labels.';
const frameFields: readonly FrameField[] = [
  'function_file_name',
  'location_address',
  'mapping_file',
];
const plainFields: ReadonlySet<string> = new Set([...frameFields, 'timestamp', 'function_name']);

/**
 * Plans a report that is grouped by `fields`; the function name is always included. Frame filters
 * are applied to the tree where possible, which is much cheaper than changing the stacks. A search
 * needs the stacks.
 *
 * Errors: AppError 'invalid-argument' for an unknown field, and for a diff along time.
 */
export function planBuild(
  asked: ReportOptions,
  { views: allViews, ...common }: SideViews,
  fields: readonly string[],
): BuildPlan {
  const { report, search } = asked;
  const unknown = fields.find((field) => !isLabel(field) && !plainFields.has(field));
  if (unknown !== undefined) {
    throw new AppError('invalid-argument', `invalid group by field: ${unknown}`);
  }
  const isChart = report === 'flame-graph' && fields.includes('timestamp');
  if (isChart && common.sideViews.length > 1) {
    throw new AppError('invalid-argument', 'cannot compare over time: a diff has no timestamps');
  }
  const kind = reportKinds[report];
  const isTree = kind.isOfTree && search === undefined;
  const { views, frameFilters } = isTree
    ? splitFrameFilters(allViews)
    : { views: allViews, frameFilters: [] };
  return {
    ...asked,
    ...common,
    views,
    labelNames: kind.isByLabels
      ? fields.filter(isLabel).map((field) => field.slice(labelPrefix.length))
      : [],
    tree: {
      frameFields: kind.isByFields ? frameFields.filter((field) => fields.includes(field)) : [],
      frameFilters,
      isChart,
    },
  };
}

function isLabel(field: string): boolean {
  return field.startsWith(labelPrefix) && field.length > labelPrefix.length;
}
