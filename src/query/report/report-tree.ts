// The tree of calls that a report is made of, and what is known of its rows.
import type { Dictionary } from '../../model/dictionary.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import {
  buildFlameChart,
  type ChartLane,
  type ProfileTime,
  type TimedTree,
} from '../../report/flame-chart.ts';
import type { KnownRows } from '../../report/flame-graph.ts';
import type { FrameCriteria } from '../../report/stacks/frame-criteria.ts';
import {
  splitFrameFilters,
  type SplitViews,
  type StackView,
} from '../../report/stacks/stack-view.ts';
import { buildCallTree } from '../../report/tree/build-call-tree.ts';
import type { TreeScratch } from '../../report/tree/call-tree-builder.ts';
import {
  type CallTree,
  type ChildLinks,
  linkChildren,
  type StackGroup,
} from '../../report/tree/call-tree.ts';
import { factsOfRows } from '../../report/tree/frame-facts.ts';
import type { FrameField } from '../../report/tree/frame-keys.ts';
import { ShownFrames } from '../../report/tree/shown-frames.ts';
import type { ReportKind, ReportQuestion } from '../interface.ts';
import { parseSpan } from '../merge/profile-span.ts';
import type { GroupBy } from '../plan/group-by.ts';

/** What a tree depends on besides its stacks. */
export interface TreeKind {
  /** What tells frames apart beside their function names. */
  readonly frameFields: readonly FrameField[];
  /** Frames have no rows where one of these leaves them out. */
  readonly frameFilters: readonly FrameCriteria[];
  /** Whether profiles stand side by side in time. */
  readonly isChart: boolean;
}

/** What a tree is built of. */
export interface TreeParts {
  readonly dictionary: Dictionary;
  /** At least one; of a diff, each has a base. */
  readonly groups: readonly StackGroup[];
  /** What values are in. */
  readonly unit: string;
  /** Of all profiles, 0 when they differ. */
  readonly period: bigint;
}

/** The tree that a report asks for: only flame graphs tell frames apart by more than names. */
export function treeKindOf(
  report: ReportKind,
  groupBy: GroupBy,
  frameFilters: readonly FrameCriteria[],
): TreeKind {
  const isFlameGraph =
    report === 'flame-graph' || report === 'nested-flame-graph' || report === 'flame-graph-table';
  const frameFields = isFlameGraph ? [...groupBy.frameFields].sort() : [];
  return { frameFields, frameFilters, isChart: isChart(report, groupBy) };
}

/** Whether the profiles of a report stand side by side in time; others are of all together. */
export function isChart(report: ReportKind, { byTime }: GroupBy): boolean {
  return byTime && report === 'flame-graph';
}

/** Reports that are made of a tree of calls alone. */
const treeReports: ReadonlySet<ReportKind> = new Set([
  ...(['flame-graph', 'nested-flame-graph', 'flame-graph-table'] as const),
  ...(['top', 'table', 'call-graph', 'changes'] as const),
]);

/**
 * Views of the stacks that a report is made of, and frame filters for its tree, which leaves frames
 * out for a part of what changed stacks cost. What is searched for is found in the stacks.
 */
export function viewsOf(
  { report, search }: ReportQuestion,
  views: readonly StackView[],
): SplitViews {
  const isTree = treeReports.has(report) && search === undefined;
  return isTree ? splitFrameFilters(views) : { views, frameFilters: [] };
}

/** A tree that is built when it is first asked for. */
export class ReportTree {
  readonly #parts: TreeParts;
  readonly #kind: TreeKind;
  readonly #isForMany: boolean;
  #built: CallTree | undefined;
  #rows: KnownRows | undefined;
  #links: ChildLinks | undefined;

  /** `isForMany`: whether several reports will be made of it. */
  constructor(parts: TreeParts, kind: TreeKind, isForMany: boolean) {
    this.#parts = parts;
    this.#kind = kind;
    this.#isForMany = isForMany;
  }

  /** `scratch` is memory to build it with. */
  calls(scratch: TreeScratch): CallTree {
    this.#built ??= this.#build(scratch);
    return this.#built;
  }

  /** What is known of all of its rows, where several reports want some of them. */
  knownRows(scratch: TreeScratch): KnownRows | undefined {
    if (!this.#isForMany) return undefined;
    const calls = this.calls(scratch);
    this.#rows ??= {
      facts: factsOfRows(this.#parts.dictionary, calls),
      marks: new Int32Array(calls.length),
      links: () => (this.#links ??= linkChildren(calls)),
    };
    return this.#rows;
  }

  /** Bytes of memory that it has taken so far: 0 before it is built. */
  get usedBytes(): number {
    const built = this.#built;
    const rows = this.#rows;
    const links = this.#links;
    const rowBytes = rows === undefined ? 0 : rows.facts.usedBytes + rows.marks.byteLength;
    const linkBytes = links === undefined ? 0 : links.first.byteLength + links.next.byteLength;
    return rowBytes + linkBytes + (built?.ownBytes ?? 0) + (built?.frames.usedBytes ?? 0);
  }

  #build(scratch: TreeScratch): CallTree {
    const { dictionary, groups } = this.#parts;
    const { frameFields, frameFilters } = this.#kind;
    const make = (): ShownFrames => new ShownFrames(dictionary, new Set(frameFields), frameFilters);
    // Of plain frames the dictionary itself keeps all that there is.
    const isPlain = frameFields.length + frameFilters.length === 0;
    const asked = [frameFields, frameFilters];
    const frames = isPlain ? make() : scratch.frames.of(dictionary, asked, make);
    return this.#kind.isChart
      ? chartOf(this.#parts, frames, scratch)
      : buildCallTree(dictionary, groups, frames, scratch);
  }
}

/** A chart of groups whose last values are spans of profiles. */
function chartOf(
  { dictionary, groups, unit, period }: TreeParts,
  frames: ShownFrames,
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
      buildCallTree(dictionary, [{ labelValues: [], merged }], frames, scratch),
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
  readonly span: ProfileTime;
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
