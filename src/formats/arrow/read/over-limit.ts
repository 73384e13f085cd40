// The error of the Arrow reader for streams above a limit.
import { type InputLimitName, inputLimits, overInputLimit } from '../../../base/input-limits.ts';
import type { AppError } from '../../../base/errors.ts';

/** Error for a stream that exceeds a limit. */
export function overLimit(name: InputLimitName, what: string, count: number): AppError {
  const why = `it has ${count} ${what}, the limit is ${inputLimits[name]}`;
  return overInputLimit(name, `cannot read Arrow stream: ${why}`);
}
