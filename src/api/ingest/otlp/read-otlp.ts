// Reads OTLP requests; requests that are large or take long are decoded in a thread.
import { inputLimits } from '../../../base/input-limits.ts';
import { importHeapBytesMax } from '../../../base/limits.ts';
import { otlpHereWorkMax, otlpInThreadBytesMin, otlpThreadsMax } from '../../limits.ts';
import type { Clock } from '../../../base/clock.ts';
import { Pacer } from '../../../base/pacer.ts';
import { memoryShare } from '../../../base/memory-limit.ts';
import { ownedBody } from '../../../base/join-chunks.ts';
import { Slots } from '../../../base/slots.ts';
import { askThread } from '../../../base/threads/ask-thread.ts';
import { type OtlpRequest, TooMuchWork } from '../../../formats/otlp/decode.ts';
import { isSmallJson } from '../../transport/json/read-json.ts';
import { decodeOtlpBody } from './otlp-body.ts';

const script = new URL('./otlp-worker.ts', import.meta.url);
const threads = new Slots(otlpThreadsMax);

/**
 * Reads a request. A thread reads requests that are large, and requests with very many messages: a
 * message may take only two bytes. Ownership: the thread takes over the memory of `body`.
 *
 * Errors: as in decodeOtlp and otlpOfJson; 'cancelled' if the signal is aborted first.
 */
export async function readOtlp(
  body: Uint8Array,
  isJson: boolean,
  clock: Clock,
  callSignal: () => AbortSignal,
): Promise<OtlpRequest> {
  const isSmall = isJson ? isSmallJson(body) : body.length < otlpInThreadBytesMin;
  if (isSmall) {
    // If many requests arrive in one turn of the event loop, they are read in several turns.
    const pausing = new Pacer(clock).pause();
    if (pausing !== undefined) await pausing;
    try {
      return await decodeOtlpBody(body, isJson, otlpHereWorkMax);
    } catch (error) {
      if (!(error instanceof TooMuchWork)) throw error;
    }
  }
  const signal = callSignal();
  return threads.run(async () => {
    const sent = await ownedBody(body);
    const thread = {
      script,
      name: 'otlp',
      task: 'read profiles',
      whyCancelled: 'it takes too long',
      moved: [sent],
      heapBytesMax: memoryShare('importHeap', importHeapBytesMax),
    };
    const question = { body: sent, isJson, limits: { ...inputLimits } };
    return askThread<OtlpRequest>(thread, question, signal);
  }, signal);
}
