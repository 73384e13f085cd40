// A report's view of stacks: filters of stacks and of frames, sandwich and inversion.
import type { FrameCriteria, StackCriteria } from './frame-criteria.ts';

/**
 * Changes to stacks, applied in this order: stack filters see whole stacks; the sandwich cuts the
 * remaining stacks; frame filters drop frames; the inversion reverses the rest.
 */
export interface StackView {
  /** A stack is kept if it passes every filter. */
  readonly stackFilters: readonly StackCriteria[];
  /**
   * A frame is kept if it satisfies all filters; the value of any other frame is added to its
   * callers. A filter by any name also drops stacks without remaining frames, as in `go tool
   * pprof`.
   */
  readonly frameFilters: readonly FrameCriteria[];
  /**
   * Name of a function, or "". Keeps the stacks with this function, cut to the callees of its
   * innermost call; if inverted, to the callers of its outermost call.
   */
  readonly sandwich: string;
  /** True if callers are below their callees, also among inlined calls. */
  readonly isInverted: boolean;
  /** A change that depends on the frames above a frame; such a view has no other change. */
  readonly fold?: StackFold;
}

/**
 * A change of stacks that depends on the frames above a frame:
 * - `root` keeps the stacks with a function, from its outermost call on;
 * - `call-site` keeps the stacks that begin with functions, the outermost first;
 * - `run` keeps the outermost of neighbouring frames that satisfy the criteria;
 * - `recursion` keeps each function once: a call inside a call of the same function, and the
 *   frames in between, are taken for the first call.
 */
export type StackFold =
  | { readonly kind: 'root'; readonly functionName: string }
  | { readonly kind: 'call-site'; readonly functionNames: readonly string[] }
  | { readonly kind: 'run'; readonly criteria: FrameCriteria }
  | { readonly kind: 'recursion' };

/** The view that changes nothing. */
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

/** Views, and the frame filters to apply after them. */
export interface SplitViews {
  readonly views: readonly StackView[];
  readonly frameFilters: readonly FrameCriteria[];
}

/**
 * Separates the frame filters of the last view, because applying them before or after an inversion
 * gives the same result. Filters that drop stacks stay in their view.
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

/** Returns true if a frame filter drops the stacks without a remaining frame. */
export function dropsEmptied({ anyName }: FrameCriteria): boolean {
  return anyName !== undefined;
}
