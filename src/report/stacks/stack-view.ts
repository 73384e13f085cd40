// A report's view of stacks: stack filters, frame filters, sandwich and inversion.
import type { FrameCriteria, StackCriteria } from './frame-criteria.ts';

/**
 * Changes to stacks, applied in this order: stack filters drop stacks; the sandwich cuts the
 * remaining stacks; frame filters drop frames; the inversion reverses the order of frames.
 */
export interface StackView {
  /** A stack is kept if it passes all filters. */
  readonly stackFilters: readonly StackCriteria[];
  /**
   * A frame is kept if it passes all filters; the value of a dropped frame is added to its caller.
   * As in `go tool pprof`, a filter `anyName` also drops the stacks that have no frames left.
   */
  readonly frameFilters: readonly FrameCriteria[];
  /**
   * Name of a function, or "". Keeps the stacks with this function. Of these, keeps only the
   * callees of its innermost call or, in an inverted view, the callers of its outermost call.
   */
  readonly sandwich: string;
  /** True if callers are below callees, including inlined calls. */
  readonly isInverted: boolean;
  /** A change that depends on the callers of a frame. A view with a fold has no other changes. */
  readonly fold?: StackFold;
}

/**
 * A change of stacks in which the result for a frame depends on its callers:
 * - `root` keeps the stacks with a function, starting at its outermost call;
 * - `call-site` keeps the stacks that begin with the given functions, outermost first;
 * - `run` keeps the outermost of adjacent frames that satisfy the criteria;
 * - `recursion` keeps each function once: a call inside a call of the same function, and the
 *   frames in between, are merged into the first call.
 */
export type StackFold =
  | { readonly kind: 'root'; readonly functionName: string }
  | { readonly kind: 'call-site'; readonly functionNames: readonly string[] }
  | { readonly kind: 'run'; readonly criteria: FrameCriteria }
  | { readonly kind: 'recursion' };

/** A view that changes nothing. */
export const plainView: StackView = {
  stackFilters: [],
  frameFilters: [],
  sandwich: '',
  isInverted: false,
};

/** Returns true if a view changes nothing. */
export function isPlain(view: StackView): boolean {
  const { stackFilters, frameFilters, sandwich, isInverted, fold } = view;
  const filterCount = stackFilters.length + frameFilters.length;
  return filterCount === 0 && sandwich === '' && !isInverted && fold === undefined;
}

/** Returns true if a view may drop stacks. */
export function dropsStacks({ stackFilters, frameFilters, sandwich, fold }: StackView): boolean {
  const cuts = sandwich !== '' || fold?.kind === 'root' || fold?.kind === 'call-site';
  return stackFilters.length > 0 || cuts || frameFilters.some(dropsEmptied);
}

/** Views, and the frame filters that were taken from the last view and are applied later. */
export interface SplitViews {
  readonly views: readonly StackView[];
  readonly frameFilters: readonly FrameCriteria[];
}

/**
 * Separates the frame filters of the last view. They may be applied later, because they give the
 * same result before and after an inversion. Filters that drop stacks stay in their view.
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

/** Returns true if a frame filter drops the stacks that have no frames left. */
export function dropsEmptied({ anyName }: FrameCriteria): boolean {
  return anyName !== undefined;
}
