// Hashes of lines by their content, independent of the rows of a dictionary. Both ingest and the
// translator of its workers' symbols add lines to the dictionary of a head, and both use these
// hashes.
import { mixHash } from './hash-index.ts';

/**
 * Returns a hash of a file name, from its length and its last bytes. This is enough, because
 * functions with the same name, line and address never differ only in their files.
 */
export function hashFile(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length < 4) return length === 0 ? 0 : (length << 8) ^ bytes[end - 1];
  const last = bytes[end - 1] | (bytes[end - 2] << 8) | (bytes[end - 3] << 16);
  return (length << 24) ^ (last | (bytes[end - 4] << 24));
}

/**
 * Returns the hash of a function from hashes of its strings; only the hashes of names have to be
 * good.
 */
export function hashFunction(
  name: number,
  systemName: number,
  file: number,
  startLine: number,
): number {
  const places = Math.imul(file, 0xc2b2ae35) ^ startLine;
  return mixHash(name ^ Math.imul(systemName, 0x27d4eb2f), places);
}

/** Adds a line to the hash of the previous lines, which starts from the number of lines. */
export function hashLine(hash: number, called: number, number: number, column: number): number {
  return mixHash(hash ^ called ^ (column << 20), number);
}
