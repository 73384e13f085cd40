// Numbers of samples of a service and of its functions, by window of time.

/** A function's own value, or its value with everything that it calls. */
export type Measure = 'flat' | 'cumulative';

/** Both measures; two tests for each function. */
export const measures: readonly Measure[] = ['flat', 'cumulative'];

/** One function; columns by window, in samples. */
export interface FunctionWindows {
  readonly name: string;
  readonly flat: Float32Array;
  readonly cumulative: Float32Array;
}

/** A service; columns by window, in order of time, without windows that have no samples. */
export interface ServiceWindows {
  readonly startMillis: Float64Array;
  readonly samples: Float32Array;
  readonly functions: readonly FunctionWindows[];
}

/** Windows from `from` up to, but not including, `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Sums the columns of a span. */
export function sumOf(column: Float32Array, { from, to }: Span): number {
  let sum = 0;
  for (let i = from; i < to; i += 1) sum += column[i];
  return sum;
}
