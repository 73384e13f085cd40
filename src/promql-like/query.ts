// The meaning of a query: profiles to select, and stages that change their stacks.
import { AppError } from '../base/errors.ts';
import type { LabelMatcher } from '../model/matcher.ts';

/** A part of the query, as UTF-16 offsets. `to` is exclusive. */
export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

/** The profile type as written. */
export interface ProfileSelection {
  /** `process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta`, or fewer parts of it. */
  readonly text: string;
  /** `text`, split at its colons. */
  readonly parts: readonly string[];
  readonly span: TextSpan;
}

/** A condition, and its position in the query. */
export interface QueryMatcher extends LabelMatcher {
  readonly span: TextSpan;
}

/**
 * A range of time in nanoseconds since the epoch, both ends included, and its position in the
 * query.
 */
export interface WrittenRange {
  readonly from: bigint;
  readonly to: bigint;
  readonly span: TextSpan;
}

/** A selector of profiles. */
export interface Selector {
  readonly kind: 'selector';
  /** The complete query, which spans refer to. */
  readonly text: string;
  /** Profile type; undefined in `{job="api"}`. */
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
  /** The stages of both sides only change stacks: they do not include `by` and `top`. */
  readonly base: SelectorPipeline;
  readonly compared: SelectorPipeline;
  readonly span: TextSpan;
}

/** A parsed query. */
export interface Query {
  readonly text: string;
  readonly operand: Selector | Diff;
  /** Stages in the order in which they are written and applied. */
  readonly stages: readonly Stage[];
}

/** Position of a mistake; line and column count from 1, in UTF-16 units. */
export interface QueryPosition extends TextSpan {
  readonly line: number;
  readonly column: number;
}

/** Error for a query with a mistake: "1:18: expected a quoted label value, got "}"". */
export class QueryError extends AppError {
  override readonly name = 'QueryError';
  readonly position: QueryPosition;
  /** The message without the position at its start. */
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
  // Tabs are kept, so that the caret is below the mistake.
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

/** Fields of a frame that a condition may compare. */
export const textFields = ['function', 'system', 'file', 'binary', 'package', 'kind'] as const;
export const numberFields = ['address', 'line'] as const;

/** Comparisons of strings; the first one is the default. */
export const comparisons = ['contains', 'equals', 'starts with', 'matches'] as const;

/** A condition on one frame. */
export type FrameCondition =
  | {
      readonly field: (typeof textFields)[number];
      readonly comparison: (typeof comparisons)[number];
      readonly text: string;
    }
  | { readonly field: (typeof numberFields)[number]; readonly number: bigint };

/** Stages that match frames with a regular expression. */
export const patternActions = ['focus', 'ignore', 'hide', 'show'] as const;

/** Words after `by` that are not labels. */
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
      /** True if only the innermost frame is compared; false if any frame may match. */
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
      /** Regular expression (RE2), which may match any part of the name. */
      readonly expression: string;
    }
  | { readonly kind: 'sandwich'; readonly functionName: string }
  | { readonly kind: 'root'; readonly functionName: string }
  /** Collapses frames that satisfy the condition; without a condition, collapses recursion. */
  | { readonly kind: 'collapse'; readonly condition: FrameCondition | undefined }
  | { readonly kind: 'invert' }
  | { readonly kind: 'increase' }
  /** Samples in a range of time, both ends included, in nanoseconds since the epoch. */
  | { readonly kind: 'samples'; readonly from: bigint; readonly to: bigint }
  /** Prefixes of names, files and binary paths that later conditions treat as own code. */
  | { readonly kind: 'own'; readonly prefixes: readonly string[] }
  | { readonly kind: 'by'; readonly names: readonly GroupName[] }
  | { readonly kind: 'top'; readonly count: number };

/** A stage, and its position in the query, without the bar before it. */
export type Stage = StageMeaning & { readonly span: TextSpan };
