// What a query text means: a profile type, maybe shortened, and conditions on labels.
import { AppError } from '../base/errors.ts';
import type { LabelMatcher } from '../model/matcher.ts';

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

/** A parsed query. */
export interface Query {
  readonly text: string;
  /** Absent in `{job="api"}`. */
  readonly profile: ProfileSelection | undefined;
  /** In the order of the text; none of them is on `__name__`. */
  readonly matchers: readonly QueryMatcher[];
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

  constructor(reason: string, text: string, span: Span, options?: { readonly cause?: unknown }) {
    const position = locate(text, span);
    super('invalid-argument', `${position.line}:${position.column}: ${reason}`, options);
    this.position = position;
    this.reason = reason;
  }
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
