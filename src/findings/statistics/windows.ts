// Numbers of samples of a service and of its functions in each time window.

/** Either the samples of a function's own code, or all samples with the function on the stack. */
export type Measure = 'flat' | 'cumulative';

/** Both measures; each function is tested with both. */
export const measures: readonly Measure[] = ['flat', 'cumulative'];

/** One function. Its columns have the number of samples in each window. */
export interface FunctionWindows {
  readonly name: string;
  readonly flat: Float32Array;
  readonly cumulative: Float32Array;
}

/**
 * Samples of a service. Its columns have a value for each window, in order of time; windows without
 * samples are left out.
 */
export interface ServiceWindows {
  readonly startMillis: Float64Array;
  readonly samples: Float32Array;
  /**
   * True if the samples of a window are also in the next window. This is so for memory in use:
   * memory is sampled once, when it is allocated.
   */
  readonly holdsSamples?: boolean;
  readonly functions: readonly FunctionWindows[];
}

/** Windows from `from` up to, but not including, `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Sums a column over a span. */
export function sumOf(column: Float32Array, { from, to }: Span): number {
  let sum = 0;
  for (let i = from; i < to; i += 1) sum += column[i];
  return sum;
}
