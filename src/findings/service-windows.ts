// The windows that are kept for one service: the largest functions of each hour.
import { windowsMax } from './limits.ts';
import type { FunctionWindows, ServiceWindows } from './statistics/windows.ts';

/** One window, as the engine has returned it. */
export interface AnsweredWindow {
  readonly startMillis: number;
  /** Number of samples of the service; 0 = none. */
  readonly samples: number;
  /** Number of samples of each of the largest functions. */
  readonly functions: readonly {
    readonly name: string;
    readonly flat: number;
    readonly cumulative: number;
  }[];
}

/** A kept window. Its columns have one value for each function. */
interface KeptWindow {
  readonly startMillis: number;
  readonly samples: number;
  readonly names: Uint32Array;
  readonly flat: Float32Array;
  readonly cumulative: Float32Array;
}

/** Keeps the latest `windowsMax` windows of a service. */
export class KeptWindows {
  /** Windows in order of time. */
  #windows: KeptWindow[] = [];
  #starts: ReadonlySet<number> = new Set();
  readonly #rows = new Map<string, number>();
  readonly #names: string[] = [];

  has(startMillis: number): boolean {
    return this.#starts.has(startMillis);
  }

  add({ startMillis, samples, functions }: AnsweredWindow): void {
    const kept = {
      startMillis,
      samples,
      names: Uint32Array.from(functions, ({ name }) => this.#rowOf(name)),
      flat: Float32Array.from(functions, ({ flat }) => flat),
      cumulative: Float32Array.from(functions, ({ cumulative }) => cumulative),
    };
    const others = this.#windows.filter((one) => one.startMillis !== startMillis);
    this.#windows = [...others, kept]
      .toSorted((a, b) => a.startMillis - b.startMillis)
      .slice(-windowsMax);
    this.#starts = new Set(this.#windows.map((one) => one.startMillis));
  }

  /**
   * Returns the windows that have samples, as columns, for functions whose share is at least
   * `shareMin`. `holdsSamples` is as in ServiceWindows.
   */
  columns(shareMin: number, holdsSamples: boolean): ServiceWindows {
    const windows = this.#windows.filter(({ samples }) => samples > 0);
    const flat = new Map<number, Float32Array>();
    const cumulative = new Map<number, Float32Array>();
    const large = new Set<number>();
    windows.forEach((window, i) => {
      for (let k = 0; k < window.names.length; k += 1) {
        const row = window.names[k];
        columnOf(flat, row, windows.length)[i] = window.flat[k];
        columnOf(cumulative, row, windows.length)[i] = window.cumulative[k];
        if (window.cumulative[k] >= shareMin * window.samples) large.add(row);
      }
    });
    return {
      holdsSamples,
      startMillis: Float64Array.from(windows, ({ startMillis }) => startMillis),
      samples: Float32Array.from(windows, ({ samples }) => samples),
      functions: [...large].map((row): FunctionWindows => ({
        name: this.#names[row],
        flat: columnOf(flat, row, windows.length),
        cumulative: columnOf(cumulative, row, windows.length),
      })),
    };
  }

  #rowOf(name: string): number {
    const row = this.#rows.get(name) ?? this.#names.length;
    if (row === this.#names.length) {
      this.#rows.set(name, row);
      this.#names.push(name);
    }
    return row;
  }
}

function columnOf(columns: Map<number, Float32Array>, row: number, length: number): Float32Array {
  const column = columns.get(row) ?? new Float32Array(length);
  columns.set(row, column);
  return column;
}
