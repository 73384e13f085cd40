// The worker thread that decodes uploads, behind an interface that tests can replace.
import { type ErrorCode, errorMessage } from '../base/errors.ts';
import { inputLimits } from '../base/input-limits.ts';
import { decodedSymbolBytesMax, ingestHeapBytesMax } from './limits.ts';
import { memoryShare } from '../base/memory-limit.ts';
import { send } from '../base/threads/send.ts';
import { codeOfDeath, Thread } from '../base/threads/thread.ts';
import type { DecoderThreadData, SentRequest } from './decode-worker.ts';
import type { Seeds } from '../model/dictionary.ts';
import type { DecodeReply, DecodeRequest } from './upload-decoder.ts';
import { placeUploads } from './place-uploads.ts';
import { UploadSlots } from './upload-slots.ts';

/** Listener for events of a decoder. Replies arrive in the order of the requests. */
export interface DecoderEvents {
  onReply(reply: DecodeReply): void;
  /**
   * Called when no further replies will arrive. `code` is the error code for requests without a
   * reply.
   */
  onDeath(why: string, code: ErrorCode): void;
}

/** A running decoder. */
export interface DecoderThread {
  /**
   * Sends a request. Ownership: uploads are borrowed until this returns, except uploads in `isOwn`,
   * which the thread takes over.
   */
  send(request: DecodeRequest): void;
  /** Ends the decoder. Requests without a reply never get one. */
  close(): Promise<void>;
}

const script = new URL('./decode-worker.ts', import.meta.url);

/**
 * Starts a decoder in a thread. The thread keeps the process alive while requests have no reply.
 */
export function startDecoderThread(seeds: Seeds, events: DecoderEvents): DecoderThread {
  const slots = new UploadSlots();
  const data: DecoderThreadData = {
    seeds,
    memory: slots.memory,
    limits: inputLimits,
    symbolBytesMax: memoryShare('ingestSymbols', decodedSymbolBytesMax),
  };
  const heapBytesMax = memoryShare('ingestHeap', ingestHeapBytesMax);
  const thread = new Thread(script, { name: 'ingest', data, heapBytesMax });
  /** Requests without a reply, oldest first. */
  const open: SentRequest[] = [];
  let isDead = false;
  const die = (why: string, code: ErrorCode): void => {
    if (isDead) return;
    isDead = true;
    events.onDeath(why, code);
  };
  thread.unref();
  thread.on('message', (reply: DecodeReply) => {
    for (const { profile } of open.shift()?.uploads ?? []) {
      if (!(profile instanceof Uint8Array)) slots.release(profile);
    }
    if (open.length === 0) thread.unref();
    events.onReply(reply);
  });
  thread.on('error', (error) => {
    const isFull = codeOfDeath(error) === 'resource-exhausted';
    // Unless the memory was full, another upload may be the cause, so the caller may retry.
    die(errorMessage(error), isFull ? 'resource-exhausted' : 'unavailable');
  });
  thread.on('exit', (code) => die(`it exited with code ${code}`, 'unavailable'));
  return {
    send({ isNewHead, uploads, isOwn }) {
      const sent = placeUploads(uploads, slots, isOwn);
      if (open.length === 0) thread.ref();
      open.push({ isNewHead, uploads: sent });
      const moved = sent.flatMap(({ profile }) => (profile instanceof Uint8Array ? profile : []));
      send(thread, { isNewHead, uploads: sent } satisfies SentRequest, moved);
    },
    async close() {
      await thread.terminate();
    },
  };
}
