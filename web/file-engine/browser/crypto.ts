// Replaces Node's hash function in the browser, for ids of call graph nodes; equal input gives
// equal ids.

const offset = 0xcbf2_9ce4_8422_2325n;
const prime = 0x100_0000_01b3n;

/** Returns 64-bit FNV-1a, whatever the name of the algorithm. */
export function hash(_algorithm: string, text: string): string {
  let sum = offset;
  for (let i = 0; i < text.length; i += 1) {
    sum = BigInt.asUintN(64, (sum ^ BigInt(text.charCodeAt(i))) * prime);
  }
  return sum.toString(16).padStart(16, '0');
}
