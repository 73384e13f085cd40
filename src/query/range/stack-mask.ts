// Marks the stacks of a dictionary that views leave; decides each stack once.
import { AppError } from '../../base/errors.ts';
import { grown } from '../../model/column.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { dropsStacks, type StackView } from '../../report/stacks/stack-view.ts';
import { ViewedStacks } from '../../report/stacks/viewed-stacks.ts';
import type { StackFilter } from '../../storage/interface.ts';

const dropped = 1;
const kept = 2;

/** Decides for the stacks of one dictionary, which may grow in the meantime. */
export class StackMask implements StackFilter {
  readonly #dictionary: Dictionary;
  readonly #viewed: ViewedStacks;
  /** Decisions by stack; 0 = not asked yet. */
  #known: Uint8Array;

  constructor(dictionary: Dictionary, views: readonly StackView[]) {
    this.#dictionary = dictionary;
    this.#viewed = new ViewedStacks(dictionary, views);
    this.#known = new Uint8Array(dictionary.stacks.length);
  }

  /**
   * Reports whether views leave something of a stack.
   *
   * Errors: AppError 'data-loss' for a stack that the dictionary does not have.
   */
  keeps(stack: number): boolean {
    const known = this.#known[stack];
    return known === kept || (known !== dropped && this.#decide(stack));
  }

  #decide(stack: number): boolean {
    const { length } = this.#dictionary.stacks;
    if (stack >= length) {
      throw new AppError('data-loss', `cannot read rows: they have stack ${stack} of ${length}`);
    }
    this.#known = grown(this.#known, length);
    const isKept = this.#viewed.view(stack) !== -1;
    this.#known[stack] = isKept ? kept : dropped;
    return isKept;
  }
}

/**
 * Returns the views up to the last one that can drop a stack, as later ones do not change totals.
 */
export function droppingViews(views: readonly StackView[]): readonly StackView[] {
  return views.slice(0, views.findLastIndex(dropsStacks) + 1);
}
