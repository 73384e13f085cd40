// Encodes messages with long lists without blocking the main thread.
import type { Clock } from '../../../base/clock.ts';
import { querySliceMillis } from '../../../base/limits.ts';
import { Pacer, stoppablePacer } from '../../../base/pacer.ts';
import type { CallContext } from './method.ts';

/** Number of items of a list that are encoded without a pause, in about a millisecond. */
const itemsPerSlice = 512;

/**
 * Encodes a message with a long list in slices, until the caller disconnects. `encode` encodes a
 * message with some of the items. In protobuf, the concatenation of these messages is the complete
 * message.
 */
export async function inSlices<T>(
  items: readonly T[],
  clock: Clock,
  { signal }: Pick<CallContext, 'signal'>,
  encode: (some: T[], isLast: boolean) => Uint8Array,
): Promise<Uint8Array> {
  if (items.length <= itemsPerSlice) return encode([...items], true);
  const pacer = stoppablePacer(new Pacer(clock, querySliceMillis), signal);
  const slices: Uint8Array[] = [];
  for (let first = 0; first < items.length; first += itemsPerSlice) {
    const end = first + itemsPerSlice;
    slices.push(encode(items.slice(first, end), end >= items.length));
    await pacer.pause();
  }
  return Buffer.concat(slices);
}
