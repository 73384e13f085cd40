// The errors of records: the mistake, and the column that has it.
import { AppError } from '../../base/errors.ts';

/** Error for a record whose columns are not those of profiles. */
export function badRecord(why: string): AppError {
  return new AppError('invalid-argument', `cannot read Arrow record: ${why}`);
}

/** Error for a record without a column that it must have, in Parca's words. */
export function missingColumn(name: string): AppError {
  return new AppError('invalid-argument', `missing column "${name}"`);
}
