// Waits for work that outlives its caller.
import { type AppError, abortReason } from './errors.ts';

/**
 * Settles like `work`, or rejects as soon as the signal is aborted: with its reason, or the result
 * of `toError`. The work continues.
 */
export async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  toError: (signal: AbortSignal) => AppError = abortReason,
): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(toError(signal));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
