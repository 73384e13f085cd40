// Long answers that are written while the client reads them, so that they are never completely in
// memory.
import { Readable } from 'node:stream';
import type { Clock } from '../../../base/clock.ts';
import type { Turn } from '../../../base/fair-queue.ts';
import { abortReason } from '../../../base/errors.ts';
import { answerStallMillis } from '../../limits.ts';
import { jsonPieceLength, querySliceMillis } from '../../../base/limits.ts';
import { Pacer, stoppablePacer } from '../../../base/pacer.ts';

/** An answer in parts, with time for other work between them; "" is only a pause. */
export type TextSteps = Generator<string, void>;

/**
 * Returns a UTF-8 stream that produces the JSON in slices while it is read, and ends when the
 * signal is aborted. It must be read or destroyed.
 *
 * `turn` ends with the stream, or earlier if nothing is read for a while: then the reader is slow,
 * and other callers need not wait for it.
 */
export function streamText(
  clock: Clock,
  steps: TextSteps,
  signal: AbortSignal,
  turn: Turn | undefined,
): Readable {
  const started = clock.monotonicMillis();
  const endTurn = (): void => turn?.end(clock.monotonicMillis() - started);
  const stream = Readable.from(pieces(clock, steps, signal, endTurn), {
    objectMode: false,
    highWaterMark: jsonPieceLength,
  });
  const onAbort = (): void => void stream.destroy(abortReason(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  stream.once('close', () => {
    signal.removeEventListener('abort', onAbort);
    endTurn();
  });
  // The reader of the stream gets the error. There may be no reader yet.
  stream.on('error', () => undefined);
  return stream;
}

async function* pieces(
  clock: Clock,
  steps: TextSteps,
  signal: AbortSignal,
  onStall: () => void,
): AsyncGenerator<Buffer, void> {
  const pacer = stoppablePacer(new Pacer(clock, querySliceMillis), signal);
  let text = '';
  for (const step of steps) {
    text += step;
    if (text.length >= jsonPieceLength) {
      const stall = clock.setTimer(answerStallMillis, onStall);
      try {
        yield Buffer.from(text);
      } finally {
        stall.cancel();
      }
      text = '';
    }
    const pausing = pacer.pause();
    if (pausing !== undefined) await pausing;
  }
  if (text !== '') yield Buffer.from(text);
}
