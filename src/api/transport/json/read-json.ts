// Converts JSON bodies to messages, in a thread if they are large or have many values.
import { inputLimits } from '../../../base/input-limits.ts';
import { importHeapBytesMax } from '../../../base/limits.ts';
import { jsonInThreadBytesMin, jsonInThreadValuesMin, jsonThreadsMax } from '../../limits.ts';
import type { Clock } from '../../../base/clock.ts';
import { Pacer } from '../../../base/pacer.ts';
import { countValues } from '../../../base/text/json.ts';
import { memoryShare } from '../../../base/memory-limit.ts';
import { ownedBody } from '../../../base/join-chunks.ts';
import { Slots } from '../../../base/slots.ts';
import { askThread } from '../../../base/threads/ask-thread.ts';
import { messageOfJson } from './json-body.ts';

const script = new URL('./message-worker.ts', import.meta.url);
const threads = new Slots(jsonThreadsMax);

/** Returns true if a body is small enough to be converted without a thread. */
export function isSmallJson(body: Uint8Array): boolean {
  if (body.length >= jsonInThreadBytesMin) return false;
  // A shorter body cannot have too many values, because a value and its comma take at least two
  // bytes.
  if (body.length < 2 * jsonInThreadValuesMin) return true;
  return countValues(body, jsonInThreadValuesMin) <= jsonInThreadValuesMin;
}

/**
 * Returns the request of the method at `path`. A thread makes it if the body is large or has many
 * values.
 *
 * Errors: as in messageOfJson; 'cancelled' when the signal is aborted first.
 */
export async function readJsonBody(
  path: string,
  body: Uint8Array,
  clock: Clock,
  callSignal: () => AbortSignal,
): Promise<Uint8Array> {
  if (isSmallJson(body)) {
    // If many bodies arrive in one turn of the event loop, they are read in several turns.
    const pausing = new Pacer(clock).pause();
    if (pausing !== undefined) await pausing;
    return messageOfJson(path, body);
  }
  const signal = callSignal();
  return threads.run(async () => {
    const sent = await ownedBody(body);
    const thread = {
      script,
      name: 'json',
      task: 'read request',
      whyCancelled: 'it takes too long',
      moved: [sent],
      heapBytesMax: memoryShare('importHeap', importHeapBytesMax),
    };
    const question = { path, body: sent, limits: { ...inputLimits } };
    return askThread<Uint8Array>(thread, question, signal);
  }, signal);
}
