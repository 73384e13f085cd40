// Containers as their runtimes report them, and the labels that they give to processes.
import { sanitizeLabelName } from '../../src/discovery/kind/meta-labels.ts';

/** Values by name. */
export type Pairs = ReadonlyMap<string, string>;

/** Labels for the processes of each container, by the names that control groups have for it. */
export type ContainerLabels = ReadonlyMap<string, Pairs>;

/** A runtime that lists its containers. */
export interface ContainerSource {
  /** Path of its socket, which also names it. */
  readonly socket: string;
  /**
   * Returns every container that the runtime knows.
   *
   * Errors: those of the network; AppError if the answer cannot be read.
   */
  list(signal: AbortSignal): Promise<ContainerLabels>;
  /**
   * Calls `onChange` when the runtime reports a change, and after each container that starts or is
   * renamed. Undefined if the runtime does not report changes. Resolves only after `signal` is
   * aborted.
   *
   * Errors: those of the network.
   */
  readonly watch?: (signal: AbortSignal, onChange: () => void) => Promise<void>;
  close(): void;
}

/** Adds pairs as labels, plus a label with the value `true` for each, named as in Parca Agent. */
export function addPairs(
  labels: Map<string, string>,
  prefix: string,
  kind: 'label' | 'annotation',
  pairs: Pairs,
): void {
  for (const [name, value] of pairs) {
    const known = sanitizeLabelName(name);
    labels.set(`${prefix}${kind}_${known}`, value);
    labels.set(`${prefix}${kind}present_${known}`, 'true');
  }
}
