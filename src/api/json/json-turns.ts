// Turns for long answers in JSON: one is written at a time, because a list takes ten times its
// bytes while it is written.
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { FairQueue } from '../../base/fair-queue.ts';
import { jsonMessageBytesMax, jsonWaitingBytesMax, querySliceMillis } from '../../base/limits.ts';
import { Pacer } from '../../base/pacer.ts';
import type { CallContext } from '../call/method.ts';
import { messageToJsonInSlices } from './from-message.ts';
import type { Schema, SchemaMessage } from './schema.ts';

/** Milliseconds of a byte of a message, about, until answers were measured. */
const millisPerByte = 1e-4;

/** Writes messages as JSON. Callers take turns with their long ones. */
export class JsonTurns {
  readonly #clock: Clock;
  readonly #queue: FairQueue;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#queue = new FairQueue({
      clock,
      limits: {
        runningMax: 1,
        reserved: 0,
        waitingMax: Infinity,
        waitingSizeMax: jsonWaitingBytesMax,
      },
      millisPerSize: millisPerByte,
      refuse: ({ waitingSize, retryAfterMillis }) =>
        new AppError(
          'resource-exhausted',
          `cannot write answer: answers of ${waitingSize} bytes wait to be written as JSON, the ` +
            `limit is ${jsonWaitingBytesMax}`,
          { retryAfterMillis },
        ),
    });
  }

  /**
   * Returns an encoded message as JSON.
   *
   * Errors: AppError 'resource-exhausted' if too many bytes wait; the reason why the signal of the
   * call was aborted.
   */
  async write(
    schema: Schema,
    type: SchemaMessage,
    message: Uint8Array,
    { caller, signal }: Pick<CallContext, 'caller' | 'signal'>,
  ): Promise<Uint8Array> {
    const pacer = new Pacer(this.#clock, querySliceMillis);
    const write = (): Promise<Uint8Array> =>
      messageToJsonInSlices(schema, type, message, pacer, () => signal);
    if (message.length <= jsonMessageBytesMax) return write();
    const turn = await this.#queue.take(caller, message.length, signal);
    const started = this.#clock.monotonicMillis();
    try {
      return await write();
    } finally {
      turn.end(this.#clock.monotonicMillis() - started);
    }
  }
}
