// Work that several callers share, by key. The first caller starts it, and it is aborted when the
// last caller leaves.
import { Flight } from './flight.ts';

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
   * leaves when its signal is aborted; when all callers have left, the signal of `begin` is
   * aborted.
   *
   * Errors: those of the work; the reason of `signal`.
   */
  async join(
    key: K,
    signal: AbortSignal | undefined,
    begin: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const known = this.#flights.get(key);
    const flight = known === undefined || known.isEnded ? this.#begin(key, begin) : known;
    try {
      return await flight.join(signal);
    } finally {
      if (flight.isEnded) this.#forget(key, flight);
    }
  }

  #begin(key: K, begin: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const flight = new Flight(begin);
    this.#flights.set(key, flight);
    const forget = (): void => this.#forget(key, flight);
    flight.work.then(forget, forget);
    return flight;
  }

  #forget(key: K, flight: Flight<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
