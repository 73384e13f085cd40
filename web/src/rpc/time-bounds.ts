// Times of a request as parameters of the HTTP API.
import type { Span } from './api.ts';

/** Returns the ends of a span as RFC 3339, for `start` and `end` of a request. */
export function timeBounds({ from, to }: Span): { start: string; end: string } {
  return { start: new Date(from).toISOString(), end: new Date(to).toISOString() };
}
