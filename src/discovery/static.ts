// Static discovery: the targets that the config file names.
import type { StaticDiscoveryConfig } from '../config/config.ts';
import type { Discoverer, TargetGroup } from './interface.ts';

/** One group for each entry of `static_configs`. */
export function createStaticDiscoverer(config: StaticDiscoveryConfig): Discoverer {
  const groups = config.groups.map(({ targets, labels }, i): TargetGroup => ({
    source: String(i),
    targets: targets.map((address) => [{ name: '__address__', value: address }]),
    labels,
  }));
  return { run: async (_signal, onUpdate) => onUpdate(groups) };
}
