// Script of the thread in decode-thread.ts, which decodes requests and sends replies.
import { parentPort } from 'node:worker_threads';
import { type InputLimits, setInputLimits } from '../base/input-limits.ts';
import {
  ingestForgetMillis,
  ingestIdleBytesMax,
  ingestIdleMillis,
  ingestScratchBytesMax,
} from './limits.ts';
import { createClock } from '../base/node/clock.ts';
import { createCollector, createIdleCollector } from '../base/node/memory.ts';
import { send } from '../base/threads/send.ts';
import { threadData } from '../base/threads/unbroken.ts';
import type { Seeds } from '../model/dictionary.ts';
import { listBuffers, UploadDecoder } from './upload-decoder.ts';
import type { SeriesUpload } from './upload-reader.ts';
import type { SlottedBytes } from './upload-slots.ts';

/** Data that the thread starts with. */
export interface DecoderThreadData {
  readonly seeds: Seeds;
  /** Shared memory of the UploadSlots. */
  readonly memory: SharedArrayBuffer;
  readonly limits: InputLimits;
  /** Maximum number of bytes of symbols above which the thread forgets them. */
  readonly symbolBytesMax: number;
}

/** A request as it arrives in the thread. */
export interface SentRequest {
  readonly isNewHead: boolean;
  readonly uploads: readonly SentUpload[];
}

/**
 * An upload. Its profile is either in a slot of shared memory, or in memory that was sent with the
 * request.
 */
export type SentUpload = Omit<SeriesUpload, 'profile'> & {
  readonly profile: SlottedBytes | Uint8Array;
};

const { seeds, memory, limits, symbolBytesMax } = threadData() as DecoderThreadData;
setInputLimits(limits);
// The memory of a large upload is collected right away, because V8 might otherwise wait until the
// next upload arrives.
const collect = createCollector(ingestScratchBytesMax);
const collectIdle = createIdleCollector(ingestIdleBytesMax);
const decoder = new UploadDecoder(seeds, symbolBytesMax);
let hasWorked = true;
let idleMillis = 0;
const clock = createClock();
/** Releases memory when no uploads have arrived for some time. */
const lookAfterIdle = (): void => {
  idleMillis = hasWorked ? 0 : idleMillis + ingestIdleMillis;
  if (idleMillis > 0) {
    decoder.rest();
    if (idleMillis === ingestForgetMillis) decoder.forget();
    collectIdle();
  }
  hasWorked = false;
  clock.setTimer(ingestIdleMillis, lookAfterIdle);
};
lookAfterIdle();

parentPort?.on('message', ({ isNewHead, uploads }: SentRequest) => {
  hasWorked = true;
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
  send(parentPort, reply, listBuffers(reply));
  if (decoder.hasGarbage) collect(0);
  decoder.hasGarbage = false;
});
