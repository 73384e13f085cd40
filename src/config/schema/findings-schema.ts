// The schema of `findings`: the automatic search for changes.
import type { FindingsConfig } from '../config.ts';
import { boolean, fraction, optional, record, refine, type Field } from './read.ts';

/** Settings for a config without this section: the search for changes is on. */
export const findingsDefault: FindingsConfig = {
  enabled: true,
  falseDiscoveryRate: 0.01,
  minCost: 0.005,
};

/** Schema of `findings`. */
export const findings: Field<FindingsConfig> = optional(
  refine(
    record({
      enabled: optional(boolean, findingsDefault.enabled),
      false_discovery_rate: optional(fraction, findingsDefault.falseDiscoveryRate),
      min_cost: optional(fraction, findingsDefault.minCost),
    }),
    (keys) => ({
      enabled: keys.enabled,
      falseDiscoveryRate: keys.false_discovery_rate,
      minCost: keys.min_cost,
    }),
  ),
  findingsDefault,
);
