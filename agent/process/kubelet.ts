// Finds the names of pods and containers in the names of the kubelet's links to their logs.
//
// `/var/log/containers/<pod>_<namespace>_<container>-<id>.log` exists on every node, so neither the
// API server nor the runtime is needed.
import { readdirSync } from 'node:fs';
import type { Clock } from '../../src/base/clock.ts';
import { containerRetryMillis, containersMax } from '../limits.ts';

/** A container of a pod. */
export interface PodContainer {
  readonly pod: string;
  readonly namespace: string;
  readonly container: string;
}

/** Folder with the kubelet's links on the host. */
export const kubeletLogFolder = '/var/log/containers';

/** Containers by id. If an id is unknown, the folder is read again, but not too often. */
export class KubeletLogs {
  readonly #clock: Clock;
  readonly #folder: string;
  #containers: ReadonlyMap<string, PodContainer> = new Map();
  #readMillis = -Infinity;

  constructor(clock: Clock, folder: string) {
    this.#clock = clock;
    this.#folder = folder;
  }

  find(id: string): PodContainer | undefined {
    const known = this.#containers.get(id);
    if (known !== undefined) return known;
    const now = this.#clock.monotonicMillis();
    if (now - this.#readMillis < containerRetryMillis) return undefined;
    this.#readMillis = now;
    this.#containers = readFolder(this.#folder);
    return this.#containers.get(id);
  }
}

function readFolder(folder: string): ReadonlyMap<string, PodContainer> {
  const containers = new Map<string, PodContainer>();
  for (const name of namesIn(folder)) {
    const match = /^([^_]+)_([^_]+)_(.+)-([0-9a-f]{64})\.log$/.exec(name);
    if (match === null) continue;
    if (containers.size === containersMax) break;
    const [, pod, namespace, container, id] = match;
    containers.set(id, { pod, namespace, container });
  }
  return containers;
}

/**
 * Returns the names of the files in a folder; none if the folder does not exist, as on hosts
 * without Kubernetes.
 */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
