// Samples of a recording, summed by stack and labels, with one SampleSet for each profile.
import { AppError } from '../../base/errors.ts';
import { inputLimits, overInputLimit } from '../../base/input-limits.ts';
import { jfrFramesMin, jfrFramesPerByteMax, jfrProbesMax } from '../limits.ts';
import { grown } from '../../model/column.ts';
import { HashIndex } from '../../model/hash-index.ts';
import { PprofWriter, type WrittenLabel } from '../pprof/writer.ts';
import { type CallTree, makeTooManyProbesError } from './call-tree.ts';
import { what } from './cursor.ts';
import { EventTimes } from './event-times.ts';
import type { FrameTable } from './frames.ts';
import type { JfrKind } from './kinds.ts';

/** Sets of labels of a recording, without duplicates. Set 0 is empty. */
export class LabelSets {
  readonly sets: (readonly WrittenLabel[])[] = [[]];
  readonly #ids = new Map<string, number>([['[]', 0]]);

  intern(labels: readonly WrittenLabel[]): number {
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

/** Values of one profile by stack and labels, exact up to 2^53. */
export class SampleSet {
  readonly #index = new HashIndex();
  /**
   * Node and labels of each row, as adjacent pairs, so that comparing a row needs one memory
   * access.
   */
  #keys = new Int32Array(128);
  /** Count and weight of each row. */
  #sums = new Float64Array(128);
  #length = 1;
  readonly #times = new EventTimes();

  /** Adds an event; `nanos` is its time after the start of the recording, NaN if unknown. */
  add(node: number, labels: number, count: number, weight: number, nanos: number): void {
    const row = this.#internRow(node, labels);
    this.#times.add(row, nanos, count, weight);
    this.#sums[row * 2] += count;
    this.#sums[row * 2 + 1] += weight;
  }

  /** True if events had times that will not be written. */
  get areTimesLost(): boolean {
    return this.#times.areLost;
  }

  /** Returns the row of a stack with labels; 0 = no row. */
  #internRow(node: number, labels: number): number {
    const mixed = Math.imul(node ^ Math.imul(labels, 0x85eb_ca6b), 0x9e37_79b1);
    const hash = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b_3c6d);
    const { slots, mask } = this.#index.at(hash);
    const keys = this.#keys;
    let slot = hash & mask;
    let probes = 0;
    for (let row = slots[slot]; row !== 0; row = slots[slot]) {
      if (keys[row * 2] === node && keys[row * 2 + 1] === labels) return row;
      slot = (slot + 1) & mask;
      probes += 1;
      if (probes > jfrProbesMax) throw makeTooManyProbesError();
    }
    const row = this.#length;
    if (row > inputLimits.profileSamples) {
      const { profileSamples } = inputLimits;
      const why = `${what}: it has more than ${profileSamples} samples`;
      throw overInputLimit('profileSamples', why);
    }
    this.#length += 1;
    this.#keys = grown(this.#keys, this.#length * 2);
    this.#sums = grown(this.#sums, this.#length * 2);
    this.#keys[row * 2] = node;
    this.#keys[row * 2 + 1] = labels;
    this.#index.insert(slot, hash, row);
    return row;
  }

  /**
   * Writes the samples. `factor` multiplies counts. `shift` is added to the times of samples, which
   * count from the start of the recording. `budget` limits the frames and labels that all profiles
   * together may still write.
   */
  write(
    { sampleTypes }: JfrKind,
    { factor, shift }: { readonly factor: bigint; readonly shift: bigint },
    tables: { readonly tree: CallTree; readonly table: FrameTable; readonly labels: LabelSets },
    budget: FrameBudget,
  ): PprofWriter {
    const { tree, table, labels } = tables;
    const writer = new PprofWriter();
    // Location of each frame; 0 until it is written.
    const locations = new Int32Array(table.frames.length);
    const internLocation = (frame: number): number => {
      if (locations[frame] === 0) {
        const { name, line = 0, code } = table.frames[frame];
        const mapping = code === '' ? 0 : writer.mapping({ file: code, hasFunctions: true });
        locations[frame] = writer.frame({ name, line }, mapping);
      }
      return locations[frame];
    };
    const isWeighed = sampleTypes.length > 1;
    const readTimes = this.#times.byRow(this.#length, shift, factor, isWeighed);
    const stack: number[] = [];
    for (let row = 1; row < this.#length; row += 1) {
      const node = this.#keys[row * 2];
      const set = labels.sets[this.#keys[row * 2 + 1]];
      budget.take(tree.depth(node) + set.length);
      const values = [exact(this.#sums[row * 2]) * factor];
      if (isWeighed) values.push(exact(this.#sums[row * 2 + 1]));
      tree.readFrames(node, stack);
      for (let i = 0; i < stack.length; i += 1) stack[i] = internLocation(stack[i]);
      writer.sample(stack, values, set, readTimes(row));
    }
    return writer;
  }
}

/**
 * Limits the frames and labels of written samples, because many samples may share one deep stack.
 */
export class FrameBudget {
  #left: number;
  readonly #most: number;

  constructor(fileBytes: number) {
    const most = jfrFramesMin + fileBytes * jfrFramesPerByteMax;
    this.#most = Math.min(most, inputLimits.profileFrames);
    this.#left = this.#most;
  }

  /** Uses up `count` of the budget. Errors: AppError 'resource-exhausted' if less is left. */
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
