// 64-bit integers for generated messages.
import Long from 'long';

/** Converts an int64 for the generated code. */
export function toLong(value: bigint): Long {
  return Long.fromBits(Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)));
}
