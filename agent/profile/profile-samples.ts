// Samples of one profile under construction, and their pprof encoding.
import { PprofWriter } from '../../src/formats/pprof/writer.ts';
import type { Label } from '../../src/model/labels.ts';
import type { ValueType } from '../../src/model/profile-type.ts';
import type { Frame } from '../frames/frame.ts';

export interface PprofHead {
  readonly sampleType: ValueType;
  readonly periodType: ValueType;
  readonly period: bigint;
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
}

/** A row under construction. */
interface Sample {
  readonly stack: number;
  readonly labels: readonly Label[];
  value: bigint;
  readonly timesNanos: bigint[] | undefined;
}

/** Sum of samples with equal stacks and labels. */
export interface SampleRow {
  readonly frames: readonly Frame[];
  readonly labels: readonly Label[];
  readonly value: bigint;
  /** Times of the samples in nanoseconds since 1970, if samples have times. */
  readonly timesNanos: readonly bigint[] | undefined;
}

/** Collects samples, and sums samples with equal stacks and labels. */
export class ProfileSamples {
  readonly #samples = new Map<string, Sample>();
  /** Frames of each stack, leaf first: rows of `#frames`. */
  readonly #stacks: (readonly number[])[] = [];
  readonly #stackNumbers = new Map<string, number>();
  readonly #frames: Frame[] = [];
  readonly #frameNumbers = new Map<string, number>();

  /** Adds a stack, leaf first; returns its number for `add`. */
  addStack(frames: readonly Frame[]): number {
    const stack = frames.map((frame) => this.#frame(frame));
    const key = stack.join(',');
    const known = this.#stackNumbers.get(key);
    if (known !== undefined) return known;
    const number = this.#stacks.push(stack) - 1;
    this.#stackNumbers.set(key, number);
    return number;
  }

  /** Adds a sample with a stack. Either all samples have a time, or none. */
  add(stack: number, labels: readonly Label[], timeNanos?: bigint): void {
    const labelKey = labels.map((label) => `${label.name}\0${label.value}`).join('\0');
    const key = `${stack}\0${labelKey}`;
    const known = this.#samples.get(key);
    if (known === undefined) {
      const timesNanos = timeNanos === undefined ? undefined : [timeNanos];
      this.#samples.set(key, { stack, labels, value: 1n, timesNanos });
      return;
    }
    known.value += 1n;
    if (timeNanos !== undefined) known.timesNanos?.push(timeNanos);
  }

  get isEmpty(): boolean {
    return this.#samples.size === 0;
  }

  /** Yields the sums so far: stacks (leaf first), labels, values and times. */
  *rows(): Generator<SampleRow> {
    for (const { stack, ...row } of this.#samples.values()) {
      yield { frames: this.#stacks[stack].map((frame) => this.#frames[frame]), ...row };
    }
  }

  /** Returns the uncompressed pprof message, which the caller may keep. */
  encode({ sampleType, ...head }: PprofHead): Uint8Array {
    const writer = new PprofWriter();
    const locations = this.#writeFrames(writer);
    for (const { stack, labels, value, timesNanos } of this.#samples.values()) {
      writer.sample(
        this.#stacks[stack].map((frame) => locations[frame]),
        [value],
        labels.map((label) => [label.name, label.value]),
        timesNanos && { offsets: timesNanos.map((time) => time - head.timeNanos) },
      );
    }
    return writer.finish({ ...head, sampleTypes: [sampleType] });
  }

  /** Writes a location for each frame; returns their ids. */
  #writeFrames(writer: PprofWriter): readonly number[] {
    const named = new Set<string>();
    for (const frame of this.#frames) if (frame.functionName !== '') named.add(mappingKey(frame));
    return this.#frames.map((frame) => {
      const { mapping, buildId, address, functionName, fileName, startLine, line } = frame;
      const hasFunctions = named.has(mappingKey(frame));
      const isMapped = mapping !== '' || buildId !== '';
      return writer.location(
        isMapped ? writer.mapping({ file: mapping, buildId, hasFunctions }) : 0,
        address,
        functionName === ''
          ? []
          : [[writer.function(functionName, functionName, fileName, startLine), line, 0]],
      );
    });
  }

  #frame(frame: Frame): number {
    const { mapping, buildId, address, functionName, fileName, startLine, line } = frame;
    const key = [mapping, buildId, address, functionName, fileName, startLine, line].join('\0');
    const known = this.#frameNumbers.get(key);
    if (known !== undefined) return known;
    const number = this.#frames.push(frame) - 1;
    this.#frameNumbers.set(key, number);
    return number;
  }
}

const mappingKey = ({ mapping, buildId }: Frame): string => `${mapping}\0${buildId}`;
