// How many bytes of requests may be in memory at once, over all connections.
import { AppError } from '../../base/errors.ts';

/** A shared counter with an upper end. */
export class ByteBudget {
  private used = 0;
  private readonly bytesMax: number;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  /** Bytes taken and not given back. */
  get usedBytes(): number {
    return this.used;
  }

  /** Takes `bytes`. Errors: AppError 'resource-exhausted', and then nothing is taken. */
  take(bytes: number): void {
    if (this.used + bytes > this.bytesMax) {
      throw new AppError(
        'resource-exhausted',
        `cannot read request: requests in flight hold ${this.used} of ${this.bytesMax} bytes`,
      );
    }
    this.used += bytes;
  }

  give(bytes: number): void {
    this.used -= bytes;
  }
}

/** What one request took; gives all of it back at once. */
export class ByteLease {
  private taken = 0;
  private isReleased = false;
  private readonly budget: ByteBudget;

  constructor(budget: ByteBudget) {
    this.budget = budget;
  }

  /** Errors: as ByteBudget; 'cancelled' after `release`, when a chunk comes late. */
  take(bytes: number): void {
    if (this.isReleased) throw new AppError('cancelled', 'the request has ended');
    this.budget.take(bytes);
    this.taken += bytes;
  }

  /** Idempotent. */
  release(): void {
    this.budget.give(this.taken);
    this.taken = 0;
    this.isReleased = true;
  }
}
