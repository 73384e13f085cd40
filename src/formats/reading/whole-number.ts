// Converts numbers in foreign files to integers.
import { AppError } from '../../base/errors.ts';

/**
 * Rounds a number to an integer. Error messages begin with `what`.
 *
 * Errors: AppError 'invalid-argument' for a number that is too large to be multiplied by its unit.
 */
export function wholeNumber(value: number, what: string): bigint {
  if (Number.isFinite(value)) return BigInt(Math.round(value));
  throw new AppError('invalid-argument', `${what}: a number is too large`);
}
