// Work that several callers share. It is aborted when the last caller leaves.
import { abortReason, AppError } from './errors.ts';
import { untilAborted } from './until-aborted.ts';

/** Work that starts immediately, and that callers can join. */
export class Flight<T> {
  /** Settles like the work, even if all callers have left. */
  readonly work: Promise<T>;
  readonly #controller = new AbortController();
  #callers = 0;

  constructor(begin: (signal: AbortSignal) => Promise<T>) {
    this.work = begin(this.#controller.signal);
    // Callers get the error from `join`. If all have left, nobody else would handle the rejection.
    this.work.catch(() => undefined);
  }

  /** True once all callers have left, so that a new caller has to start the work again. */
  get isEnded(): boolean {
    return this.#controller.signal.aborted;
  }

  /**
   * Settles like the work. A caller leaves when its signal is aborted; a caller without a signal
   * stays until the end.
   *
   * Errors: those of the work; the reason of `signal`.
   */
  async join(signal: AbortSignal | undefined): Promise<T> {
    if (signal?.aborted) throw abortReason(signal);
    this.#callers += 1;
    if (signal === undefined) return this.work;
    try {
      return await untilAborted(this.work, signal);
    } finally {
      this.#callers -= 1;
      if (this.#callers === 0) {
        this.#controller.abort(new AppError('cancelled', 'all callers have gone'));
      }
    }
  }
}
