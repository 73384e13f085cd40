// Reads columns of small numbers that are written as varints.
import { AppError } from '../../../base/errors.ts';

/**
 * Reads `into.length` varints below 2^32 from `bytes[at..)`. Returns the offset after the last of
 * them.
 *
 * Errors: AppError 'data-loss' when the bytes end early or a number is too long.
 */
export function readVarints(bytes: Uint8Array, at: number, into: Uint32Array | Int32Array): number {
  const end = bytes.length;
  // Each number takes at least a byte.
  if (into.length > end - at) throw tooShort();
  for (let i = 0; i < into.length; i += 1) {
    let byte = bytes[at];
    at += 1;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      if (shift > 28 || at >= end) throw tooShort();
      byte = bytes[at];
      at += 1;
      value |= (byte & 127) << shift;
    }
    into[i] = value;
  }
  if (at > end) throw tooShort();
  return at;
}

/** Returns the number that zigzag maps to `value`. */
export function unzigzag(value: number): number {
  return (value >>> 1) ^ -(value & 1);
}

/** Replaces zigzag differences with their running sums. */
export function sumUp(values: Int32Array): void {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) {
    sum += unzigzag(values[i]);
    values[i] = sum;
  }
}

function tooShort(): AppError {
  return new AppError('data-loss', 'cannot read column of numbers: its bytes are not as written');
}
