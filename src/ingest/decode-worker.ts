// The script of the thread in decode-thread.ts: decodes requests and sends replies.
import { parentPort } from 'node:worker_threads';
import { send } from '../base/threads/send.ts';
import { threadData } from '../base/threads/unbroken.ts';
import type { DecoderThreadData, SentRequest } from './decode-thread.ts';
import { columnsOf, UploadDecoder } from './upload-decoder.ts';

const { seeds, memory } = threadData() as DecoderThreadData;
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
  send(parentPort, reply, columnsOf(reply));
});
