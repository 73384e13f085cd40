// The call tree that a report is built from.
import type { ColumnMemory } from '../../model/column-memory.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import type { ProfileTimes } from '../../model/profiles/profile-columns.ts';
import { buildFlameChart, type ChartLane, type TimedTree } from '../../report/flame-chart.ts';
import { buildCallTree } from '../../report/tree/build-call-tree.ts';
import type { TreeScratch } from '../../report/tree/call-tree-builder.ts';
import type { CallTree, StackGroup } from '../../report/tree/call-tree.ts';
import { ShownFrames } from '../../report/tree/shown-frames.ts';
import { parseSpan } from '../merge/grouped-stacks.ts';
import type { TreeKind } from '../plan/build-plan.ts';

/** The data that a tree is built from. */
export interface TreeParts {
  readonly dictionary: Dictionary;
  /** Groups, at least one; in a diff, each has a base. */
  readonly groups: readonly StackGroup[];
  /** Unit of the values. */
  readonly unit: string;
  /** Period of all profiles; 0 if they differ. */
  readonly period: bigint;
  /** Memory for the tree. Charts do not use this memory, because they have too many trees. */
  readonly memory: ColumnMemory;
}

/** Returns the frames of the tree of a kind. */
export function showFrames(
  { dictionary }: Pick<TreeParts, 'dictionary'>,
  { frameFields, frameFilters }: TreeKind,
  scratch: TreeScratch,
): ShownFrames {
  const make = (): ShownFrames => new ShownFrames(dictionary, new Set(frameFields), frameFilters);
  // For plain frames, the dictionary already has the tree of calls.
  const isPlain = frameFields.length + frameFilters.length === 0;
  const asked = [frameFields, frameFilters];
  return isPlain ? make() : scratch.reuseFrames(dictionary, asked, make);
}

/** Builds the tree of a kind; `scratch` is memory for building it. */
export function buildTree(parts: TreeParts, kind: TreeKind, scratch: TreeScratch): CallTree {
  const { dictionary, groups, memory } = parts;
  const frames = showFrames(parts, kind, scratch);
  return kind.isChart
    ? toChart(parts, frames, scratch)
    : buildCallTree(dictionary, groups, frames, scratch, memory);
}

/** Builds the chart of groups whose last values are times of profiles. */
function toChart(
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
    moments: buildTrees(moments.sort(compareMoments), (merged) =>
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
  readonly span: ProfileTimes;
  readonly merged: MergedStacks;
}

function compareMoments(a: Moment, b: Moment): number {
  const [x, y] = [a.span, b.span];
  if (x.timeNanos !== y.timeNanos) return x.timeNanos < y.timeNanos ? -1 : 1;
  return Number(x.durationNanos - y.durationNanos);
}

/** Yields the tree for each time. A tree is built only when it is requested. */
function* buildTrees(
  moments: readonly Moment[],
  buildTree: (merged: MergedStacks) => CallTree,
): Generator<TimedTree> {
  for (const { span, merged } of moments) yield { span, tree: buildTree(merged) };
}
