// The errors of the Arrow reader.
import { AppError } from '../../../base/errors.ts';
import { type InputLimitName, inputLimits, overInputLimit } from '../../../base/input-limits.ts';

/** Error for bytes that break the rules of Arrow's format. */
export function badStream(why: string): AppError {
  return new AppError('invalid-argument', `cannot read Arrow stream: ${why}`);
}

/** Error for a stream with more of something than a limit allows. */
export function overLimit(name: InputLimitName, what: string, count: number): AppError {
  const why = `it has ${count} ${what}, the limit is ${inputLimits[name]}`;
  return overInputLimit(name, `cannot read Arrow stream: ${why}`);
}
