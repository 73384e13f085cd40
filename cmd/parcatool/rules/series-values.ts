// Values of a series over time in promtool's notation: `0+10x5`, `7x3`, `1 2 _ 4`.
import { AppError } from '../../../src/base/errors.ts';

/** A value; undefined if the profile does not contain the stack. */
export type SeriesValue = bigint | undefined;

/** Maximum number of values in a series: a day with a profile every 10 s. */
const valuesMax = 10_000;

const form = /^(?:(_)(?:x(\d+))?|(\d+)(?:([+-])(\d+))?(?:x(\d+))?)$/;

/**
 * Parses values. `a+bxn` means a, a+b, ... a+b*n. `axn` means n+1 times the value a. `_` is a
 * missing value, and `_xn` means n missing values. Numbers are integers, and may have an exponent,
 * as in 2e9.
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
