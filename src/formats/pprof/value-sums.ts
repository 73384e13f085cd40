// The sums of a profile's values must fit int64, so that rows may be combined without checks.
import { AppError } from '../../base/errors.ts';
import type { PprofColumns } from './columns.ts';

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);

/**
 * Requires that any selection of a column's values has a sum in int64.
 *
 * Errors: AppError 'invalid-argument' "invalid profile: sum of sample type N ... int64".
 */
export function requireInt64Sums(columns: PprofColumns): void {
  const { valueWords, valueCount } = columns;
  // The set bits of all high words bound every value: one OR each decides all honest profiles.
  let high = 0;
  for (let i = 1; i < valueCount * 2; i += 2) high |= valueWords[i] ^ (valueWords[i] >> 31);
  const valueMax = 2 ** (32 + 32 - Math.clz32(high));
  if (valueMax * valueCount < 2 ** 62) return;
  for (let type = 0; type < columns.sampleTypeCount; type += 1) requireColumn(columns, type);
}

function requireColumn(columns: PprofColumns, type: number): void {
  let gains = 0n;
  let losses = 0n;
  for (let i = type; i < columns.valueCount; i += columns.sampleTypeCount) {
    const value = columns.values[i];
    if (value > 0n) gains += value;
    else losses += value;
  }
  if (gains <= int64Max && losses >= int64Min) return;
  throw new AppError(
    'invalid-argument',
    `invalid profile: sum of sample type ${type} does not fit int64: ${gains + losses}`,
  );
}
