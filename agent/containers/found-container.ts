// A container as its runtime reports it, and the labels that it gives to its processes.
import { sanitizeLabelName } from '../../src/discovery/kind/meta-labels.ts';

/** Values by name. */
export type Pairs = ReadonlyMap<string, string>;

/** Labels of the processes of each container, by names under which control groups know it. */
export type ContainerLabels = ReadonlyMap<string, Pairs>;

/** A runtime that lists its containers. */
export interface ContainerSource {
  /** Path of its socket, which also names it. */
  readonly socket: string;
  /**
   * Returns every container that the runtime knows.
   *
   * Errors: those of the network; AppError where the answer cannot be read.
   */
  list(signal: AbortSignal): Promise<ContainerLabels>;
  /**
   * Calls `onChange` when the runtime reports a change, and after each container that starts or is
   * renamed. Undefined for a runtime that does not report changes.
   *
   * Errors: those of the network. It resolves only after `signal` is aborted.
   */
  readonly watch?: (signal: AbortSignal, onChange: () => void) => Promise<void>;
  close(): void;
}

/** Adds pairs as labels, and one `true` for each, as Parca Agent names them. */
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
