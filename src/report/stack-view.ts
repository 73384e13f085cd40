// How a report looks at stacks: which it drops, which of their frames it shows, and in what order.
import type { Dictionary } from '../model/dictionary.ts';
import type { StackMerger } from '../model/merge.ts';
import { sumValues } from '../model/merge.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { FrameCriteria } from './frame-criteria.ts';
import { StackFilter } from './stack-filter.ts';
import { StackRewriter } from './stack-rewriter.ts';

/**
 * What is done to stacks, in this order: stack filters see whole stacks; the sandwich cuts them;
 * frame filters drop frames of what is left; the inversion turns that around.
 */
export interface StackView {
  /** A stack stays when every filter lets it. */
  readonly stackFilters: readonly FrameCriteria[];
  /** A frame stays when it satisfies all; its callers get the value of one that does not. */
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

export interface ViewedStacks {
  /** Stacks of `StackViewer.dictionary`. */
  readonly merged: MergedStacks;
  /** Sum of the stacks that were dropped. */
  readonly filtered: bigint;
}

/** Applies one view to several merges of one dictionary; good until the next await. */
export class StackViewer {
  /** What the viewed stacks are rows of; one of this query's own when frames change. */
  readonly dictionary: Dictionary;
  private readonly filters: readonly StackFilter[];
  private readonly rewriter: StackRewriter | undefined;
  private readonly merger: StackMerger;

  constructor(dictionary: Dictionary, view: StackView, merger: StackMerger) {
    this.filters = view.stackFilters.map((criteria) => new StackFilter(dictionary, criteria));
    const isRewritten = view.sandwich !== '' || view.frameFilters.length > 0 || view.isInverted;
    this.rewriter = isRewritten ? new StackRewriter(dictionary, view) : undefined;
    this.dictionary = this.rewriter?.local ?? dictionary;
    this.merger = merger;
  }

  /** What the view leaves of `merged`, and what it drops. */
  apply(merged: MergedStacks): ViewedStacks {
    const { filters, rewriter } = this;
    if (filters.length === 0 && rewriter === undefined) return { merged, filtered: 0n };
    const stacks = new Uint32Array(merged.stacks.length);
    const values = new BigInt64Array(merged.values.length);
    const dropped = new BigInt64Array(1);
    let count = 0;
    for (let i = 0; i < merged.stacks.length; i += 1) {
      const stack = merged.stacks[i];
      let viewed = filters.every((filter) => filter.passes(stack)) ? stack : -1;
      if (viewed !== -1 && rewriter !== undefined) viewed = rewriter.rewrite(stack);
      if (viewed === -1) {
        dropped[0] += merged.values[i];
      } else {
        stacks[count] = viewed;
        values[count] = merged.values[i];
        count += 1;
      }
    }
    const kept = { stacks: stacks.subarray(0, count), values: values.slice(0, count) };
    const filtered = sumValues(dropped);
    if (rewriter === undefined) return { merged: kept, filtered };
    return {
      merged: this.merger.collapse([kept], kept.stacks.length, rewriter.local.stacks.length),
      filtered,
    };
  }
}
