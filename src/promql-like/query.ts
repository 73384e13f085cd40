// What a query text means: profiles to select, and what is done to their stacks.
import { AppError } from '../base/errors.ts';
import type { LabelMatcher } from '../model/matcher.ts';
import type { Stage } from './stage.ts';

/** A piece of the query text: UTF-16 offsets, `to` excluded. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The profile type as it was written. */
export interface ProfileSelection {
  /** `process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta`, or fewer parts of it. */
  readonly text: string;
  /** `text` cut at its colons. */
  readonly parts: readonly string[];
  readonly span: Span;
}

/** A condition with its place in the text. */
export interface QueryMatcher extends LabelMatcher {
  readonly span: Span;
}

/** Which profiles. */
export interface Selector {
  readonly kind: 'selector';
  /** The whole query's, which spans are pieces of. */
  readonly text: string;
  /** Absent in `{job="api"}`. */
  readonly profile: ProfileSelection | undefined;
  /** In the order of the text; none of them is on `__name__`. */
  readonly matchers: readonly QueryMatcher[];
  /** How much earlier than asked the profiles lie; absent where it is not written. */
  readonly offset: { readonly nanos: bigint; readonly span: Span } | undefined;
}

/** Profiles, and what is done to their stacks. */
export interface SelectorPipeline {
  readonly selector: Selector;
  readonly stages: readonly Stage[];
}

/** `diff(base, compared)`. */
export interface Diff {
  readonly kind: 'diff';
  /** Stages of both change stacks: none is `by` or `top`. */
  readonly base: SelectorPipeline;
  readonly compared: SelectorPipeline;
  readonly span: Span;
}

/** A parsed query. */
export interface Query {
  readonly text: string;
  readonly operand: Selector | Diff;
  /** In the order of the text, which is that in which they apply. */
  readonly stages: readonly Stage[];
}

/** Where a query is wrong; line and column count from 1, in UTF-16 units. */
export interface QueryPosition extends Span {
  readonly line: number;
  readonly column: number;
}

/** A query that cannot be understood: "1:18: expected a quoted label value, got "}"". */
export class QueryError extends AppError {
  override readonly name = 'QueryError';
  readonly position: QueryPosition;
  /** The message without the position in front. */
  readonly reason: string;
  /** The line of the mistake, and below it a caret under the mistake. */
  readonly excerpt: string;

  constructor(reason: string, text: string, span: Span, options?: { readonly cause?: unknown }) {
    const position = locate(text, span);
    super('invalid-argument', `${position.line}:${position.column}: ${reason}`, options);
    this.position = position;
    this.reason = reason;
    this.excerpt = excerptOf(text, position);
  }
}

function excerptOf(text: string, { from, column }: QueryPosition): string {
  const start = from - column + 1;
  const [line] = text.slice(start).split('\n', 1);
  // A caret moves on by as much as the line does.
  const indent = line.slice(0, column - 1).replace(/[^\t]/g, ' ');
  return `${line}\n${indent}^`;
}

function locate(text: string, span: Span): QueryPosition {
  const before = text.slice(0, span.from);
  const lineStart = before.lastIndexOf('\n') + 1;
  return {
    from: span.from,
    to: span.to,
    line: before.split('\n').length,
    column: span.from - lineStart + 1,
  };
}
