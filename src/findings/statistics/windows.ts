// Numbers of samples of a service and its functions by time window.

/** A function's own samples, or all samples with the function on the stack. */
export type Measure = 'flat' | 'cumulative';

/** Both measures; each function is tested with both. */
export const measures: readonly Measure[] = ['flat', 'cumulative'];

/** One function; columns by window, in samples. */
export interface FunctionWindows {
  readonly name: string;
  readonly flat: Float32Array;
  readonly cumulative: Float32Array;
}

/**
 * Samples of a service; columns by window, in order of time, without windows that have no samples.
 */
export interface ServiceWindows {
  readonly startMillis: Float64Array;
  readonly samples: Float32Array;
  /**
   * True if the samples of a window are also in the next one, as memory in use is: a profiler
   * sampled it once, when it was allocated.
   */
  readonly holdsSamples?: boolean;
  readonly functions: readonly FunctionWindows[];
}

/** Windows `from` to `to`, without `to`. */
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
