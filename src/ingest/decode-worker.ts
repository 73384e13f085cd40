// The script of the thread in decode-thread.ts: decodes requests and sends replies.
import { parentPort } from 'node:worker_threads';
import { type InputLimits, setInputLimits } from '../base/input-limits.ts';
import { send } from '../base/threads/send.ts';
import { threadData } from '../base/threads/unbroken.ts';
import type { Seeds } from './symbol-sender.ts';
import { buffersOf, UploadDecoder } from './upload-decoder.ts';
import type { SeriesUpload } from './upload-reader.ts';
import type { SlottedBytes } from './upload-slots.ts';

/** Data that the thread starts with. */
export interface DecoderThreadData {
  readonly seeds: Seeds;
  /** The memory of UploadSlots. */
  readonly memory: SharedArrayBuffer;
  readonly limits: InputLimits;
}

/** A request as the thread gets it. */
export interface SentRequest {
  readonly isNewHead: boolean;
  readonly uploads: readonly SentUpload[];
}

/** An upload in shared memory, or, when there is no room, in a buffer of its own. */
type SentUpload = Omit<SeriesUpload, 'profile'> & { readonly profile: SlottedBytes | Uint8Array };

const { seeds, memory, limits } = threadData() as DecoderThreadData;
setInputLimits(limits);
const decoder = new UploadDecoder(seeds);

parentPort?.on('message', ({ isNewHead, uploads }: SentRequest) => {
  const reply = decoder.decode({
    isNewHead,
    uploads: uploads.map(({ profile, ...upload }) => ({
      ...upload,
      profile:
        profile instanceof Uint8Array
          ? profile
          : new Uint8Array(memory, profile.offset, profile.length),
    })),
  });
  send(parentPort, reply, buffersOf(reply));
});
