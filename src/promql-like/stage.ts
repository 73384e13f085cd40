// What may be done to the stacks that a query selects: one stage of its pipeline.
import type { Span } from './query.ts';

/** What a condition on frames may look at. */
export const textFields = ['function', 'system', 'file', 'binary'] as const;
export const numberFields = ['address', 'line'] as const;

/** What a text may be compared by; the first is meant where none is written. */
export const comparisons = ['contains', 'equals', 'starts with', 'matches'] as const;

/** A condition on one frame. */
export type FrameCondition =
  | {
      readonly field: (typeof textFields)[number];
      readonly comparison: (typeof comparisons)[number];
      readonly text: string;
    }
  | { readonly field: (typeof numberFields)[number]; readonly number: bigint };

/** What regular expressions on frames decide about. */
export const patternActions = ['focus', 'ignore', 'hide', 'show'] as const;

/** Words of `by` that are no labels. */
export const frameGroups = ['function', 'file', 'binary', 'address'] as const;

/** What tells rows of an answer apart: a label, or something of frames. */
export type GroupName =
  | { readonly kind: 'label'; readonly name: string }
  | { readonly kind: 'frame'; readonly name: (typeof frameGroups)[number] };

/** What a stage says. */
export type StageMeaning =
  | {
      readonly kind: 'stack';
      readonly isNegated: boolean;
      readonly condition: FrameCondition;
    }
  | {
      readonly kind: 'frame';
      readonly action: 'keep' | 'drop';
      readonly condition: FrameCondition;
    }
  | {
      readonly kind: 'pattern';
      readonly action: (typeof patternActions)[number];
      /** RE2, found anywhere. */
      readonly expression: string;
    }
  | { readonly kind: 'sandwich'; readonly functionName: string }
  | { readonly kind: 'invert' }
  | { readonly kind: 'increase' }
  | { readonly kind: 'by'; readonly names: readonly GroupName[] }
  | { readonly kind: 'top'; readonly count: number };

/** A stage with its place in the text, its bar not included. */
export type Stage = StageMeaning & { readonly span: Span };
