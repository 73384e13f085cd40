// The kinds of reports: a table with a row for each kind, which defines its input and builds it.
import { assert } from '../base/assert.ts';
import type { ColumnMemory } from '../model/column-memory.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { LabelledStacks } from '../model/merged-stacks.ts';
import { type BaseRatio, type BaseScale, scaleBase } from '../report/base-ratio.ts';
import { buildCallGraph } from '../report/call-graph.ts';
import type { Changes, FunctionMeasure } from '../report/changes.ts';
import { buildFlameGraph, type FlameGraph, type FlameGraphOptions } from '../report/flame-graph.ts';
import type { FunctionSummer } from '../report/function-sums.ts';
import { sumInstructions, type WantedCode } from '../report/instruction-values.ts';
import { listMappingFiles } from '../report/mapping-files.ts';
import { type SourceFile, sumSourceLines } from '../report/source-lines.ts';
import { buildTable } from '../report/table.ts';
import { buildTop, withParts } from '../report/top.ts';
import type { CallTree, StackGroup } from '../report/tree/call-tree.ts';
import type { ShownFrames } from '../report/tree/shown-frames.ts';

/** The data that a report is built from. */
export interface ReportParts {
  readonly dictionary: Dictionary;
  /** Groups, at least one; in a diff, each has a base. */
  readonly groups: readonly StackGroup[];
  /** Factor of the base. */
  readonly ratio: BaseRatio;
  /** Label names, for a report about labels. */
  readonly seriesLabels: readonly string[];
  readonly memory: ColumnMemory;
  /** Returns the tree, for a report about calls. */
  readonly tree: () => CallTree;
  /** Returns the frames of the tree. */
  readonly frames: () => ShownFrames;
  /** Returns an array of zeros for the rows of a tree; the caller must zero it again. */
  readonly marks: (rowCount: number) => Int32Array;
  /** Ranks the changes of a tree, in a diff. */
  readonly changes: ((tree: CallTree, measure: FunctionMeasure) => RankedChanges) | undefined;
}

/** Options of a query that define how its report is built. */
export interface BuildOptions extends Omit<
  FlameGraphOptions,
  'showAddress' | 'ratio' | 'zoomPath'
> {
  readonly zoomPath?: readonly string[];
  readonly tree: { readonly frameFields: readonly string[] };
  /** Largest number of rows of a table; 0 = all. */
  readonly top: number;
  readonly topLimit?: { readonly count: number; readonly by: FunctionMeasure } | undefined;
  readonly isRecord?: boolean;
  readonly measure?: FunctionMeasure;
  readonly source?: SourceFile;
  readonly code?: WantedCode;
  readonly functions?: FunctionSummer;
}

/** Changes between the sides of a diff. */
export interface RankedChanges {
  readonly changes: Changes;
  /** Difference of the totals: the total of `compared` minus the scaled total of the base. */
  readonly difference: bigint;
  /** Factor of the base, and the scale that it comes from. */
  readonly ratio: BaseRatio;
  readonly baseScale: BaseScale;
}

/** One kind of report. */
interface KindRow {
  /** True if the report is built from nothing but a call tree. */
  readonly isOfTree: boolean;
  /** True if the report keeps groups of labels separate. */
  readonly isByLabels: boolean;
  /** True if the report can distinguish frames by more than their names. */
  readonly isByFields: boolean;
  /** Builds the report, which is valid until the next await. */
  readonly build: (parts: ReportParts, options: BuildOptions) => object;
}

const ofTree = { isOfTree: true, isByLabels: false, isByFields: false };
const ofStacks = { isOfTree: false, isByLabels: false, isByFields: false };
const flameGraph = {
  ...ofTree,
  isByFields: true,
  build(parts: ReportParts, options: BuildOptions): { readonly graph: FlameGraph } {
    const { dictionary, groups, memory, ratio, marks } = parts;
    const showAddress = options.tree.frameFields.includes('location_address');
    const { zoomPath = [] } = options;
    const calls = parts.tree();
    const how = { ...options, zoomPath, showAddress, ratio };
    return { graph: buildFlameGraph(dictionary, calls, groups, how, marks(calls.length), memory) };
  },
};

/**
 * The rows by kind. To add a kind, also add its encoding in `src/api/query/report-encodings.ts`.
 */
export const reportKinds = {
  'flame-graph': { ...flameGraph, isByLabels: true },
  /** A flame graph without labels, for old clients that need nested messages. */
  'nested-flame-graph': flameGraph,
  'flame-graph-table': flameGraph,
  top: {
    ...ofTree,
    build({ dictionary, tree, ratio, groups, frames }, { top, topLimit, isRecord = false }) {
      const built = buildTop(dictionary, tree(), ratio, top, topLimit);
      return { top: isRecord ? withParts(built, groups, frames()) : built, isRecord };
    },
  },
  table: {
    ...ofTree,
    build: ({ dictionary, tree, ratio }, { top }) => ({
      table: buildTable(dictionary, tree(), ratio, top),
    }),
  },
  'call-graph': {
    ...ofTree,
    build: ({ dictionary, tree, ratio }) => ({ graph: buildCallGraph(dictionary, tree(), ratio) }),
  },
  source: {
    ...ofStacks,
    build({ dictionary, groups, ratio }, { source = { buildId: '', fileName: '' } }) {
      return { lines: sumSourceLines(dictionary, groups, source, ratio) };
    },
  },
  /** A list, for our own route only. */
  instructions: {
    ...ofStacks,
    build({ dictionary, groups }, { code = { functionName: '', buildId: '' } }) {
      return { code: sumInstructions(dictionary, groups, code) };
    },
  },
  functions: {
    ...ofStacks,
    build({ dictionary, groups }, { functions }) {
      assert(functions !== undefined, 'functions to sum');
      return { sums: functions.sum(dictionary, groups[0].merged) };
    },
  },
  /** A list, for diffs only. */
  changes: {
    ...ofTree,
    build({ tree, changes }, { measure = 'flat', top }) {
      assert(changes !== undefined, 'a diff');
      // `top` is the number of functions to name. It comes from the query's `top` stage; 0 = all.
      return { ...changes(tree(), measure), top };
    },
  },
  profile: {
    ...ofStacks,
    isByLabels: true,
    build({ dictionary, groups, ratio }, { labelNames }) {
      return { dictionary, groups: labelledGroups(groups, labelNames, ratio) };
    },
  },
  metadata: {
    ...ofStacks,
    build({ dictionary, groups, seriesLabels }) {
      // Both lists are sorted. One has the paths of the binaries of all frames, the other has the
      // label names of the selection.
      const mappingFiles = listMappingFiles(dictionary, groups[0].merged);
      return { mappingFiles, labelNames: seriesLabels };
    },
  },
} as const satisfies Readonly<Record<string, KindRow>>;

/** Kind of a report on the selected profiles. */
export type ReportKind = keyof typeof reportKinds;

/** The fields of a report that depend on its kind. */
export type ReportBody<K extends ReportKind = ReportKind> = {
  readonly [Kind in K]: { readonly kind: Kind } & Readonly<
    ReturnType<(typeof reportKinds)[Kind]['build']>
  >;
}[K];

/** Builds a report of a kind, which is valid until the next await. */
export function buildReport(
  kind: ReportKind,
  parts: ReportParts,
  options: BuildOptions,
): ReportBody {
  const row: KindRow = reportKinds[kind];
  // The cast is right, because the row of a kind builds only reports of that kind.
  return { kind, ...row.build(parts, options) } as ReportBody;
}

/** Returns the groups with their labels by name, and with scaled bases. */
function labelledGroups(
  groups: readonly StackGroup[],
  labelNames: readonly string[],
  ratio: BaseRatio,
): readonly LabelledStacks[] {
  return groups.map(({ labelValues, merged, base }) => {
    const labels = labelNames
      .map((name, i) => ({ name, value: labelValues[i] }))
      .filter(({ value }) => value !== '');
    if (base === undefined) return { labels, merged };
    return { labels, merged, base: { ...base, values: scaleBase(base.values, ratio) } };
  });
}
