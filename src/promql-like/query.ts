// The meaning of a query: profiles to select, and stages that change their stacks.
import { AppError } from '../base/errors.ts';
import type { LabelMatcher } from '../model/matcher.ts';

/** Part of the query as written: UTF-16 offsets, `to` excluded. */
export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

/** The profile type as written. */
export interface ProfileSelection {
  /** `process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta`, or fewer parts of it. */
  readonly text: string;
  /** `text` cut at its colons. */
  readonly parts: readonly string[];
  readonly span: TextSpan;
}

/** A condition, and where it is written. */
export interface QueryMatcher extends LabelMatcher {
  readonly span: TextSpan;
}

/**
 * A range of time in nanoseconds since the epoch, both ends included, and where it is written.
 */
export interface WrittenRange {
  readonly from: bigint;
  readonly to: bigint;
  readonly span: TextSpan;
}

/** A selector of profiles. */
export interface Selector {
  readonly kind: 'selector';
  /** The whole query; spans are parts of it. */
  readonly text: string;
  /** Undefined in `{job="api"}`. */
  readonly profile: ProfileSelection | undefined;
  /** Conditions as written, except for conditions on `__name__`. */
  readonly matchers: readonly QueryMatcher[];
  /** Range of time to which the selection is limited; undefined if none is written. */
  readonly within: WrittenRange | undefined;
  /** Range of time that is left out; undefined if none is written. */
  readonly except: WrittenRange | undefined;
  /**
   * Duration by which the ranges above and the query's range move back; undefined without an
   * offset.
   */
  readonly offset: { readonly nanos: bigint; readonly span: TextSpan } | undefined;
}

/** A selector and the stages after it. */
export interface SelectorPipeline {
  readonly selector: Selector;
  readonly stages: readonly Stage[];
}

/** `diff(base, compared)`. */
export interface Diff {
  readonly kind: 'diff';
  /** Stages of both sides change stacks, so `by` and `top` are not among them. */
  readonly base: SelectorPipeline;
  readonly compared: SelectorPipeline;
  readonly span: TextSpan;
}

/** A parsed query. */
export interface Query {
  readonly text: string;
  readonly operand: Selector | Diff;
  /** Stages as written, which is the order in which they apply. */
  readonly stages: readonly Stage[];
}

/** Position of a mistake; line and column count from 1, in UTF-16 units. */
export interface QueryPosition extends TextSpan {
  readonly line: number;
  readonly column: number;
}

/** A query with a mistake: "1:18: expected a quoted label value, got "}"". */
export class QueryError extends AppError {
  override readonly name = 'QueryError';
  readonly position: QueryPosition;
  /** The message without the position in front. */
  readonly reason: string;
  /** The line of the mistake, and below it a caret under the mistake. */
  readonly excerpt: string;

  constructor(
    reason: string,
    text: string,
    span: TextSpan,
    options?: { readonly cause?: unknown },
  ) {
    const position = locate(text, span);
    super('invalid-argument', `${position.line}:${position.column}: ${reason}`, options);
    this.position = position;
    this.reason = reason;
    this.excerpt = makeExcerpt(text, position);
  }
}

function makeExcerpt(text: string, { from, column }: QueryPosition): string {
  const start = from - column + 1;
  const [line] = text.slice(start).split('\n', 1);
  // Tabs stay, so that the caret is below the mistake.
  const indent = line.slice(0, column - 1).replace(/[^\t]/g, ' ');
  return `${line}\n${indent}^`;
}

function locate(text: string, span: TextSpan): QueryPosition {
  const before = text.slice(0, span.from);
  const lineStart = before.lastIndexOf('\n') + 1;
  return {
    from: span.from,
    to: span.to,
    line: before.split('\n').length,
    column: span.from - lineStart + 1,
  };
}

/** Fields that a condition on frames may look at. */
export const textFields = ['function', 'system', 'file', 'binary', 'package', 'kind'] as const;
export const numberFields = ['address', 'line'] as const;

/** Comparisons of strings; the first is the default. */
export const comparisons = ['contains', 'equals', 'starts with', 'matches'] as const;

/** A condition on one frame. */
export type FrameCondition =
  | {
      readonly field: (typeof textFields)[number];
      readonly comparison: (typeof comparisons)[number];
      readonly text: string;
    }
  | { readonly field: (typeof numberFields)[number]; readonly number: bigint };

/** Stages with a regular expression on frames. */
export const patternActions = ['focus', 'ignore', 'hide', 'show'] as const;

/** Words of `by` that are not labels. */
export const frameGroups = ['function', 'file', 'binary', 'address'] as const;

/** A name in `by`: a label, or a property of frames. */
export type GroupName =
  | { readonly kind: 'label'; readonly name: string }
  | { readonly kind: 'frame'; readonly name: (typeof frameGroups)[number] };

/** The meaning of a stage. */
export type StageMeaning =
  | {
      readonly kind: 'stack';
      readonly isNegated: boolean;
      /** True if only the innermost frame is asked for, false for any frame. */
      readonly isOfLeaf: boolean;
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
  | { readonly kind: 'root'; readonly functionName: string }
  /** Without a condition, collapses recursion. */
  | { readonly kind: 'collapse'; readonly condition: FrameCondition | undefined }
  | { readonly kind: 'invert' }
  | { readonly kind: 'increase' }
  /** Samples in a range of time, both ends included, in nanoseconds since the epoch. */
  | { readonly kind: 'samples'; readonly from: bigint; readonly to: bigint }
  /** Beginnings of names, files and paths of binaries that are own code in later conditions. */
  | { readonly kind: 'own'; readonly prefixes: readonly string[] }
  | { readonly kind: 'by'; readonly names: readonly GroupName[] }
  | { readonly kind: 'top'; readonly count: number };

/** A stage, and where it is written, without the bar in front. */
export type Stage = StageMeaning & { readonly span: TextSpan };
