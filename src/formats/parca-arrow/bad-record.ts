// The errors for invalid records. They state the problem and the column.
import { AppError } from '../../base/errors.ts';

/** Makes the error for a record whose columns do not describe profiles. */
export function badRecord(why: string): AppError {
  return new AppError('invalid-argument', `cannot read Arrow record: ${why}`);
}

/** Makes the error for a record without a required column, in Parca's words. */
export function missingColumn(name: string): AppError {
  return new AppError('invalid-argument', `missing column "${name}"`);
}
