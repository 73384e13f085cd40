// Stacks as a tree of frames, each with a value: for formats whose samples refer to nodes.
import type { PprofWriter } from '../pprof/writer.ts';

/** Nodes of stacks, their frames and their own values. Node 0 is the root, without a frame. */
export class StackValues {
  readonly #parent: number[] = [0];
  readonly #frame: number[] = [0];
  readonly #values: bigint[] = [0n];
  readonly #children = new Map<number, Map<number, number>>();

  /** Returns the node of `frame` called by `parent`; `frame` is a location of the writer. */
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
    return node;
  }

  parent(node: number): number {
    return this.#parent[node];
  }

  frame(node: number): number {
    return this.#frame[node];
  }

  add(node: number, value: bigint): void {
    this.#values[node] += value;
  }

  /** Writes a sample for each node that has its own value; `second` has another value of nodes. */
  writeTo(writer: PprofWriter, second?: readonly bigint[]): void {
    for (let node = 0; node < this.#values.length; node += 1) {
      const value = this.#values[node];
      if (value === 0n) continue;
      const values = second === undefined ? [value] : [value, second[node] ?? 0n];
      writer.sample(this.#path(node), values);
    }
  }

  *#path(node: number): Generator<number> {
    for (let at = node; at !== 0; at = this.#parent[at]) yield this.#frame[at];
  }
}
