// OTLP requests by size: the profiles of a large one are decoded in a thread.
import { inputLimits } from '../../../base/input-limits.ts';
import { importHeapBytesMax } from '../../../base/limits.ts';
import { otlpInThreadBytesMin, otlpThreadsMax } from '../../limits.ts';
import { memoryShare } from '../../../base/memory-limit.ts';
import { ownedBody } from '../../../base/join-chunks.ts';
import { Slots } from '../../../base/slots.ts';
import { askThread } from '../../../base/threads/ask-thread.ts';
import type { OtlpRequest } from '../../../formats/otlp/decode.ts';
import { decodeOtlpBody } from './otlp-body.ts';

const script = new URL('./otlp-worker.ts', import.meta.url);
const threads = new Slots(otlpThreadsMax);

/**
 * Reads a request, in a thread if it is large. Ownership: takes over the memory of a large body.
 *
 * Errors: those of decodeOtlp and otlpOfJson; 'cancelled' when the signal is aborted first.
 */
export async function readOtlp(
  body: Uint8Array,
  isJson: boolean,
  callSignal: () => AbortSignal,
): Promise<OtlpRequest> {
  if (body.length < otlpInThreadBytesMin) return decodeOtlpBody(body, isJson);
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
