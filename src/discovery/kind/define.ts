// The definition of a way to find targets: its key, its settings, and its discoverer.
import type { DiscoveryConfig } from '../../config/config.ts';
import type { DiscoverySchema } from '../../config/schema/discovery-schema.ts';
import { type invalid, list, type Reader, refine } from '../../config/schema/read.ts';
import type { Discoverer, DiscoveryContext } from '../interface.ts';

export interface DiscoveryKind extends DiscoverySchema {
  /** Creates a discoverer from the settings that `read` has returned. */
  readonly discover: (config: DiscoveryConfig, context: DiscoveryContext) => Discoverer;
}

/** Type of the settings that a schema reads. */
export type SettingsOf<R extends Reader<object>> = Exclude<ReturnType<R>, typeof invalid>;

/** Defines a kind of discovery whose entries in the config are listed under `<kind>_sd_configs`. */
export function defineDiscovery<const K extends string, T extends object>(definition: {
  readonly kind: K;
  /** Reads one entry. */
  readonly schema: Reader<T>;
  readonly discover: (config: T & { readonly kind: K }, context: DiscoveryContext) => Discoverer;
}): DiscoveryKind {
  const { kind, schema, discover } = definition;
  const key = `${kind}_sd_configs`;
  const entry = refine(schema, (settings) => ({ kind, ...settings }));
  return {
    kind,
    key,
    read: list(entry),
    // The registry calls this only with settings that this kind's `read` has returned.
    discover: (config, context) => discover(config as T & { readonly kind: K }, context),
  };
}
