// Long answers that are written while the client reads them, so that they are never held in memory
// as a whole.
import { Readable } from 'node:stream';
import type { Clock } from '../../../base/clock.ts';
import type { Turn } from '../../../base/fair-queue.ts';
import { abortReason } from '../../../base/errors.ts';
import { answerStallMillis } from '../../limits.ts';
import { jsonPieceLength, querySliceMillis } from '../../../base/limits.ts';
import { Pacer, stoppablePacer } from '../../../base/pacer.ts';

/** An answer in parts. Other work may run between two parts; the part "" is only a pause. */
export type TextSteps = Generator<string, void>;

/**
 * Returns a UTF-8 stream that produces JSON in slices while it is read, and ends when the signal is
 * aborted. The caller must read or destroy it.
 *
 * `turn` ends with the stream, or earlier if nothing is read for a while, so that other callers do
 * not wait for a slow reader.
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
  // Whoever reads the stream gets the error. Without a listener, it would end the process.
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
