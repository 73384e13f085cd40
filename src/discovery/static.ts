// Static discovery: targets that the config file lists.
import { type StaticDiscoveryConfig, type StaticGroup, staticTargets } from '../config/config.ts';
import {
  labelNameMistake,
  list,
  readMap,
  nonEmptyText,
  optional,
  type Reader,
  record,
  refine,
  text,
} from '../config/schema/read.ts';
import type { DiscoveryKind } from './kind/define.ts';
import type { Discoverer, TargetGroup } from './interface.ts';

/** Creates a discoverer with one group for each entry of `static_configs`. */
export function createStaticDiscoverer(config: StaticDiscoveryConfig): Discoverer {
  const groups = config.groups.map(({ targets, labels }, i): TargetGroup => ({
    source: String(i),
    targets: targets.map((address) => [{ name: '__address__', value: address }]),
    labels,
  }));
  return { run: async (_signal, onUpdate) => onUpdate(groups) };
}

const group: Reader<StaticGroup> = refine(
  record({
    targets: optional(list(nonEmptyText), []),
    labels: optional(readMap(text, labelNameMistake), new Map<string, string>()),
  }),
  ({ targets, labels }) => ({
    targets,
    labels: [...labels].map(([name, value]) => ({ name, value })),
  }),
);

/** Kind of discovery for targets that are listed in the config. */
export const staticKind: DiscoveryKind = {
  kind: 'static',
  key: 'static_configs',
  read: refine(list(group), (groups) => (groups.length === 0 ? [] : [staticTargets(groups)])),
  discover: (config) => createStaticDiscoverer(config as StaticDiscoveryConfig),
};
