// The tree of calls that a report is made of, and the facts of its rows.
import type { Dictionary } from '../../model/dictionary.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import {
  buildFlameChart,
  type ChartLane,
  type ProfileTime,
  type TimedTree,
} from '../../report/flame-chart.ts';
import type { KnownRows } from '../../report/flame-graph.ts';
import { buildCallTree } from '../../report/tree/build-call-tree.ts';
import type { TreeScratch } from '../../report/tree/call-tree-builder.ts';
import {
  type CallTree,
  type ChildLinks,
  linkChildren,
  type StackGroup,
} from '../../report/tree/call-tree.ts';
import { factsOfRows } from '../../report/tree/frame-facts.ts';
import { ShownFrames } from '../../report/tree/shown-frames.ts';
import { parseSpan } from '../merge/grouped-stacks.ts';
import type { TreeKind } from '../plan/build-plan.ts';

/** The data that a tree is built of. */
export interface TreeParts {
  readonly dictionary: Dictionary;
  /** Groups, at least one; in a diff, each has a base. */
  readonly groups: readonly StackGroup[];
  /** Unit of the values. */
  readonly unit: string;
  /** Period of all profiles; 0 when they differ. */
  readonly period: bigint;
}

/** A tree that is built on first use. */
export class ReportTree {
  readonly #parts: TreeParts;
  readonly #kind: TreeKind;
  readonly #isForMany: boolean;
  #built: CallTree | undefined;
  #rows: KnownRows | undefined;
  #links: ChildLinks | undefined;
  #reportCount = 0;

  /** `isForMany` is true if several reports will be made of the tree. */
  constructor(parts: TreeParts, kind: TreeKind, isForMany: boolean) {
    this.#parts = parts;
    this.#kind = kind;
    this.#isForMany = isForMany;
  }

  /** Returns the tree; `scratch` is memory for building it. */
  calls(scratch: TreeScratch): CallTree {
    this.#built ??= this.#build(scratch);
    return this.#built;
  }

  /**
   * Returns the facts of all of its rows, from the second report on. Most trees make only one,
   * which needs the facts of the rows that it shows.
   */
  knownRows(scratch: TreeScratch): KnownRows | undefined {
    this.#reportCount += 1;
    if (!this.#isForMany || this.#reportCount === 1) return undefined;
    const calls = this.calls(scratch);
    this.#rows ??= {
      facts: factsOfRows(this.#parts.dictionary, calls),
      links: () => (this.#links ??= linkChildren(calls)),
    };
    return this.#rows;
  }

  /** Gives the tree's memory to the next one. Reports that were made of it have copies. */
  release(): void {
    this.#built?.release?.();
    this.#built = undefined;
    this.#rows = undefined;
    this.#links = undefined;
  }

  /** Memory in bytes so far: 0 before the tree is built. */
  get usedBytes(): number {
    const built = this.#built;
    const rows = this.#rows;
    const links = this.#links;
    const rowBytes = rows === undefined ? 0 : rows.facts.usedBytes;
    const linkBytes = links === undefined ? 0 : links.first.byteLength + links.next.byteLength;
    return rowBytes + linkBytes + (built?.ownBytes ?? 0) + (built?.frames.usedBytes ?? 0);
  }

  #build(scratch: TreeScratch): CallTree {
    const { dictionary, groups } = this.#parts;
    const { frameFields, frameFilters } = this.#kind;
    const make = (): ShownFrames => new ShownFrames(dictionary, new Set(frameFields), frameFilters);
    // The facts of plain frames are all in the dictionary itself.
    const isPlain = frameFields.length + frameFilters.length === 0;
    const asked = [frameFields, frameFilters];
    const frames = isPlain ? make() : scratch.framesOf(dictionary, asked, make);
    return this.#kind.isChart
      ? chartOf(this.#parts, frames, scratch)
      : buildCallTree(dictionary, groups, frames, scratch);
  }
}

/** Builds the chart of groups whose last values are times of profiles. */
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

/** Yields the tree of each moment, built when it is its turn. */
function* treesOf(
  moments: readonly Moment[],
  treeOf: (merged: MergedStacks) => CallTree,
): Generator<TimedTree> {
  for (const { span, merged } of moments) yield { span, tree: treeOf(merged) };
}
