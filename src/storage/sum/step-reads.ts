// Makes sure that every profile is read that a step starts or ends at.
import { AppError } from '../../base/errors.ts';
import type { Notes } from './spans.ts';

/** Counts profiles. Without its start a step would be worth far too much, so none is left out. */
export class StepReads {
  #lost = 0;

  /** Tells that steps start or end at `count` profiles. */
  expect(count: number): void {
    this.#lost += count;
  }

  /** Tells that `count` profiles were read. */
  note(count: number): void {
    this.#lost -= count;
  }

  /**
   * Does what reads all of them.
   *
   * Errors: AppError 'data-loss'.
   */
  async readAll<T>({ missing }: Notes, read: () => Promise<T>): Promise<T> {
    const before = missing.splice(0);
    const result = await read();
    // One thing that is damaged may be met in several ways.
    const [first = `${this.#lost} of its profiles cannot be read`] = missing;
    if (missing.length > 0 || this.#lost !== 0) {
      throw new AppError('data-loss', `cannot tell the increase: ${first}`);
    }
    missing.push(...before);
    return result;
  }
}
