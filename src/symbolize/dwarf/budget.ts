// Limits the work on one file.
import { AppError } from '../../base/errors.ts';
import { dwarfStepsMax } from '../limits.ts';

/** Counts the entries, ranges and lines that are read. */
export class Budget {
  #left = dwarfStepsMax;

  /** Counts steps. Errors: AppError 'resource-exhausted' above the limit. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    const why = `it takes more than ${dwarfStepsMax.toLocaleString('en-US')} steps`;
    throw new AppError('resource-exhausted', `cannot read DWARF: ${why}`);
  }
}
