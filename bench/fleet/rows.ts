// Rows of a fleet in columns, laid out as in the head, for benchmarks of merging.
import { seededRandom } from '../../src/base/random.ts';
import { drawSamples } from './fleet.ts';
import { zipfSampler } from './zipf.ts';

export interface FleetRowsOptions {
  readonly seed?: number;
  readonly rows?: number;
  readonly programs?: number;
  readonly stacksPerProgram?: number;
}

/**
 * Rows by profile.
 *
 * Shape: `stacks` and `values` have `rowCount` elements; the rows of profile r are `runStart[r] ..
 * runStart[r + 1]`. Stacks are dense, 1..programs * stacksPerProgram, and occur at most once per
 * profile, in any order.
 */
export interface FleetRows {
  readonly rowCount: number;
  readonly stackCount: number;
  readonly stacks: Uint32Array;
  readonly values: BigInt64Array;
  readonly runStart: Uint32Array;
}

/** Draws rows with the fleet's distributions; takes about two seconds for 10 million rows. */
export function generateRows(options: FleetRowsOptions = {}): FleetRows {
  const rowCount = options.rows ?? 10_000_000;
  const programs = options.programs ?? 20;
  const stacksPerProgram = options.stacksPerProgram ?? 2_500;
  const random = seededRandom(options.seed ?? 1);
  const draw = zipfSampler(random, stacksPerProgram, 1.05);
  const stacks = new Uint32Array(rowCount);
  const values = new BigInt64Array(rowCount);
  const valueWords = new Int32Array(values.buffer);
  const runStart: number[] = [0];
  let row = 0;
  while (row < rowCount) {
    const first = 1 + ((runStart.length - 1) % programs) * stacksPerProgram;
    for (const [stack, count] of drawSamples(random, draw)) {
      if (row === rowCount) break;
      stacks[row] = first + stack;
      valueWords[row * 2] = count;
      row += 1;
    }
    runStart.push(row);
  }
  return {
    rowCount,
    stackCount: programs * stacksPerProgram + 1,
    stacks,
    values,
    runStart: Uint32Array.from(runStart),
  };
}
