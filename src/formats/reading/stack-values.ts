// Stacks as a tree of frames with values, for formats whose samples refer to nodes of a tree.
import { sampleTimesMax } from '../../model/limits.ts';
import type { PprofWriter, WrittenTimes } from '../pprof/writer.ts';

/** Stacks as nodes with a frame and a flat value. Node 0 is the root, without a frame. */
export class StackValues {
  readonly #parent: number[] = [0];
  readonly #frame: number[] = [0];
  readonly #values: bigint[] = [0n];
  readonly #seconds: bigint[] = [0n];
  /** Sample times of nodes, if they are known; at most sampleTimesMax + 1. */
  readonly #times = new Map<
    number,
    { readonly offsets: bigint[]; readonly values: bigint[]; readonly seconds: bigint[] }
  >();
  #timeCount = 0;
  readonly #children = new Map<number, Map<number, number>>();

  /** Returns the node for a call of `frame` by `parent`; `frame` is a location of the writer. */
  child(parent: number, frame: number): number {
    let nodes = this.#children.get(parent);
    if (nodes === undefined) this.#children.set(parent, (nodes = new Map()));
    const known = nodes.get(frame);
    if (known !== undefined) return known;
    const node = this.#parent.length;
    nodes.set(frame, node);
    this.#parent.push(parent);
    this.#frame.push(frame);
    this.#values.push(0n);
    this.#seconds.push(0n);
    return node;
  }

  parent(node: number): number {
    return this.#parent[node];
  }

  frame(node: number): number {
    return this.#frame[node];
  }

  /**
   * Adds a sample; `offset` is its time in nanoseconds after the start of the profile, and `second`
   * its value of the second sample type.
   */
  add(node: number, value: bigint, offset?: bigint, second = 0n): void {
    this.#values[node] += value;
    this.#seconds[node] += second;
    // Above the limit, no times are stored. The count is then one more than the limit.
    if (offset === undefined || this.#timeCount > sampleTimesMax) return;
    this.#timeCount += 1;
    const times = this.#times.get(node) ?? { offsets: [], values: [], seconds: [] };
    this.#times.set(node, times);
    times.offsets.push(offset);
    times.values.push(value);
    times.seconds.push(second);
  }

  /** Writes a sample for each node with a flat value. If `hasSecond`, samples have two values. */
  writeTo(writer: PprofWriter, hasSecond = false): void {
    for (let node = 0; node < this.#values.length; node += 1) {
      const value = this.#values[node];
      if (value === 0n) continue;
      const values = hasSecond ? [value, this.#seconds[node]] : [value];
      writer.sample(this.#path(node), values, [], this.#writtenTimes(node, hasSecond));
    }
  }

  #writtenTimes(node: number, hasSecond: boolean): WrittenTimes | undefined {
    const times = this.#times.get(node);
    if (times === undefined || !hasSecond) return times;
    const { offsets, values, seconds } = times;
    return { offsets, values: values.flatMap((value, i) => [value, seconds[i]]) };
  }

  *#path(node: number): Generator<number> {
    for (let at = node; at !== 0; at = this.#parent[at]) yield this.#frame[at];
  }
}
