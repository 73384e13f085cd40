// A value that expires, such as a token.
import type { Clock } from './clock.ts';

/**
 * Time in milliseconds: a value is renewed this long before it expires, so that it does not expire
 * in transit.
 */
const marginMillis = 60_000;

export interface Renewed<T> {
  readonly value: T;
  /** Remaining lifetime; infinite for a value that does not expire. */
  readonly lifeMillis: number;
}

/** Keeps a value until it is about to expire; concurrent calls share one renewal. */
export class Expiring<T> {
  readonly #clock: Clock;
  #current: { readonly value: Promise<T>; endMillis: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the value. Errors: as in `renew`; after an error, the next call tries again. */
  get(renew: () => Promise<Renewed<T>>): Promise<T> {
    const current = this.#current;
    if (current !== undefined && this.#clock.monotonicMillis() < current.endMillis) {
      return current.value;
    }
    const startMillis = this.#clock.monotonicMillis();
    const renewed = renew();
    const next = { value: renewed.then(({ value }) => value), endMillis: Infinity };
    this.#current = next;
    renewed.then(
      ({ lifeMillis }) => {
        // A value with a short lifetime is used for half of it.
        next.endMillis = startMillis + Math.max(lifeMillis - marginMillis, lifeMillis / 2);
      },
      () => this.forget(),
    );
    return next.value;
  }

  /** Drops the value because it was refused, so that the next call renews it. */
  forget(): void {
    this.#current = undefined;
  }
}
