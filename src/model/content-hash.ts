// Hashes of lines by their content, which need no rows of a dictionary. Two ways lead into the
// dictionary of a head, ingest and the translator of its workers' symbols, and both use these.
import { mixHash } from './hash-index.ts';

/**
 * Returns a hash of the name of a file, by its length and its last bytes: functions with one name,
 * one line and one address are never distinguished by their files.
 */
export function hashFile(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length < 4) return length === 0 ? 0 : (length << 8) ^ bytes[end - 1];
  const last = bytes[end - 1] | (bytes[end - 2] << 8) | (bytes[end - 3] << 16);
  return (length << 24) ^ (last | (bytes[end - 4] << 24));
}

/**
 * Returns the hash of a function from hashes of its strings, of which only those of names are good.
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

/** Adds a line to the hash of the lines before it, which begins as their number. */
export function hashLine(hash: number, called: number, number: number, column: number): number {
  return mixHash(hash ^ called ^ (column << 20), number);
}
