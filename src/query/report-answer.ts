// Answers questions for reports: select, merge, and hand over to src/report.
import { assert, assertUnreachable } from '../base/assert.ts';
import { AppError } from '../base/errors.ts';
import type { Dictionary } from '../model/dictionary.ts';
import { StackMerger, sumValues } from '../model/merge.ts';
import { scaleBase, unscaled } from '../report/base-ratio.ts';
import type { BaseRatio } from '../report/base-ratio.ts';
import { buildCallTree } from '../report/build-call-tree.ts';
import { buildCallGraph } from '../report/call-graph.ts';
import type { StackGroup } from '../report/call-tree.ts';
import { TreeScratch } from '../report/call-tree-builder.ts';
import { buildFlameGraph } from '../report/flame-graph.ts';
import { FrameIdentity } from '../report/frame-identity.ts';
import { sumFunctions } from '../report/function-sums.ts';
import { mappingFilesOf } from '../report/mapping-files.ts';
import { sumSourceLines } from '../report/source-lines.ts';
import { plainView, StackViewer } from '../report/stack-view.ts';
import { buildTable } from '../report/table.ts';
import { buildTop } from '../report/top.ts';
import type { Querier } from '../storage/interface.ts';
import { AnswerView, emptyStacks, inOneDictionary } from './answer-stacks.ts';
import { answerChanges } from './changes-answer.ts';
import { compareSides } from './comparison.ts';
import type { Comparison } from './comparison.ts';
import type { QueryContext } from './context.ts';
import { parseGroupBy } from './group-by.ts';
import type { GroupBy } from './group-by.ts';
import type { Report, ReportBody, ReportKind, ReportQuestion } from './interface.ts';
import type { MergePool } from './merge-pool.ts';
import { missingSentences } from './missing.ts';
import { SelectionMerger } from './selection-merger.ts';
import { countSamples } from './summary.ts';
import { ViewDictionary } from './view-dictionary.ts';

/** What a report is made of. */
interface Parts {
  readonly dictionary: Dictionary;
  readonly groups: readonly StackGroup[];
  readonly ratio: BaseRatio;
  /** Of a diff. */
  readonly comparison: Comparison | undefined;
  readonly seriesLabels: readonly string[];
}

/** Reports that can be made of a diff. */
const diffReports: ReadonlySet<ReportKind> = new Set([
  'flame-graph',
  'top',
  'table',
  'profile',
  'metadata',
  'changes',
]);

/** Builds reports; keeps scratch memory between them. */
export class ReportAnswerer {
  private readonly selections: SelectionMerger;
  private readonly merger = new StackMerger();
  private readonly scratch = new TreeScratch();
  private readonly views = new ViewDictionary();

  /** `cacheBytesMax`: merges that are kept for later questions. */
  constructor(querier: Querier, pool: MergePool, cacheBytesMax: number) {
    this.selections = new SelectionMerger(querier, pool, this.merger, cacheBytesMax);
  }

  async answer(question: ReportQuestion, context: QueryContext): Promise<Report> {
    const { select, report } = question;
    const groupBy = parseGroupBy(question.groupBy);
    const diff = select.mode === 'diff' ? select : undefined;
    if (diff !== undefined && !diffReports.has(report)) {
      throw new AppError('unimplemented', `a diff as ${report} is not implemented yet`);
    }
    const main = select.mode === 'diff' ? select.compared : select;
    const options = {
      labelNames: report === 'flame-graph' ? groupBy.labelNames : [],
      // Parca's exports turn counts into nanoseconds under a header that says counts; ours do not.
      scales: report !== 'profile' && [main, diff?.base].some((one) => one?.mode === 'merge'),
      listsSeriesLabels: report === 'metadata',
    };
    const view = new AnswerView(this.views, this.merger);
    const selected = await this.selections.merge(main, options, view, context);
    const base =
      diff === undefined
        ? undefined
        : await this.selections.merge(diff.base, options, view, context);
    const merges = base === undefined ? [selected] : [selected, base];
    const { dictionary, sides } = inOneDictionary(
      merges.map(({ stacks }) => stacks),
      view,
    );
    const [compared, baseGroups] = sides.map((groups) => withoutNone(groups, options.labelNames));
    const comparison =
      diff === undefined || base === undefined
        ? undefined
        : compareSides(
            { selection: selected, total: totalOf(compared) },
            { selection: base, total: totalOf(baseGroups) },
            diff.baseScale,
          );
    const ratio = comparison?.ratio ?? unscaled;
    const { summary, isScaled, profileType, valueType, seriesLabels } = selected;
    const viewer = new StackViewer(dictionary, question.view ?? plainView, this.merger);
    const groups: StackGroup[] = [];
    let total = 0n;
    let filtered = 0n;
    for (const group of base === undefined ? compared : pairGroups(compared, baseGroups)) {
      const viewed = viewer.apply(group.merged);
      const { merged } = viewed;
      groups.push(
        group.base === undefined
          ? { ...group, merged }
          : { ...group, merged, base: viewer.apply(group.base).merged },
      );
      total += sumValues(merged.values);
      filtered += viewed.filtered;
    }
    const sampleCount = countSamples(summary, profileType, total, isScaled);
    const missing = missingSentences(merges.flatMap((one) => one.missing));
    const head = {
      ...summary.times,
      sampleCount,
      profileType,
      valueType,
      total,
      filtered,
      missing,
    };
    const parts = { dictionary: viewer.dictionary, groups, ratio, comparison, seriesLabels };
    return { ...head, ...this.build(question, groupBy, parts) };
  }

  private build(
    question: ReportQuestion,
    { labelNames, frameFields }: GroupBy,
    { dictionary, groups, ratio, comparison, seriesLabels }: Parts,
  ): ReportBody {
    switch (question.report) {
      case 'flame-graph':
      case 'nested-flame-graph':
      case 'flame-graph-table': {
        const identity =
          frameFields.size === 0 ? undefined : new FrameIdentity(dictionary, frameFields);
        const tree = buildCallTree(dictionary, groups, identity, this.scratch);
        const showAddress = frameFields.has('location_address');
        const options = { ...question, labelNames, showAddress, ratio };
        const graph = buildFlameGraph(dictionary, tree, groups, options);
        return { kind: question.report, graph };
      }
      case 'top': {
        const tree = buildCallTree(dictionary, groups, undefined, this.scratch);
        return { kind: 'top', top: buildTop(dictionary, tree, ratio) };
      }
      case 'profile': {
        const [{ merged, base }] = groups;
        const profile = { kind: 'profile', dictionary, stacks: merged } as const;
        if (base === undefined) return profile;
        const values = scaleBase(base.values, ratio);
        return { ...profile, base: { stacks: base.stacks, values } };
      }
      case 'table': {
        const tree = buildCallTree(dictionary, groups, undefined, this.scratch);
        return { kind: 'table', table: buildTable(dictionary, tree, ratio) };
      }
      case 'call-graph': {
        const tree = buildCallTree(dictionary, groups, undefined, this.scratch);
        return { kind: 'call-graph', graph: buildCallGraph(dictionary, tree) };
      }
      case 'functions': {
        const names = question.functionNames ?? [];
        return { kind: 'functions', sums: sumFunctions(dictionary, groups[0].merged, names) };
      }
      case 'changes': {
        assert(comparison !== undefined, 'a diff');
        const tree = buildCallTree(dictionary, groups, undefined, this.scratch);
        const measure = question.measure ?? 'flat';
        return answerChanges(dictionary, tree, groups, comparison, measure);
      }
      case 'source': {
        const file = question.source ?? { buildId: '', fileName: '' };
        return { kind: 'source', lines: sumSourceLines(dictionary, groups[0].merged, file) };
      }
      case 'metadata': {
        const mappingFiles = mappingFilesOf(dictionary, groups[0].merged);
        return { kind: 'metadata', mappingFiles, labelNames: seriesLabels };
      }
      default:
        return assertUnreachable(question.report);
    }
  }
}

/** At least one group, that of nothing when there is none. */
function withoutNone(
  groups: readonly StackGroup[],
  labelNames: readonly string[],
): readonly StackGroup[] {
  if (groups.length > 0) return groups;
  return [{ labelValues: labelNames.map(() => ''), merged: emptyStacks }];
}

function totalOf(groups: readonly StackGroup[]): bigint {
  return groups.reduce((sum, { merged }) => sum + sumValues(merged.values), 0n);
}

/** Groups of both sides by their labels; those of the base alone come last. */
function pairGroups(selected: readonly StackGroup[], base: readonly StackGroup[]): StackGroup[] {
  const keyOf = ({ labelValues }: StackGroup): string => JSON.stringify(labelValues);
  const byKey = new Map(selected.map((group) => [keyOf(group), group]));
  for (const group of base) {
    const { labelValues, merged } = group;
    const other = byKey.get(keyOf(group)) ?? { labelValues, merged: emptyStacks };
    byKey.set(keyOf(group), { ...other, base: merged });
  }
  return [...byKey.values()].map((group) => ({ base: emptyStacks, ...group }));
}
