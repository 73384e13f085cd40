// Splits lists into small steps. Workers take steps one by one, so that all workers finish at about
// the same time.
import type { ListTask } from './shared-lists.ts';

/**
 * Smallest cost of a step, in rows. A step of this cost takes 0.1-0.2 ms. A larger run or chunk is
 * a separate step.
 */
const stepCostMin = 65_536;

/**
 * The steps of a merge, in shared memory. Shape: columns have one element for each step. A step
 * covers elements `from` .. `to` of its source. A source is either the runs or the chunks of a
 * list.
 */
export interface MergeSteps {
  /** Source of each step, as `sourceNumber` returns it. Steps of one source are consecutive. */
  readonly source: Uint32Array;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /**
   * Two words. The first is the number of steps that were taken, including attempts after the last
   * step. The second is 1 once the remaining steps are cancelled.
   */
  readonly state: Int32Array;
}

const takenWord = 0;
const stopWord = 1;

/** Returns the number of the source that is the runs, or the chunks, of a list. */
export function sourceNumber(list: number, isChunks: boolean): number {
  return list * 2 + (isChunks ? 1 : 0);
}

/** Splits lists into steps, in the order of the lists. */
export function cutIntoSteps(lists: readonly ListTask[]): MergeSteps {
  const steps = new StepColumns();
  for (const [list, { runs, chunks }] of lists.entries()) {
    const chunkCosts = Uint32Array.from(chunks, ({ cost }) => cost);
    steps.cut(sourceNumber(list, false), runs.rows.subarray(0, runs.length));
    steps.cut(sourceNumber(list, true), chunkCosts);
  }
  return steps.finish();
}

/** Stops handing out steps. Workers still finish the steps that they have taken. */
export function stopSteps({ state }: MergeSteps): void {
  Atomics.store(state, stopWord, 1);
}

/** Takes the next step. Returns undefined if no step is left, or after `stopSteps`. */
export function takeStep({ source, state }: MergeSteps): number | undefined {
  if (Atomics.load(state, stopWord) === 1) return undefined;
  const step = Atomics.add(state, takenWord, 1);
  return step < source.length ? step : undefined;
}

class StepColumns {
  readonly #source: number[] = [];
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  /** Splits a source into steps by the costs of its elements. */
  cut(source: number, costs: Uint32Array): void {
    let from = 0;
    let cost = 0;
    for (let i = 0; i < costs.length; i += 1) {
      cost += costs[i];
      if (cost < stepCostMin && i + 1 < costs.length) continue;
      this.#source.push(source);
      this.#from.push(from);
      this.#to.push(i + 1);
      from = i + 1;
      cost = 0;
    }
  }

  finish(): MergeSteps {
    return {
      source: shared(this.#source),
      from: shared(this.#from),
      to: shared(this.#to),
      state: new Int32Array(new SharedArrayBuffer(8)),
    };
  }
}

function shared(numbers: readonly number[]): Uint32Array {
  const column = new Uint32Array(new SharedArrayBuffer(numbers.length * 4));
  column.set(numbers);
  return column;
}
