// Work that several callers share. The first caller starts it, and it is aborted when the last
// caller leaves.
import { AppError } from './errors.ts';
import { untilAborted } from './until-aborted.ts';

interface Flight<T> {
  readonly work: Promise<T>;
  readonly controller: AbortController;
  callers: number;
}

/** Running work, by key. */
export class Flights<K, T> {
  readonly #flights = new Map<K, Flight<T>>();

  get size(): number {
    return this.#flights.size;
  }

  has(key: K): boolean {
    return this.#flights.has(key);
  }

  /** Returns all running work, which may reject. */
  all(): Promise<T>[] {
    return Array.from(this.#flights.values(), ({ work }) => work);
  }

  /**
   * Settles like the work of a key, which `begin` starts unless it is already running. A caller
   * leaves when its signal is aborted; when all have left, the signal of `begin` is aborted.
   *
   * Errors: those of the work; the reason of `signal`.
   */
  async join(
    key: K,
    signal: AbortSignal | undefined,
    begin: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const flight = this.#flights.get(key) ?? this.#begin(key, begin);
    flight.callers += 1;
    if (signal === undefined) return flight.work;
    try {
      return await untilAborted(flight.work, signal);
    } finally {
      flight.callers -= 1;
      if (flight.callers === 0) this.#end(key, flight);
    }
  }

  #begin(key: K, begin: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const flight: Flight<T> = { work: begin(controller.signal), controller, callers: 0 };
    this.#flights.set(key, flight);
    const forget = (): void => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    };
    flight.work.then(forget, forget);
    return flight;
  }

  /** Ends work that has no callers left; a later caller starts it again. */
  #end(key: K, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
    flight.controller.abort(new AppError('cancelled', 'all callers have gone'));
  }
}
