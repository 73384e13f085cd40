// Addresses of Alertmanagers from discovered targets.
import { md5 } from '../base/node/md5.ts';
import type { AlertmanagerConfig } from '../config/config.ts';
import type { TargetGroup } from '../discovery/interface.ts';
import { createRelabeling } from '../model/relabel.ts';

/**
 * Returns the addresses of the Alertmanagers in the given groups, and the addresses that relabeling
 * dropped.
 */
export function findAddresses(
  { scheme, pathPrefix, relabelRules }: AlertmanagerConfig,
  groups: readonly TargetGroup[],
): { readonly addresses: ReadonlySet<string>; readonly dropped: readonly string[] } {
  const addresses = new Set<string>();
  const dropped: string[] = [];
  const relabel = createRelabeling(relabelRules, md5);
  const path = `${pathPrefix}/api/v2/alerts`;
  for (const group of groups) {
    for (const target of group.targets) {
      const labels = new Map([
        ['__scheme__', scheme],
        ['__alerts_path__', path],
        ...[...group.labels, ...target].map(({ name, value }) => [name, value] as const),
      ]);
      const before = makeUrl(labels);
      if (relabel(labels) !== undefined || makeUrl(labels) === undefined) {
        if (before !== undefined) dropped.push(before);
        continue;
      }
      addresses.add(makeUrl(labels) ?? '');
    }
  }
  return { addresses, dropped };
}

function makeUrl(labels: ReadonlyMap<string, string>): string | undefined {
  const address = labels.get('__address__') ?? '';
  const url = `${labels.get('__scheme__')}://${address}${labels.get('__alerts_path__')}`;
  return address === '' ? undefined : URL.parse(url)?.href;
}
