// Sorts many strings in slices, so that other work runs in between.
import type { Pacer } from '../pacer.ts';

/** Number of strings that are sorted, or merged, between two readings of the clock. */
const runLength = 2048;

/** Returns the strings sorted by their UTF-16 units, as `sort` does; reuses `texts`. */
export async function sortTexts(
  texts: string[],
  pacer: Pick<Pacer, 'pause'> | undefined,
): Promise<string[]> {
  if (texts.length <= runLength || pacer === undefined) return texts.sort();
  let from = texts;
  for (let start = 0; start < from.length; start += runLength) {
    const run = from.slice(start, start + runLength).sort();
    for (const [i, text] of run.entries()) from[start + i] = text;
    await pacer.pause();
  }
  let to: string[] = Array.from({ length: from.length }, () => '');
  for (let width = runLength; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += 2 * width) {
      await merge(from, to, start, width, pacer);
    }
    [from, to] = [to, from];
  }
  return from;
}

async function merge(
  from: readonly string[],
  to: string[],
  start: number,
  width: number,
  pacer: Pick<Pacer, 'pause'>,
): Promise<void> {
  const middle = Math.min(start + width, from.length);
  const end = Math.min(start + 2 * width, from.length);
  let left = start;
  let right = middle;
  for (let at = start; at < end; at += 1) {
    const takesLeft = left < middle && (right >= end || from[left] <= from[right]);
    to[at] = from[takesLeft ? left : right];
    if (takesLeft) left += 1;
    else right += 1;
    if (at % runLength === 0) await pacer.pause();
  }
}
