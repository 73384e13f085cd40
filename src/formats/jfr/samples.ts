// Samples of a recording, added up by stack and labels, one set for each profile.
import { AppError } from '../../base/errors.ts';
import { inputLimits, overInputLimit } from '../../base/input-limits.ts';
import { jfrFramesMin, jfrFramesPerByteMax } from '../../base/limits.ts';
import { PprofWriter, type WrittenLabel } from '../pprof/writer.ts';
import type { CallTree } from './call-tree.ts';
import { what } from './cursor.ts';
import type { FrameTable } from './frames.ts';
import type { JfrKind } from './kinds.ts';

/** Sets of labels of a recording; equal ones are one. Set 0 is empty. */
export class LabelSets {
  readonly sets: (readonly WrittenLabel[])[] = [[]];
  readonly #ids = new Map<string, number>([['[]', 0]]);

  idOf(labels: readonly WrittenLabel[]): number {
    const key = JSON.stringify(labels);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.sets.length;
    if (id === inputLimits.profileSymbols) {
      const why = `${what}: it has more than ${id} sets of labels`;
      throw overInputLimit('profileSymbols', why);
    }
    this.sets.push(labels);
    this.#ids.set(key, id);
    return id;
  }
}

/** More than there may be sets of labels. */
const setsMax = 2 ** 23;

/** Values of one profile by stack and labels, exact up to 2^53. */
export class SampleSet {
  readonly #rows = new Map<number, number>();
  readonly #nodes: number[] = [];
  readonly #labels: number[] = [];
  readonly #counts: number[] = [];
  readonly #weights: number[] = [];

  add(node: number, labels: number, count: number, weight: number): void {
    const key = node * setsMax + labels;
    const row = this.#rows.get(key);
    if (row !== undefined) {
      this.#counts[row] += count;
      this.#weights[row] += weight;
      return;
    }
    if (this.#nodes.length === inputLimits.profileSamples) {
      const { profileSamples } = inputLimits;
      const why = `${what}: it has more than ${profileSamples} samples`;
      throw overInputLimit('profileSamples', why);
    }
    this.#rows.set(key, this.#nodes.length);
    this.#nodes.push(node);
    this.#labels.push(labels);
    this.#counts.push(count);
    this.#weights.push(weight);
  }

  /**
   * Writes the samples. `factor` multiplies counts. `budget` has the frames and labels that may be
   * written yet, of all profiles.
   */
  write(
    { sampleTypes }: JfrKind,
    factor: bigint,
    tables: { readonly tree: CallTree; readonly table: FrameTable; readonly labels: LabelSets },
    budget: FrameBudget,
  ): PprofWriter {
    const { tree, table, labels } = tables;
    const writer = new PprofWriter();
    const locations = new Map<number, number>();
    const locationOf = (frame: number): number => {
      let location = locations.get(frame);
      if (location === undefined) {
        const { name, line = 0, code } = table.frames[frame];
        const mapping = code === '' ? 0 : writer.mapping({ file: code, hasFunctions: true });
        location = writer.frame({ name, line }, mapping);
        locations.set(frame, location);
      }
      return location;
    };
    for (let row = 0; row < this.#nodes.length; row += 1) {
      const set = labels.sets[this.#labels[row]];
      budget.take(tree.depthOf(this.#nodes[row]) + set.length);
      const values = [exact(this.#counts[row]) * factor];
      if (sampleTypes.length > 1) values.push(exact(this.#weights[row]));
      writer.sample(tree.framesOf(this.#nodes[row]).map(locationOf), values, set);
    }
    return writer;
  }
}

/** Frames and labels of samples that may be written: many samples may have one deep stack. */
export class FrameBudget {
  #left: number;
  readonly #most: number;

  constructor(fileBytes: number) {
    const most = jfrFramesMin + fileBytes * jfrFramesPerByteMax;
    this.#most = Math.min(most, inputLimits.profileFrames);
    this.#left = this.#most;
  }

  /** Errors: AppError 'resource-exhausted' when nothing is left. */
  take(count: number): void {
    this.#left -= count;
    if (this.#left >= 0) return;
    const why = `${what}: its samples have more than ${this.#most} frames and labels`;
    throw overInputLimit('profileFrames', why);
  }
}

function exact(value: number): bigint {
  if (Number.isSafeInteger(value)) return BigInt(value);
  throw new AppError('invalid-argument', `${what}: the values of a stack pass 2^53`);
}
