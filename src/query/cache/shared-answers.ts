// Computes the answer to equal queries only once. Callers share the answer while it is being
// computed, and while it is cached.
import { AppError } from '../../base/errors.ts';
import type { Counter, Metrics } from '../../base/metrics.ts';
import type { Querier } from '../../storage/interface.ts';
import { AnswerCache, questionKey } from './answer-cache.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import { abortError, type RecordedCaller } from '../running/context.ts';
import type { AnswerSharing, EncodedAnswer, QueryCaller } from '../interface.ts';
import { RecordingQuerier } from '../running/recording-querier.ts';

type Answering = (caller: QueryCaller) => Promise<EncodedAnswer>;

/** An answer that is being computed for all callers that wait for it. */
interface Flight {
  readonly key: string;
  readonly recorder: RecordingQuerier;
  readonly answer: Promise<Uint8Array>;
  readonly controller: AbortController;
  /** Tags of the waiting callers. */
  readonly tags: string[];
  waiting: number;
}

/**
 * Shares answers among callers: an equal query about one service takes 0.1 ms instead of 5 ms. An
 * answer is shared only while the data it reads is unchanged, so that each caller sees every write
 * that was acknowledged before its query.
 */
export class SharedAnswers implements AnswerSharing {
  readonly #querier: Querier;
  readonly #cache: AnswerCache<Uint8Array>;
  readonly #flights = new Map<string, Flight>();
  readonly #shared: Counter;

  constructor(querier: Querier, cacheBytesMax: number, metrics: Metrics) {
    this.#querier = querier;
    this.#cache = new AnswerCache(cacheBytesMax);
    this.#shared = metrics.counter(
      'parca_query_shared_total',
      'Queries that got the answer of an equal one, by how: cached, or joined while it was made.',
      ['how'],
    );
    metrics.observedGauge(
      'parca_query_cache_bytes',
      'Answers that are kept for equal questions.',
      () => this.#cache.usedBytes,
    );
  }

  async once(question: object, caller: QueryCaller, answer: Answering): Promise<Uint8Array> {
    // Limits are part of the key, because a caller with lower limits may fail while others do not.
    const key = questionKey([question, caller.limits]);
    if (key === undefined) return (await answer(caller)).bytes;
    const kept = await this.#cache.get(key);
    if (kept !== undefined) {
      this.#shared.add(1, { how: 'cached' });
      return kept;
    }
    const running = this.#flights.get(key);
    const isCurrent = running === undefined || (await running.recorder.isCurrent());
    const flight = this.#flights.get(key);
    // An answer that was started after this call sees all data that this call must see.
    if (flight === undefined || (flight === running && !isCurrent)) {
      return this.#wait(this.#begin(key, caller, answer), caller);
    }
    this.#shared.add(1, { how: 'joined' });
    return this.#wait(flight, caller);
  }

  /** Waits for a shared answer. If the last caller leaves, the work is cancelled. */
  async #wait(flight: Flight, { signal, tags = [] }: QueryCaller): Promise<Uint8Array> {
    flight.waiting += 1;
    flight.tags.push(...tags);
    try {
      return await untilAborted(flight.answer, signal, abortError);
    } finally {
      flight.waiting -= 1;
      for (const tag of tags) flight.tags.splice(flight.tags.indexOf(tag), 1);
      if (flight.waiting === 0) {
        this.#land(flight);
        const why = 'cannot answer query: no caller waits for it';
        flight.controller.abort(new AppError('cancelled', why));
      }
    }
  }

  #begin(key: string, caller: QueryCaller, answer: Answering): Flight {
    const recorder = new RecordingQuerier(this.#querier);
    const controller = new AbortController();
    const tags: string[] = [];
    const { signal } = controller;
    const make = async (): Promise<Uint8Array> => {
      try {
        const recorded: RecordedCaller = { ...caller, signal, tags, recorder };
        const { bytes, isWhole } = await answer(recorded);
        if (isWhole) await this.#cache.put(key, bytes, bytes.length, recorder);
        return bytes;
      } finally {
        this.#land(flight);
      }
    };
    const flight: Flight = {
      key,
      recorder,
      answer: Promise.resolve().then(make),
      controller,
      tags,
      waiting: 0,
    };
    this.#flights.set(key, flight);
    return flight;
  }

  /** Removes a flight, so that no more callers join it. */
  #land(flight: Flight): void {
    if (this.#flights.get(flight.key) === flight) this.#flights.delete(flight.key);
  }
}
