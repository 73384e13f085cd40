// Answers the first message of Write with the ids of its stacks, which a thread extracts if the
// message is large.
import { inputLimits } from '../../../base/input-limits.ts';
import {
  decodeHereBytesMax,
  decodeHereSentBytesMax,
  importHeapBytesMax,
} from '../../../base/limits.ts';
import { stackIdThreadsMax } from '../../limits.ts';
import { memoryShare } from '../../../base/memory-limit.ts';
import { Slots } from '../../../base/slots.ts';
import { askThread } from '../../../base/threads/ask-thread.ts';
import { answerStackIds } from '../../../formats/parca-arrow/encode-stack-ids.ts';

const script = new URL('./stack-ids-worker.ts', import.meta.url);
const threads = new Slots(stackIdThreadsMax);

/**
 * Reads the ids of the stacks in `samples`, and returns the encoded answer.
 *
 * Errors: as in readRecord; 'cancelled' if the signal is aborted first.
 */
export async function readStackIds(samples: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
  if (samples.length <= decodeHereSentBytesMax) {
    const answer = answerStackIds(samples, decodeHereBytesMax);
    if (answer !== undefined) return answer;
  }
  return threads.run(() => {
    const thread = {
      script,
      name: 'stack-ids',
      task: 'write profiles',
      whyCancelled: 'it takes too long',
      heapBytesMax: memoryShare('importHeap', importHeapBytesMax),
    };
    // Sending a view would copy the complete buffer that it belongs to.
    const question = { samples: Uint8Array.from(samples), limits: { ...inputLimits } };
    return askThread<Uint8Array>(thread, question, signal);
  }, signal);
}
