// Values of a series over time in the notation of promtool: `0+10x5`, `7x3`, `1 2 _ 4`.
import { AppError } from '../../../src/base/errors.ts';

/** A value; undefined where the profile lacks the stack. */
export type SeriesValue = bigint | undefined;

/** Values that one series may have: a day of profiles each 10 s. */
const valuesMax = 10_000;

const form = /^(?:(_)(?:x(\d+))?|(\d+)(?:([+-])(\d+))?(?:x(\d+))?)$/;

/**
 * Reads values. `a+bxn` are a, a+b, ... a+b*n; `axn` is a, n+1 times; `_` is no value, `_xn` n of
 * them. Numbers are whole; they may end in e9.
 *
 * Errors: AppError 'invalid-argument'.
 */
export function readSeriesValues(text: string): readonly SeriesValue[] {
  const values: SeriesValue[] = [];
  for (const item of text.split(/\s+/).filter((word) => word !== '')) {
    const expanded = item.replace(/(\d+)e(\d{1,2})/g, (_, digits: string, zeros: string) => {
      return digits + '0'.repeat(Number(zeros));
    });
    const match = form.exec(expanded);
    if (match === null) {
      const expected = 'whole numbers such as 5, 0+10x5, 7x3 or _';
      throw new AppError('invalid-argument', `expected ${expected}, got ${JSON.stringify(item)}`);
    }
    const [, none, noneCount = '1', first, sign = '+', step = '0', count = '0'] = match;
    const length = none === undefined ? Number(count) + 1 : Number(noneCount);
    if (values.length + length > valuesMax) {
      throw new AppError('invalid-argument', `expected at most ${valuesMax} values`);
    }
    for (let i = 0n; i < length; i += 1n) {
      const change = BigInt(step ?? '0') * i * (sign === '-' ? -1n : 1n);
      values.push(none === undefined ? BigInt(first) + change : undefined);
    }
  }
  return values;
}
