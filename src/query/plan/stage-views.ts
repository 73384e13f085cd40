// Translates the stages of a query to views of stacks, groups and a limit.
import { assertUnreachable } from '../../base/assert.ts';
import type { FrameCriteria, TextCondition } from '../../report/stacks/frame-criteria.ts';
import { plainView, type StackFold, type StackView } from '../../report/stacks/stack-view.ts';
import type {
  FrameCondition,
  GroupName,
  Stage,
  TextSpan,
  WrittenRange,
} from '../../promql-like/query.ts';

/** The result of translating stages. */
export interface StagePlan {
  /** Views, to be applied one after another. */
  readonly views: readonly StackView[];
  /** Fields to group by, as in `group_by` of a request. */
  readonly groupBy: readonly string[];
  /** Number of rows of a table or lines of a graph; 0 = all. */
  readonly top: number;
  /** Position of the increase stage; undefined if the query has none. */
  readonly increase: TextSpan | undefined;
  /** Times of the samples to sum; undefined if the query does not restrict them. */
  readonly samples: WrittenRange | undefined;
}

/**
 * Combines successive stages into one view, as long as a view applies them in the same order. Each
 * view walks all stacks, so fewer views are faster. A stage that is out of order begins the next
 * view.
 */
export function planStages(stages: readonly Stage[]): StagePlan {
  const views: StackView[] = [];
  let groupBy: readonly string[] = [];
  let top = 0;
  let increase: TextSpan | undefined;
  let samples: WrittenRange | undefined;
  let own: readonly string[] = [];
  let view = plainView;
  let rank = 0;
  for (const stage of stages) {
    if (stage.kind === 'by') {
      groupBy = stage.names.map(groupField);
    } else if (stage.kind === 'top') {
      top = stage.count;
    } else if (stage.kind === 'increase') {
      increase = stage.span;
    } else if (stage.kind === 'samples') {
      samples = stage;
    } else if (stage.kind === 'own') {
      own = stage.prefixes;
    } else {
      const next = stageRank(stage);
      const isLater = next > rank || (next === rank && mayRepeat(stage));
      const begins = view !== plainView && (!isLater || next === foldRank);
      if (begins) views.push(view);
      view = withStage(begins ? plainView : view, stage, own);
      rank = next;
    }
  }
  const all = view === plainView ? views : [...views, view];
  return { views: all, groupBy, top, increase, samples };
}

/** Rank of a stage that needs a separate view. */
const foldRank = 6;

type StackStage = Exclude<Stage, { readonly kind: 'increase' | 'samples' | 'own' | 'by' | 'top' }>;

/**
 * Returns the rank of a stage, by which a view applies its stages. An inversion and a sandwich can
 * be in one view in either order. If `frame` removes all frames of a stack, the empty stack stays;
 * `hide` and `show` drop it.
 */
function stageRank(stage: StackStage): number {
  switch (stage.kind) {
    case 'stack':
      return 1;
    case 'invert':
      return 2;
    case 'sandwich':
      return 3;
    case 'frame':
      return 4;
    case 'pattern':
      return stage.action === 'focus' || stage.action === 'ignore' ? 1 : 5;
    case 'root':
    case 'collapse':
      return foldRank;
    default:
      return assertUnreachable(stage);
  }
}

function mayRepeat({ kind }: StackStage): boolean {
  return kind === 'stack' || kind === 'frame' || kind === 'pattern';
}

function withStage(view: StackView, stage: StackStage, own: readonly string[]): StackView {
  switch (stage.kind) {
    case 'stack': {
      const { isNegated, isOfLeaf, condition } = stage;
      const criteria = { ...toCriteria(condition, isNegated, own), isOfLeaf };
      return { ...view, stackFilters: [...view.stackFilters, criteria] };
    }
    case 'frame': {
      const criteria = toCriteria(stage.condition, stage.action === 'drop', own);
      return { ...view, frameFilters: [...view.frameFilters, criteria] };
    }
    case 'pattern': {
      const { action, expression } = stage;
      const isNegated = action === 'ignore' || action === 'hide';
      const criteria = {
        anyName: { operator: 'matches', isNegated, texts: [expression] },
      } as const;
      return action === 'focus' || action === 'ignore'
        ? { ...view, stackFilters: [...view.stackFilters, criteria] }
        : { ...view, frameFilters: [...view.frameFilters, criteria] };
    }
    case 'sandwich':
      return { ...view, sandwich: stage.functionName };
    case 'root':
      return { ...view, fold: { kind: 'root', functionName: stage.functionName } };
    case 'collapse':
      return { ...view, fold: toFold(stage.condition, own) };
    case 'invert':
      return { ...view, isInverted: true };
    default:
      return assertUnreachable(stage);
  }
}

function toFold(condition: FrameCondition | undefined, own: readonly string[]): StackFold {
  if (condition === undefined) return { kind: 'recursion' };
  return { kind: 'run', criteria: toCriteria(condition, false, own) };
}

const criteriaNames = {
  function: 'functionName',
  system: 'systemName',
  file: 'fileName',
  binary: 'binary',
  package: 'package',
  kind: 'kind',
  address: 'address',
  line: 'lineNumber',
} as const satisfies Record<FrameCondition['field'], keyof FrameCriteria>;

const operators = {
  contains: 'contains',
  equals: 'equal',
  'starts with': 'starts-with',
  matches: 'matches',
} as const satisfies Record<string, TextCondition['operator']>;

function toCriteria(
  condition: FrameCondition,
  isNegated: boolean,
  own: readonly string[],
): FrameCriteria {
  const name = criteriaNames[condition.field];
  if ('number' in condition) return { [name]: { isNegated, value: condition.number } };
  const { comparison, text } = condition;
  const found = { isNegated, operator: operators[comparison], texts: [text] };
  return name === 'kind' ? { kind: { ...found, own } } : { [name]: found };
}

const groupFields = {
  function: 'function_name',
  file: 'function_file_name',
  binary: 'mapping_file',
  address: 'location_address',
} as const;

function groupField({ kind, name }: GroupName): string {
  return kind === 'label' ? `labels.${name}` : groupFields[name];
}
