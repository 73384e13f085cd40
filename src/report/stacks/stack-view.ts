// How a report looks at stacks: which ones it drops, which of their frames it shows, in what order.
import type { FrameCriteria } from './frame-criteria.ts';

/**
 * Changes of stacks, made in this order: stack filters see whole stacks; the sandwich cuts the
 * stacks that stay; frame filters drop frames; the inversion turns the rest around.
 */
export interface StackView {
  /** A stack stays when it passes every filter. */
  readonly stackFilters: readonly FrameCriteria[];
  /**
   * A frame stays when it satisfies all filters; the value of any other goes to its callers. A
   * filter by any name also drops stacks that have no frame left, as in `go tool pprof`.
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

/** Whether a view may leave stacks out. */
export function dropsStacks({ stackFilters, frameFilters, sandwich }: StackView): boolean {
  return stackFilters.length > 0 || sandwich !== '' || frameFilters.some(dropsEmptied);
}

/** Views, and frame filters to apply after them. */
export interface SplitViews {
  readonly views: readonly StackView[];
  readonly frameFilters: readonly FrameCriteria[];
}

/**
 * Takes the frame filters of the last view out: to an inversion it is the same when they come
 * after it. Filters that drop stacks stay where they are.
 */
export function splitFrameFilters(views: readonly StackView[]): SplitViews {
  const last = views.at(-1);
  if (last === undefined || last.frameFilters.some(dropsEmptied))
    return { views, frameFilters: [] };
  const rest = { ...last, frameFilters: [] };
  const others = views.slice(0, -1);
  return {
    views: isPlain(rest) ? others : [...others, rest],
    frameFilters: last.frameFilters,
  };
}

/** Whether a frame filter drops the stacks of which nothing is left. */
export function dropsEmptied({ anyName }: FrameCriteria): boolean {
  return anyName !== undefined;
}
