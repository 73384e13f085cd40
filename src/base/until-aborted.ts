// Stops waiting for work when the caller is aborted; the work itself continues.
import { type AppError, abortReason } from './errors.ts';

/**
 * Settles like `work`. If the signal is aborted first, rejects with the signal's reason or with the
 * result of `toError`, and the work continues.
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
