// The ways of discovery by their kind; a new one is a line here and a schema in src/config.
import type { DiscoveryConfig } from '../config/config.ts';
import type { Discoverer } from './interface.ts';
import { createStaticDiscoverer } from './static.ts';

type Creators = {
  readonly [K in DiscoveryConfig['kind']]: (
    config: Extract<DiscoveryConfig, { readonly kind: K }>,
  ) => Discoverer;
};

const creators: Creators = {
  static: createStaticDiscoverer,
};

/** The discoverer that a config asks for. */
export function createDiscoverer(config: DiscoveryConfig): Discoverer {
  return creators[config.kind](config);
}
