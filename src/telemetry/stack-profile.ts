// Builds a small pprof profile from stacks of named frames and their values.
import { type PprofHeader, PprofWriter } from '../formats/pprof/writer.ts';

/** Frame of a stack; `line` is 0 if unknown. */
export interface StackFrame {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

/** Frame to which CPU time is assigned if there is no sample with a stack. */
export const runtimeFrame: StackFrame = { name: 'Node.js', file: '', line: 0 };

interface StackRow {
  /** Ids of the stack's locations, leaf first. */
  readonly locations: readonly number[];
  readonly values: number[];
}

/** Sums the values of equal stacks. */
export class StackProfile {
  readonly #writer = new PprofWriter();
  readonly #rows = new Map<string, StackRow>();

  /** Adds a stack, leaf first. `values` has a safe integer for each sample type. */
  add(stack: readonly StackFrame[], values: readonly number[]): void {
    const locations = stack.map((frame) => this.#location(frame));
    const key = locations.join(',');
    const row = this.#rows.get(key);
    if (!row) {
      this.#rows.set(key, { locations, values: [...values] });
      return;
    }
    for (const [i, value] of values.entries()) row.values[i] += value;
  }

  /** Returns the uncompressed pprof profile. Nothing may be added afterwards. */
  encode(header: PprofHeader): Uint8Array {
    for (const { locations, values } of this.#rows.values()) {
      this.#writer.sample(locations, values.map(BigInt));
    }
    return this.#writer.finish(header);
  }

  #location({ name, file, line }: StackFrame): number {
    return this.#writer.location(0, 0n, [[this.#writer.function(name, name, file, 0), line, 0]]);
  }
}

const scheme = 'file://';

/**
 * Returns the file name to show: relative to the project, relative to node_modules, or unchanged.
 */
export function shownFile(file: string, projectFolder: string): string {
  const path = file.startsWith(scheme) ? decodeURI(file.slice(scheme.length)) : file;
  return path.startsWith(`${projectFolder}/`) ? path.slice(projectFolder.length + 1) : path;
}
