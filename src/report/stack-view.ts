// How a report looks at stacks: which it drops, which of their frames it shows, and in what order.
import type { Dictionary } from '../model/dictionary.ts';
import type { StackMerger } from '../model/merge.ts';
import { sumValues } from '../model/merge.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { FrameCriteria } from './frame-criteria.ts';
import { StackFilter } from './stack-filter.ts';
import { dropsEmptied, StackRewriter } from './stack-rewriter.ts';

/**
 * What is done to stacks, in this order: stack filters see whole stacks; the sandwich cuts them;
 * frame filters drop frames of what is left; the inversion turns that around.
 */
export interface StackView {
  /** A stack stays when every filter lets it. */
  readonly stackFilters: readonly FrameCriteria[];
  /**
   * A frame stays when it satisfies all; its callers get the value of one that does not. After a
   * filter by any name, stacks without a frame go, as in `go tool pprof`.
   */
  readonly frameFilters: readonly FrameCriteria[];
  /**
   * Name of a function, "" = none: stacks with it stay, cut to what its innermost call led to;
   * inverted, to what led to its outermost call.
   */
  readonly sandwich: string;
  /** Callers under the functions they call, inlined calls too. */
  readonly isInverted: boolean;
}

/** Stacks as they are. */
export const plainView: StackView = {
  stackFilters: [],
  frameFilters: [],
  sandwich: '',
  isInverted: false,
};

/** Whether a view leaves everything as it is. */
export function isPlain({ stackFilters, frameFilters, sandwich, isInverted }: StackView): boolean {
  return stackFilters.length + frameFilters.length === 0 && sandwich === '' && !isInverted;
}

/** What views make of the stacks of a dictionary, one view after another. */
export class ViewedStacks {
  /** What viewed stacks are rows of; one of this query's own where frames change. */
  readonly dictionary: Dictionary;
  /** Whether `dictionary` is not the one that was given. */
  readonly areRewritten: boolean;
  private readonly steps: readonly Step[];

  constructor(dictionary: Dictionary, views: readonly StackView[]) {
    const steps: Step[] = [];
    let current = dictionary;
    for (const view of views) {
      const step = createStep(current, view);
      current = step.rewriter?.local ?? current;
      steps.push(step);
    }
    this.steps = steps;
    this.dictionary = current;
    this.areRewritten = current !== dictionary;
  }

  /** The stack of `dictionary` that is shown for one of the viewed dictionary; -1 = none. */
  view(stack: number): number {
    let viewed = stack;
    for (const { filters, rewriter } of this.steps) {
      if (!filters.every((filter) => filter.passes(viewed))) return -1;
      if (rewriter !== undefined) viewed = rewriter.rewrite(viewed);
      if (viewed === -1) return -1;
    }
    return viewed;
  }
}

/** One view, ready to be applied to stacks of one dictionary. */
interface Step {
  readonly filters: readonly StackFilter[];
  readonly rewriter: StackRewriter | undefined;
}

function createStep(dictionary: Dictionary, view: StackView): Step {
  const filters = view.stackFilters.map((criteria) => new StackFilter(dictionary, criteria));
  const isRewritten = view.sandwich !== '' || view.frameFilters.length > 0 || view.isInverted;
  return { filters, rewriter: isRewritten ? new StackRewriter(dictionary, view) : undefined };
}

/** Whether a view may leave stacks out. */
export function dropsStacks({ stackFilters, frameFilters, sandwich }: StackView): boolean {
  return stackFilters.length > 0 || sandwich !== '' || frameFilters.some(dropsEmptied);
}

/** What views leave of a merge. */
export interface ViewedMerge {
  /** Stacks of `StackViewer.dictionary`. */
  readonly merged: MergedStacks;
  /** Sum of the stacks that were dropped. */
  readonly filtered: bigint;
}

/** Applies views to several merges of one dictionary; good until the next await. */
export class StackViewer {
  /** What the viewed stacks are rows of; one of this query's own when frames change. */
  readonly dictionary: Dictionary;
  private readonly viewed: ViewedStacks;
  private readonly isPlain: boolean;
  private readonly merger: StackMerger;

  constructor(dictionary: Dictionary, views: readonly StackView[], merger: StackMerger) {
    this.viewed = new ViewedStacks(dictionary, views);
    this.isPlain = views.length === 0;
    this.dictionary = this.viewed.dictionary;
    this.merger = merger;
  }

  /** What the views leave of `merged`, and what they drop. */
  apply(merged: MergedStacks): ViewedMerge {
    if (this.isPlain) return { merged, filtered: 0n };
    const { viewed } = this;
    const stacks = new Uint32Array(merged.stacks.length);
    const values = new BigInt64Array(merged.values.length);
    const dropped = new BigInt64Array(1);
    let count = 0;
    for (let i = 0; i < merged.stacks.length; i += 1) {
      const stack = viewed.view(merged.stacks[i]);
      if (stack === -1) {
        dropped[0] += merged.values[i];
      } else {
        stacks[count] = stack;
        values[count] = merged.values[i];
        count += 1;
      }
    }
    const kept = { stacks: stacks.subarray(0, count), values: values.slice(0, count) };
    const filtered = sumValues(dropped);
    if (!viewed.areRewritten) return { merged: kept, filtered };
    const stackCount = this.dictionary.stacks.length;
    return { merged: this.merger.collapse([kept], kept.stacks.length, stackCount), filtered };
  }
}
