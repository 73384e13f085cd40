// Hands merged and viewed stacks over to src/report: what each report is made of.
import { assert, assertUnreachable } from '../base/assert.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { LabelledStacks, MergedStacks } from '../model/merged-stacks.ts';
import { scaleBase, unscaled } from '../report/base-ratio.ts';
import type { BaseRatio } from '../report/base-ratio.ts';
import { buildCallTree } from '../report/build-call-tree.ts';
import { buildCallGraph } from '../report/call-graph.ts';
import type { TreeScratch } from '../report/call-tree-builder.ts';
import type { CallTree, StackGroup } from '../report/call-tree.ts';
import { buildFlameChart } from '../report/flame-chart.ts';
import type { ChartLane, ProfileSpan, TimedTree } from '../report/flame-chart.ts';
import { buildFlameGraph } from '../report/flame-graph.ts';
import { FrameIdentity } from '../report/frame-identity.ts';
import { sumFunctions } from '../report/function-sums.ts';
import { mappingFilesOf } from '../report/mapping-files.ts';
import { sumSourceLines } from '../report/source-lines.ts';
import { buildTable } from '../report/table.ts';
import { buildTop } from '../report/top.ts';
import { answerChanges } from './changes-answer.ts';
import type { Comparison } from './comparison.ts';
import type { GroupBy } from './group-by.ts';
import type { ReportBody, ReportKind, ReportQuestion } from './interface.ts';
import { parseSpan } from './profile-span.ts';

/** What a report is made of. */
export interface ReportParts {
  readonly dictionary: Dictionary;
  /** At least one; of a diff, each has a base. */
  readonly groups: readonly StackGroup[];
  /** Of a diff. */
  readonly comparison: Comparison | undefined;
  /** What values are in. */
  readonly unit: string;
  /** Of all profiles, 0 when they differ. */
  readonly period: bigint;
  /** Names, for a report about labels. */
  readonly seriesLabels: readonly string[];
  /** Most rows of a table; 0 = all. */
  readonly top: number;
}

/** Builds the report that `question` asks for; good until the next await. */
export function buildReport(
  question: ReportQuestion,
  groupBy: GroupBy,
  parts: ReportParts,
  scratch: TreeScratch,
): ReportBody {
  const { labelNames, frameFields } = groupBy;
  const { dictionary, groups, comparison, seriesLabels, top } = parts;
  const ratio = comparison?.ratio ?? unscaled;
  const treeOf = (identity?: FrameIdentity): CallTree =>
    buildCallTree(dictionary, groups, identity, scratch);
  switch (question.report) {
    case 'flame-graph':
    case 'nested-flame-graph':
    case 'flame-graph-table': {
      const identity =
        frameFields.size === 0 ? undefined : new FrameIdentity(dictionary, frameFields);
      const showAddress = frameFields.has('location_address');
      const zoomPath = question.zoomPath ?? [];
      const options = { ...question, labelNames, zoomPath, showAddress, ratio };
      const tree = isChart(question.report, groupBy)
        ? chartOf(parts, identity, scratch)
        : treeOf(identity);
      const graph = buildFlameGraph(dictionary, tree, groups, options);
      return { kind: question.report, graph };
    }
    case 'top':
      return { kind: 'top', top: buildTop(dictionary, treeOf(), ratio, top) };
    case 'table':
      return { kind: 'table', table: buildTable(dictionary, treeOf(), ratio, top) };
    case 'call-graph':
      return { kind: 'call-graph', graph: buildCallGraph(dictionary, treeOf(), ratio) };
    case 'profile':
      return { kind: 'profile', dictionary, groups: labelledGroups(groups, labelNames, ratio) };
    case 'changes': {
      assert(comparison !== undefined, 'a diff');
      const measure = question.measure ?? 'flat';
      return answerChanges(dictionary, treeOf(), groups, comparison, measure);
    }
    case 'functions': {
      const names = question.functionNames ?? [];
      return { kind: 'functions', sums: sumFunctions(dictionary, groups[0].merged, names) };
    }
    case 'source': {
      const file = question.source ?? { buildId: '', fileName: '' };
      return { kind: 'source', lines: sumSourceLines(dictionary, groups, file, ratio) };
    }
    case 'metadata': {
      const mappingFiles = mappingFilesOf(dictionary, groups[0].merged);
      return { kind: 'metadata', mappingFiles, labelNames: seriesLabels };
    }
    default:
      return assertUnreachable(question.report);
  }
}

/** Whether the profiles of a report stand side by side in time; others are of all together. */
export function isChart(report: ReportKind, { byTime }: GroupBy): boolean {
  return byTime && report === 'flame-graph';
}

/** A chart of groups whose last values are spans of profiles. */
function chartOf(
  { dictionary, groups, unit, period }: ReportParts,
  identity: FrameIdentity | undefined,
  scratch: TreeScratch,
): CallTree {
  const byLabels = new Map<string, ChartLane & { readonly moments: Moment[] }>();
  groups.forEach(({ labelValues, merged }, number) => {
    const span = parseSpan(labelValues[labelValues.length - 1]);
    if (span === undefined || merged.stacks.length === 0) return;
    const labels = labelValues.slice(0, -1);
    const group = labels.some((value) => value !== '') ? number : -1;
    const key = JSON.stringify(labels);
    const lane = byLabels.get(key) ?? { group, moments: [] };
    byLabels.set(key, lane);
    lane.moments.push({ span, merged });
  });
  const lanes = [...byLabels.values()].map(({ group, moments }) => ({
    group,
    moments: treesOf(moments.sort(compareMoments), (merged) =>
      buildCallTree(dictionary, [{ labelValues: [], merged }], identity, scratch),
    ),
  }));
  return buildFlameChart(lanes, {
    isTime: unit === 'nanoseconds',
    gapNanosMax: Number(period) * chartGapOfPeriod,
  });
}

/** Source: Parca's FLAMECHART. */
const chartGapOfPeriod = 0.1;

interface Moment {
  readonly span: ProfileSpan;
  readonly merged: MergedStacks;
}

function compareMoments(a: Moment, b: Moment): number {
  const [x, y] = [a.span, b.span];
  if (x.timeNanos !== y.timeNanos) return x.timeNanos < y.timeNanos ? -1 : 1;
  return Number(x.durationNanos - y.durationNanos);
}

/** The tree of each moment, when it is its turn. */
function* treesOf(
  moments: readonly Moment[],
  treeOf: (merged: MergedStacks) => CallTree,
): Generator<TimedTree> {
  for (const { span, merged } of moments) yield { span, tree: treeOf(merged) };
}

/** The groups with their labels by name; bases are scaled. */
function labelledGroups(
  groups: readonly StackGroup[],
  labelNames: readonly string[],
  ratio: BaseRatio,
): LabelledStacks[] {
  return groups.map(({ labelValues, merged, base }) => {
    const labels = labelNames
      .map((name, i) => ({ name, value: labelValues[i] }))
      .filter(({ value }) => value !== '');
    if (base === undefined) return { labels, merged };
    return { labels, merged, base: { ...base, values: scaleBase(base.values, ratio) } };
  });
}
