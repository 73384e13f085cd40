// Sorts many rows in steps, between which other work can run.

/**
 * Number of rows that are sorted in one step. A step takes a few milliseconds for strings of 4 KB
 * with a common prefix, and a tenth of a millisecond for other strings.
 */
const runLength = 256;

/**
 * Sorts rows by `compare`. Equal rows keep their order. `pause` is awaited between steps of about a
 * millisecond. Rows that are already in order cost one comparison each.
 */
export async function sortRows(
  rows: Uint32Array,
  compare: (a: number, b: number) => number,
  pause: () => Promise<void>,
): Promise<Uint32Array> {
  if (await isSorted(rows, compare, pause)) return rows;
  for (let start = 0; start < rows.length; start += runLength) {
    rows.subarray(start, start + runLength).sort(compare);
    await pause();
  }
  let from: Uint32Array = rows;
  let to: Uint32Array = new Uint32Array(rows.length);
  for (let width = runLength; width < rows.length; width *= 2) {
    for (let start = 0; start < rows.length; start += width * 2) {
      await mergeRuns(from, to, start, width, compare, pause);
    }
    [from, to] = [to, from];
  }
  return from;
}

async function isSorted(
  rows: Uint32Array,
  compare: (a: number, b: number) => number,
  pause: () => Promise<void>,
): Promise<boolean> {
  for (let i = 1; i < rows.length; i += 1) {
    if (compare(rows[i - 1], rows[i]) > 0) return false;
    if (i % runLength === 0) await pause();
  }
  return true;
}

async function mergeRuns(
  from: Uint32Array,
  to: Uint32Array,
  start: number,
  width: number,
  compare: (a: number, b: number) => number,
  pause: () => Promise<void>,
): Promise<void> {
  const middle = Math.min(start + width, from.length);
  const end = Math.min(start + width * 2, from.length);
  let left = start;
  let right = middle;
  for (let at = start; at < end; at += 1) {
    const takesLeft = left < middle && (right >= end || compare(from[left], from[right]) <= 0);
    to[at] = takesLeft ? from[left] : from[right];
    if (takesLeft) left += 1;
    else right += 1;
    if (at % runLength === 0) await pause();
  }
}
