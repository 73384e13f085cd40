// The error of the Arrow reader for bytes that break the rules.
import { AppError } from '../../../base/errors.ts';

/** Error for bytes that break the rules of Arrow's format. */
export function badStream(why: string): AppError {
  return new AppError('invalid-argument', `cannot read Arrow stream: ${why}`);
}
