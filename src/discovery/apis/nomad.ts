// Nomad: finds services that are registered with Nomad itself.
import { httpUrl } from '../../config/schema/http-schema.ts';
import { boolean, optional, positiveDuration, text } from '../../config/schema/read.ts';
import { defineDiscovery } from '../kind/define.ts';
import { httpSettings, withUrl } from '../kind/settings.ts';
import { hostPort } from '../../base/text/host-port.ts';
import { readList, listAt, stringsAt, stringAt } from '../../base/text/json-values.ts';
import { joined, targetLabels } from '../kind/meta-labels.ts';
import type { Query } from '../../http-client/send.ts';
import { createPolledDiscoverer } from '../kind/polled.ts';

/** Settings of discovery by Nomad. */
const schema = withUrl(
  httpSettings({
    server: optional(httpUrl, 'http://localhost:4646'),
    namespace: optional(text, 'default'),
    region: optional(text, 'global'),
    tag_separator: optional(text, ','),
    allow_stale: optional(boolean, true),
    refresh_interval: optional(positiveDuration, 60_000),
  }),
  ({ server }) => server,
);

/** Source: Nomad's `/v1/services`. */
export const nomad = defineDiscovery({
  kind: 'nomad',
  schema,
  discover(config, context) {
    const { namespace, region, allowStale, tagSeparator } = config;
    const query: Query = [
      ...Object.entries({ namespace, region }).filter(([, value]) => value !== ''),
      ...(allowStale ? [['stale', ''] as const] : []),
    ];
    return createPolledDiscoverer(config, context, async ({ ask }) => {
      const namespaces = readList(await ask('/v1/services', query));
      const names = namespaces.flatMap((one) => listAt(one, 'Services'));
      const answers = await Promise.all(
        names.map((one) => {
          const name = encodeURIComponent(stringAt(one, 'ServiceName'));
          return ask(`/v1/service/${name}`, query);
        }),
      );
      const targets = answers.flatMap(readList).map((instance) => {
        const [address, port] = [stringAt(instance, 'Address'), stringAt(instance, 'Port')];
        return targetLabels(hostPort(address, port), '__meta_nomad_', {
          address,
          dc: stringAt(instance, 'Datacenter'),
          namespace: stringAt(instance, 'Namespace'),
          node_id: stringAt(instance, 'NodeID'),
          service: stringAt(instance, 'ServiceName'),
          service_address: address,
          service_id: stringAt(instance, 'ID'),
          service_port: port,
          tags: joined(stringsAt(instance, 'Tags'), tagSeparator),
        });
      });
      return [{ source: 'nomad', targets, labels: [] }];
    });
  },
});
