// Turns for long JSON answers. Callers take turns; two answers, for two callers, are written at a
// time, while they are read.
import type { Readable } from 'node:stream';
import type { Clock } from '../../../base/clock.ts';
import { AppError } from '../../../base/errors.ts';
import { FairQueue, type Turn } from '../../../base/fair-queue.ts';
import { jsonMessageBytesMax, jsonWaitingBytesMax, listsWaitingMax } from '../../limits.ts';
import type { CallContext } from '../call/method.ts';
import { streamText } from '../call/answer-stream.ts';
import { messageSteps, messageToJson } from './from-message.ts';
import type { Schema, SchemaMessage } from './schema.ts';

/** Estimated milliseconds for a list, used until lists have been measured. */
const listMillisUsual = 20;
/** Estimated milliseconds for a byte of a message, used until answers have been measured. */
const millisPerByte = 1e-4;

/** Writes messages as JSON. Callers with long messages take turns. */
export class JsonTurns {
  readonly #clock: Clock;
  readonly #queue: FairQueue;
  /** Queue for lists. The turn of a list begins before the list is made. */
  readonly #lists: FairQueue;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lists = new FairQueue({
      clock,
      limits: {
        runningMax: 2,
        reserved: 1,
        waitingMax: listsWaitingMax,
        waitingSizeMax: Infinity,
      },
      millisPerSize: listMillisUsual,
      refuse: ({ waitingCount, retryAfterMillis }) =>
        new AppError(
          'resource-exhausted',
          `cannot answer with a list: ${waitingCount} requests wait, the limit is ${listsWaitingMax}`,
          { retryAfterMillis },
        ),
    });
    this.#queue = new FairQueue({
      clock,
      limits: {
        runningMax: 2,
        reserved: 1,
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
   * Waits for a turn before a list is made, so that no list is made and then refused.
   *
   * Errors: AppError 'resource-exhausted' if too many wait; the reason why the signal was aborted.
   */
  async takeList({ caller, signal }: Pick<CallContext, 'caller' | 'signal'>): Promise<Turn> {
    const turn = await this.#lists.take(caller, 1, signal);
    const started = this.#clock.monotonicMillis();
    return { end: (spent = this.#clock.monotonicMillis() - started) => turn.end(spent) };
  }

  /**
   * Returns an encoded message as JSON. A long message becomes a stream, which the caller must read
   * or destroy. If `listTurn` is given, it ends with the stream; otherwise this function waits for
   * a turn.
   *
   * Errors: AppError 'resource-exhausted' if too many bytes wait; the reason why the signal of the
   * call was aborted.
   */
  async open(
    schema: Schema,
    type: SchemaMessage,
    message: Uint8Array,
    { caller, signal }: Pick<CallContext, 'caller' | 'signal'>,
    listTurn?: Turn,
  ): Promise<Buffer | Readable> {
    if (message.length <= jsonMessageBytesMax) {
      return Buffer.from(messageToJson(schema, type, message));
    }
    const turn = listTurn ?? (await this.#queue.take(caller, message.length, signal));
    return streamText(this.#clock, messageSteps(schema, type, message), signal, turn);
  }
}
