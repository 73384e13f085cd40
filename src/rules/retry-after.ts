// Reads the pause that a busy recipient requests with the header Retry-After.
import { retryAfterMillisMax } from './limits.ts';

/**
 * Returns the pause in milliseconds, at most `retryAfterMillisMax`, from a number of seconds or an
 * HTTP date; undefined without a valid header.
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
