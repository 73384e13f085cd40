// The pause that a busy recipient asks for, in Retry-After.
import { retryAfterMillisMax } from './limits.ts';

/**
 * Reads a number of seconds, or a date as HTTP writes it. Returns undefined without a header that
 * can be read; at most `retryAfterMillisMax`.
 */
export function readRetryAfter(
  header: string | string[] | undefined,
  nowMillis: number,
): number | undefined {
  if (typeof header !== 'string') return undefined;
  const written = header.trim();
  const millis = /^\d+$/.test(written) ? Number(written) * 1_000 : Date.parse(written) - nowMillis;
  return Number.isNaN(millis) ? undefined : Math.min(Math.max(0, millis), retryAfterMillisMax);
}
