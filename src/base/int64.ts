// The bounds of int64, and arithmetic: as pairs of 32-bit words, without a BigInt for each, and
// rounding.

export const int64Min = -(2n ** 63n);
export const int64Max = 2n ** 63n - 1n;

/** The words of int64 values, low first; a view. */
export function wordsOf(values: BigInt64Array): Int32Array {
  return new Int32Array(values.buffer, values.byteOffset, values.length * 2);
}

/** The double nearest to value `i`; exact up to 2^53. */
export function numberAt(words: Int32Array, i: number): number {
  return words[i * 2 + 1] * 0x1_0000_0000 + (words[i * 2] >>> 0);
}

/** The largest multiple of `step` (> 0) that is not above `nanos`; before 1970 too. */
export function floorTo(nanos: bigint, step: bigint): bigint {
  const rest = nanos % step;
  return nanos - (rest < 0n ? rest + step : rest);
}
