// The errors of the Arrow reader.
import { AppError } from '../../../base/errors.ts';

/** Error for bytes that are not what Arrow's format says. */
export function badStream(why: string): AppError {
  return new AppError('invalid-argument', `cannot read Arrow stream: ${why}`);
}

/** Error for a stream with more of something than a limit allows. */
export function overLimit(what: string, count: number, limit: number): AppError {
  const why = `it has ${count} ${what}, the limit is ${limit}`;
  return new AppError('resource-exhausted', `cannot read Arrow stream: ${why}`);
}
