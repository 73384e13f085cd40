// Encodes chunks of many rows in a thread, which starts with the first chunk and ends at `close`.
import { AppError, errorMessage } from '../../base/errors.ts';
import { workerHeapBytesMax } from '../../base/limits.ts';
import { memoryShare } from '../../base/memory-limit.ts';
import { type Elements, ownedCopy } from '../../base/owned.ts';
import { send } from '../../base/threads/send.ts';
import { Thread } from '../../base/threads/thread.ts';
import type { ChunkInput } from './chunk-data.ts';
import { type EncodedChunk, encodeChunk } from './encode-chunk.ts';
import type { EncodeReply } from './encode-worker.ts';

/** Encodes chunks, one at a time. */
export interface ChunkEncoder {
  /**
   * Encodes like `encodeChunk`. The input must not change until the promise settles; columns in
   * shared memory are not copied.
   *
   * Errors: AppError 'unavailable' after `close`, 'internal' when the thread died; the next chunk
   * gets a new thread.
   */
  encode(input: ChunkInput): Promise<EncodedChunk>;
  /** Ends the thread; an unfinished call fails. Idempotent. */
  close(): Promise<void>;
}

/** Encodes in the calling thread. */
export const encoderHere: ChunkEncoder = {
  encode: async (input) => encodeChunk(input),
  close: async () => undefined,
};

/** Makes an encoder whose thread starts with the first chunk. */
export function createEncoderThread(): ChunkEncoder {
  return new EncoderThread();
}

const script = new URL('./encode-worker.ts', import.meta.url);

class EncoderThread implements ChunkEncoder {
  #thread: Thread | undefined;
  #isClosed = false;

  async encode(input: ChunkInput): Promise<EncodedChunk> {
    if (this.#isClosed) throw failure('unavailable', 'closing');
    const heapBytesMax = memoryShare('workerHeap', workerHeapBytesMax);
    this.#thread ??= new Thread(script, { name: 'encode', heapBytesMax });
    const thread = this.#thread;
    const { sent, moved } = sentInput(input);
    const stop = new AbortController();
    try {
      const reply = await new Promise<EncodeReply>((resolve, reject) => {
        const { signal } = stop;
        const die = (why: string): void => {
          this.#thread = undefined;
          reject(this.#isClosed ? failure('unavailable', 'closing') : failure('internal', why));
        };
        const onError = (error: unknown): void => die(`the thread died: ${errorMessage(error)}`);
        const onExit = (code: number): void => die(`the thread exited with code ${code}`);
        thread.once('message', resolve).once('error', onError).once('exit', onExit);
        signal.addEventListener('abort', () => {
          thread.off('message', resolve).off('error', onError).off('exit', onExit);
        });
        send(thread, sent, moved);
      });
      if ('failure' in reply) throw failure('internal', reply.failure);
      return reply;
    } finally {
      stop.abort();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.terminate();
  }
}

function failure(code: 'unavailable' | 'internal', why: string): AppError {
  return new AppError(code, `cannot encode profiles: ${why}`);
}

/** Prepares the input for another thread; columns in shared memory are not copied. */
function sentInput(input: ChunkInput): { sent: ChunkInput; moved: readonly Elements[] } {
  const { profileCount, contentHash, sampleLabels } = input;
  const rowCount = input.rowStart[profileCount];
  const moved: Elements[] = [];
  const sentColumn = <A extends Elements>(column: A, count: number): A => {
    if (column.buffer instanceof SharedArrayBuffer) return column.subarray(0, count) as A;
    // Posting a view would copy its whole buffer.
    const copy = ownedCopy(column, 0, count);
    moved.push(copy);
    return copy as A;
  };
  const sent = {
    profileCount,
    timeNanos: sentColumn(input.timeNanos, profileCount),
    durationNanos: sentColumn(input.durationNanos, profileCount),
    period: sentColumn(input.period, profileCount),
    contentHash: contentHash && sentColumn(contentHash, profileCount),
    rowStart: sentColumn(input.rowStart, profileCount + 1),
    stacks: sentColumn(input.stacks, rowCount),
    sampleLabels: sampleLabels && sentColumn(sampleLabels, rowCount),
    values: input.values.map((valueColumn) => sentColumn(valueColumn, rowCount)),
    sampleTimes: input.sampleTimes?.map((times) => times && sentColumn(times, times.length)),
  };
  return { sent, moved };
}
