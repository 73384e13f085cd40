// Checks that every profile at the start or the end of a step was read.
import { AppError } from '../../base/errors.ts';
import type { MissingSentences } from './spans.ts';

/**
 * Counts the profiles that were announced but not read. None may be missing: the value of a step
 * whose start is missing would be far too large.
 */
export class StepReads {
  #lost = 0;

  /** Announces `count` profiles at the start or the end of steps. */
  expect(count: number): void {
    this.#lost += count;
  }

  /** Records that `count` profiles were read. */
  note(count: number): void {
    this.#lost -= count;
  }

  /**
   * Runs `read`, which must read all announced profiles.
   *
   * Errors: AppError 'data-loss'.
   */
  async readAll<T>({ missing }: MissingSentences, read: () => Promise<T>): Promise<T> {
    const before = missing.splice(0);
    const result = await read();
    // The same damage may be reported several times, so the error contains only the first report.
    const [first = `${this.#lost} of its profiles cannot be read`] = missing;
    if (missing.length > 0 || this.#lost !== 0) {
      throw new AppError('data-loss', `cannot tell the increase: ${first}`);
    }
    missing.push(...before);
    return result;
  }
}
