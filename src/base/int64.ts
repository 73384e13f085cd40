// Bounds of int64, access to the 32-bit words of int64 values without a BigInt for each, and
// rounding.

export const int64Min = -(2n ** 63n);
export const int64Max = 2n ** 63n - 1n;

/** Returns a view of int64 values as 32-bit words, the low word first. */
export function asWords(values: BigInt64Array): Int32Array {
  return new Int32Array(values.buffer, values.byteOffset, values.length * 2);
}

/** Returns the double nearest to value `i`; exact up to 2^53. */
export function numberAt(words: Int32Array, i: number): number {
  return words[i * 2 + 1] * 0x1_0000_0000 + (words[i * 2] >>> 0);
}

/** Number by which a fractional divisor is multiplied to make it an integer. */
const divisorParts = 1_000_000;

/** Returns values divided by a number > 0, rounded to the nearest integer. */
export function dividedBy(values: BigInt64Array, divisor: number): BigInt64Array {
  const numerator = BigInt(divisorParts);
  const denominator = BigInt(Math.round(divisor * divisorParts));
  const half = denominator / 2n;
  return values.map((value) => {
    const product = value * numerator;
    return (product < 0n ? product - half : product + half) / denominator;
  });
}

/** Returns the largest multiple of `step` (> 0) up to `nanos`, which may be negative. */
export function floorTo(nanos: bigint, step: bigint): bigint {
  const rest = nanos % step;
  return nanos - (rest < 0n ? rest + step : rest);
}
