// Builds reports of merged and viewed stacks by means of src/report.
import { assert, assertUnreachable } from '../../base/assert.ts';
import type { ColumnMemory } from '../../model/column-memory.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { LabelledStacks } from '../../model/merged-stacks.ts';
import { scaleBase, unscaled, type BaseRatio } from '../../report/base-ratio.ts';
import { buildCallGraph } from '../../report/call-graph.ts';
import type { TreeScratch } from '../../report/tree/call-tree-builder.ts';
import type { CallTree, StackGroup } from '../../report/tree/call-tree.ts';
import { buildFlameGraph } from '../../report/flame-graph.ts';
import { mappingFilesOf } from '../../report/mapping-files.ts';
import { sumSourceLines } from '../../report/source-lines.ts';
import { buildTable } from '../../report/table.ts';
import { buildTop } from '../../report/top.ts';
import { answerChanges, type Comparison } from './comparison.ts';
import type { BuildPlan } from '../plan/build-plan.ts';
import type { ReportBody } from '../interface.ts';

/** The data that a report is built of. */
export interface ReportParts {
  readonly dictionary: Dictionary;
  /** Groups, at least one; in a diff, each has a base. */
  readonly groups: readonly StackGroup[];
  /** Comparison of the sides, in a diff. */
  readonly comparison: Comparison | undefined;
  /** Names of labels, for a report about labels. */
  readonly seriesLabels: readonly string[];
  /** Memory of the report. */
  readonly memory: ColumnMemory;
  /** Builds the tree, for a report of calls. */
  tree(): CallTree;
}

/** Builds the planned report, which is valid until the next await. */
export function buildReport(
  plan: BuildPlan,
  { dictionary, groups, comparison, seriesLabels, memory, tree }: ReportParts,
  scratch: TreeScratch,
): ReportBody {
  const ratio = comparison?.ratio ?? unscaled;
  const { report, labelNames, top, isRecord = false } = plan;
  switch (report) {
    case 'flame-graph':
    case 'nested-flame-graph':
    case 'flame-graph-table': {
      const showAddress = plan.tree.frameFields.includes('location_address');
      const { zoomPath = [] } = plan;
      const options = { ...plan, zoomPath, showAddress, ratio };
      const calls = tree();
      const marks = scratch.marks(calls.length);
      const graph = buildFlameGraph(dictionary, calls, groups, options, marks, memory);
      return { kind: report, graph };
    }
    case 'top': {
      const listed = buildTop(dictionary, tree(), ratio, top, plan.topLimit);
      return { kind: 'top', top: listed, isRecord };
    }
    case 'table':
      return { kind: 'table', table: buildTable(dictionary, tree(), ratio, top) };
    case 'call-graph':
      return { kind: 'call-graph', graph: buildCallGraph(dictionary, tree(), ratio) };
    case 'profile':
      return { kind: 'profile', dictionary, groups: labelledGroups(groups, labelNames, ratio) };
    case 'changes': {
      assert(comparison !== undefined, 'a diff');
      const measure = plan.measure ?? 'flat';
      return answerChanges(dictionary, tree(), groups, comparison, measure, top);
    }
    case 'functions': {
      assert(plan.functions !== undefined, 'functions to sum');
      return { kind: 'functions', sums: plan.functions.sum(dictionary, groups[0].merged) };
    }
    case 'source': {
      const file = plan.source ?? { buildId: '', fileName: '' };
      return { kind: 'source', lines: sumSourceLines(dictionary, groups, file, ratio) };
    }
    case 'metadata': {
      const mappingFiles = mappingFilesOf(dictionary, groups[0].merged);
      return { kind: 'metadata', mappingFiles, labelNames: seriesLabels };
    }
    default:
      return assertUnreachable(report);
  }
}

/** Returns the groups with their labels by name; bases are scaled. */
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
