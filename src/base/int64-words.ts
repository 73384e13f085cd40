// int64 values as pairs of 32-bit words: read without making a BigInt of each.

/** The words of int64 values, low first; a view. */
export function wordsOf(values: BigInt64Array): Int32Array {
  return new Int32Array(values.buffer, values.byteOffset, values.length * 2);
}

/** The double nearest to value `i`; exact up to 2^53. */
export function numberAt(words: Int32Array, i: number): number {
  return words[i * 2 + 1] * 0x1_0000_0000 + (words[i * 2] >>> 0);
}
