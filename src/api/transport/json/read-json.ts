// JSON bodies by size: a large one is converted to a message in a thread.
import { inputLimits } from '../../../base/input-limits.ts';
import { importHeapBytesMax } from '../../../base/limits.ts';
import { jsonInThreadBytesMin, jsonThreadsMax } from '../../limits.ts';
import { memoryShare } from '../../../base/memory-limit.ts';
import { ownedBody } from '../../../base/join-chunks.ts';
import { Slots } from '../../../base/slots.ts';
import { askThread } from '../../../base/threads/ask-thread.ts';
import { messageOfJson } from './json-body.ts';

const script = new URL('./message-worker.ts', import.meta.url);
const threads = new Slots(jsonThreadsMax);

/**
 * Returns the request of the method at `path`, made in a thread if the body is large: a MiB takes a
 * tenth of a second.
 *
 * Errors: those of messageOfJson; 'cancelled' when the signal is aborted first.
 */
export async function readJsonBody(
  path: string,
  body: Uint8Array,
  callSignal: () => AbortSignal,
): Promise<Uint8Array> {
  if (body.length < jsonInThreadBytesMin) return messageOfJson(path, body);
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
