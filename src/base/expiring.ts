// A value that is good for a while, such as a token.
import type { Clock } from './clock.ts';

/** A value that is renewed this long before its end does not end on its way. */
const marginMillis = 60_000;

export interface Renewed<T> {
  readonly value: T;
  /** Time from now; infinite for what does not end. */
  readonly lifeMillis: number;
}

/** Keeps a value until it is about to end; calls at the same time share one renewal. */
export class Expiring<T> {
  readonly #clock: Clock;
  #current: { readonly value: Promise<T>; endMillis: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Errors: those of renewing; the next call tries again. */
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
        // Half of a short life is used.
        next.endMillis = startMillis + Math.max(lifeMillis - marginMillis, lifeMillis / 2);
      },
      () => this.forget(),
    );
    return next.value;
  }

  /** Renews at the next call: the value was refused. */
  forget(): void {
    this.#current = undefined;
  }
}
