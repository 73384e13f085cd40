// The thread that chunk-encoder.ts starts.
import { parentPort } from 'node:worker_threads';
import { errorMessage } from '../../base/errors.ts';
import { createCollector } from '../../base/node/memory.ts';
import { lowerThreadPriority } from '../../base/node/thread-priority.ts';
import { ownedCopy } from '../../base/owned.ts';
import { send } from '../../base/threads/send.ts';
import type { ChunkInput } from './chunk-data.ts';
import { type EncodedChunk, encodeChunk } from './encode-chunk.ts';

/** Reply to each input. */
export type EncodeReply = EncodedChunk | { readonly failure: string };

/** Maximum memory of finished chunks that may wait for V8's next garbage collection, in bytes. */
const garbageBytesMax = 32 << 20;

const collect = createCollector(garbageBytesMax);
lowerThreadPriority('background');

parentPort?.on('message', (input: ChunkInput) => {
  try {
    const encoded = encodeChunk(input);
    const profiles = ownedCopy(encoded.profiles);
    const stacks = ownedCopy(encoded.stacks);
    const rows = ownedCopy(encoded.rows);
    const { profileCount, rowCount } = encoded;
    const times = encoded.times && ownedCopy(encoded.times);
    const reply: EncodeReply = { profiles, stacks, rows, times, profileCount, rowCount };
    send(parentPort, reply, [profiles, stacks, rows, ...(times === undefined ? [] : [times])]);
  } catch (error) {
    const reply: EncodeReply = { failure: errorMessage(error) };
    send(parentPort, reply);
  }
  collect(0);
});
