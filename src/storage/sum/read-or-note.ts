// Reads data that may be gone: the answer does without it, and says so.
import { AppError } from '../../base/errors.ts';

const goneCodes: ReadonlySet<AppError['code']> = new Set(['data-loss', 'unavailable']);

/**
 * Returns the result of `read`, at once if it is in memory. Data that cannot be read is noted in
 * `missing`, and the result is undefined; other errors pass.
 */
export function readOrNote<T>(
  { missing }: { readonly missing: string[] },
  read: () => T | Promise<T>,
): T | undefined | Promise<T | undefined> {
  try {
    const result = read();
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => note(missing, error));
  } catch (error) {
    return note(missing, error);
  }
}

function note(missing: string[], error: unknown): undefined {
  if (!(error instanceof AppError) || !goneCodes.has(error.code)) throw error;
  if (!missing.includes(error.message)) missing.push(error.message);
}
