// Where uploads are decoded: a worker thread, seen through the interface that tests fill in.
import { Worker } from 'node:worker_threads';
import { errorMessage } from '../base/errors.ts';
import type { Seeds } from './symbol-sender.ts';
import type { DecodeReply, DecodeRequest } from './upload-decoder.ts';

/** What a decoder tells; replies come in the order of requests. */
export interface DecoderEvents {
  onReply(reply: DecodeReply): void;
  /** No reply comes any more. */
  onDeath(why: string): void;
}

/** A decoder at work. */
export interface DecoderThread {
  /** Ownership: the uploads' buffers are given away. */
  send(request: DecodeRequest): void;
  /** Ends it; what it was asked for gets no reply. */
  close(): Promise<void>;
}

const script = new URL('./decode-worker.ts', import.meta.url);

/** Starts a decoder in a thread of its own; it keeps the process alive while it is asked. */
export function startDecoderThread(seeds: Seeds, events: DecoderEvents): DecoderThread {
  const thread = new Worker(script, { name: 'ingest', workerData: seeds });
  let open = 0;
  let isDead = false;
  const die = (why: string): void => {
    if (isDead) return;
    isDead = true;
    events.onDeath(why);
  };
  thread.unref();
  thread.on('message', (reply: DecodeReply) => {
    open -= 1;
    if (open === 0) thread.unref();
    events.onReply(reply);
  });
  thread.on('error', (error) => die(errorMessage(error)));
  thread.on('exit', (code) => die(`it exited with code ${code}`));
  return {
    send(request) {
      if (open === 0) thread.ref();
      open += 1;
      thread.postMessage(
        request,
        request.uploads.flatMap(({ profile: { buffer } }) =>
          buffer instanceof ArrayBuffer ? buffer : [],
        ),
      );
    },
    async close() {
      await thread.terminate();
    },
  };
}
