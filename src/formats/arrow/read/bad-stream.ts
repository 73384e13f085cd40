// The error of the Arrow reader for bytes that violate the format.
import { AppError } from '../../../base/errors.ts';

/** Creates the error for bytes that violate Arrow's format. */
export function badStream(why: string): AppError {
  return new AppError('invalid-argument', `cannot read Arrow stream: ${why}`);
}
