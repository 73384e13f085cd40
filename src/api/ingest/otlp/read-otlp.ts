// OTLP requests by size: the profiles of a large one are made in a thread.
import { inputLimits } from '../../../base/input-limits.ts';
import { importHeapBytesMax, otlpInThreadBytesMin, otlpThreadsMax } from '../../../base/limits.ts';
import { memoryShare } from '../../../base/memory-limit.ts';
import { Slots } from '../../../base/slots.ts';
import { askThread } from '../../../base/threads/ask-thread.ts';
import type { OtlpRequest } from '../../../formats/otlp/decode.ts';
import { decodeOtlpBody } from './otlp-body.ts';

const script = new URL('./otlp-worker.ts', import.meta.url);
const threads = new Slots(otlpThreadsMax);

/**
 * Reads a request, in a thread if it is large.
 *
 * Errors: those of decodeOtlp and otlpOfJson; 'cancelled' when the signal is aborted first.
 */
export async function readOtlp(
  body: Uint8Array,
  isJson: boolean,
  signalOf: () => AbortSignal,
): Promise<OtlpRequest> {
  if (body.length < otlpInThreadBytesMin) return decodeOtlpBody(body, isJson);
  const signal = signalOf();
  return threads.run(() => {
    const thread = {
      script,
      name: 'otlp',
      task: 'read profiles',
      whyCancelled: 'it takes too long',
      heapBytesMax: memoryShare('importHeap', importHeapBytesMax),
    };
    // A view would be sent with all of the memory around it.
    const question = { body: Uint8Array.from(body), isJson, limits: { ...inputLimits } };
    return askThread<OtlpRequest>(thread, question, signal);
  }, signal);
}
