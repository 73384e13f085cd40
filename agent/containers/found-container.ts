// Containers as reported by runtimes, and their labels for processes.
import { sanitizeLabelName } from '../../src/discovery/kind/meta-labels.ts';

/** Values by name. */
export type Pairs = ReadonlyMap<string, string>;

/** Labels for the processes of each container, keyed by the container's names in control groups. */
export type ContainerLabels = ReadonlyMap<string, Pairs>;

/** A runtime that can list its containers. */
export interface ContainerSource {
  /** Path of the runtime's socket, which also identifies the runtime. */
  readonly socket: string;
  /**
   * Returns all containers of the runtime.
   *
   * Errors: network errors; AppError if the response cannot be read.
   */
  list(signal: AbortSignal): Promise<ContainerLabels>;
  /**
   * Calls `onChange` when the runtime reports a change, at least for each container that starts or
   * is renamed. Undefined if the runtime does not report changes. Resolves only after `signal` is
   * aborted.
   *
   * Errors: network errors.
   */
  readonly watch?: (signal: AbortSignal, onChange: () => void) => Promise<void>;
  close(): void;
}

/**
 * Adds each pair as two labels: one with its value, and one with the value `true` that shows that
 * it is present. Both are named as in Parca Agent.
 */
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
