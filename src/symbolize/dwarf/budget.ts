// Limits the work on one file.
import { AppError } from '../../base/errors.ts';
import { dwarfStepsMax } from '../limits.ts';

/** Counts entries, ranges and lines that are read. */
export class Budget {
  #left = dwarfStepsMax;

  /** Errors: AppError 'resource-exhausted' when too much was read. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    const why = `it takes more than ${dwarfStepsMax.toLocaleString('en-US')} steps`;
    throw new AppError('resource-exhausted', `cannot read DWARF: ${why}`);
  }
}
