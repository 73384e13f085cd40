// The ways to find targets that the schema of a job supports; src/discovery defines them.
import type { DiscoveryConfig } from '../config.ts';
import { optional, type Field, type Reader } from './read.ts';

/** A way to find targets, and the key of a job that selects it. */
export interface DiscoverySchema {
  readonly kind: string;
  /** Key of a job, such as `dns_sd_configs`. */
  readonly key: string;
  /** Reads the value of the key. */
  readonly read: Reader<readonly DiscoveryConfig[]>;
}

/** Returns the fields of a job's schema that find targets. */
export function discoveryFields(
  kinds: readonly DiscoverySchema[],
): Readonly<Record<string, Field<readonly DiscoveryConfig[]>>> {
  return Object.fromEntries(kinds.map(({ key, read }) => [key, optional(read, [])]));
}

/**
 * Keys of the ways to find targets that Prometheus supports and this server does not support yet.
 */
export const discoveryNotSupported = (
  'lightsail ionos kuma linode marathon nerve serverset ovhcloud ' +
  'scaleway stackit triton uyuni vultr'
)
  .split(' ')
  .map((name) => `${name}_sd_configs`);

/** Returns the ways to find targets that a job uses. `job` was read with `discoveryFields`. */
export function readDiscovery(
  job: object,
  kinds: readonly DiscoverySchema[],
): readonly DiscoveryConfig[] {
  const values = job as Readonly<Record<string, readonly DiscoveryConfig[]>>;
  return kinds.flatMap(({ key }) => values[key]);
}
