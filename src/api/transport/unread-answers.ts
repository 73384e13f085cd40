// Answers that wait until their callers read them. Their memory is limited, and an answer of which
// nothing is read for a long time is closed. Otherwise, a caller that never reads would keep its
// answer in memory forever.
import type { ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Clock, Timer } from '../../base/clock.ts';
import { unreadAnswersCheckMillis } from '../limits.ts';
import type { Counter } from '../../base/metrics.ts';

type Answer = ServerResponse | ServerHttp2Stream;

/** Limits of unread answers. */
export interface UnreadAnswersOptions {
  /** Bytes that all unread answers may have together; a single answer may have more. */
  readonly bytesMax: number;
  /** Longest time in milliseconds in which a caller reads nothing of an answer. */
  readonly silenceMillisMax: number;
  /** Counts answers that were closed early, by the label `limit`. */
  readonly cutOff: Counter;
}

/** Keeps track of all unfinished answers. */
export class UnreadAnswers {
  readonly #clock: Clock;
  readonly #options: UnreadAnswersOptions;
  /** Function that ends each unfinished answer. */
  readonly #cuts = new Map<Answer, () => void>();
  /** Answers that had unread bytes at the last check; the one that has waited longest is first. */
  readonly #waiting = new Set<Answer>();
  #timer: Timer | undefined;

  constructor(clock: Clock, options: UnreadAnswersOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  /** Watches an answer until it closes; `cut` closes it early. */
  add(answer: Answer, cut: () => void): void {
    this.#cuts.set(answer, cut);
    answer.once('close', () => {
      this.#cuts.delete(answer);
      this.#waiting.delete(answer);
    });
    if (this.#timer === undefined) this.#lookSoon();
  }

  #lookSoon(): void {
    this.#timer = this.#clock.setTimer(unreadAnswersCheckMillis, () => this.#look());
  }

  #look(): void {
    this.#timer = undefined;
    let bytes = 0;
    for (const answer of this.#cuts.keys()) {
      bytes += answer.writableLength;
      if (answer.writableLength === 0) this.#waiting.delete(answer);
      else if (!this.#waiting.has(answer)) this.#expect(answer);
    }
    for (const answer of this.#waiting) {
      if (bytes <= this.#options.bytesMax || this.#waiting.size === 1) break;
      bytes -= answer.writableLength;
      this.#cut(answer, 'memory');
    }
    if (this.#cuts.size > 0) this.#lookSoon();
  }

  #expect(answer: Answer): void {
    this.#waiting.add(answer);
    answer.setTimeout(this.#options.silenceMillisMax, () => {
      if (answer.writableLength > 0) this.#cut(answer, 'time');
    });
  }

  #cut(answer: Answer, limit: string): void {
    const cut = this.#cuts.get(answer);
    if (cut === undefined) return;
    this.#cuts.delete(answer);
    this.#waiting.delete(answer);
    this.#options.cutOff.add(1, { limit });
    cut();
  }
}
