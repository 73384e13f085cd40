// PuppetDB: finds the resources that a query returns.
import { httpUrl } from '../../config/schema/http-schema.ts';
import { boolean, nonEmptyText, optional, required } from '../../config/schema/read.ts';
import { defineDiscovery } from '../kind/define.ts';
import { httpSettings, withUrl, common } from '../kind/settings.ts';
import { hostPort } from '../../base/text/host-port.ts';
import { readList, type Json, stringsAt, mapAt, stringAt } from '../../base/text/json-values.ts';
import { joined, type Names, sanitizeLabelName, targetLabels } from '../kind/meta-labels.ts';
import { getJson } from '../../http-client/send.ts';
import { createPolledDiscoverer } from '../kind/polled.ts';

/** Settings of discovery by PuppetDB. */
const schema = withUrl(
  httpSettings({
    ...common,
    url: required(httpUrl),
    query: required(nonEmptyText),
    /** True if parameters of resources become labels; they may contain secrets. */
    include_parameters: optional(boolean, false),
  }),
  ({ url }) => url,
);

/** Source: PuppetDB's `/pdb/query/v4`. */
export const puppetDb = defineDiscovery({
  kind: 'puppetdb',
  schema,
  discover(config, context) {
    const { query, includeParameters, port } = config;
    const url = `${config.url.replace(/\/$/, '')}/pdb/query/v4`;
    return createPolledDiscoverer(config, context, async ({ send }) => {
      const headers = { 'content-type': 'application/json' };
      const resources = readList(
        await getJson(send, { url, headers, body: JSON.stringify({ query }) }),
      );
      const targets = resources.map((resource) => {
        const certname = stringAt(resource, 'certname');
        return targetLabels(hostPort(certname, port), '__meta_puppetdb_', {
          query,
          certname,
          resource: stringAt(resource, 'resource'),
          type: stringAt(resource, 'type'),
          title: stringAt(resource, 'title'),
          exported: stringAt(resource, 'exported') || 'false',
          file: stringAt(resource, 'file'),
          environment: stringAt(resource, 'environment'),
          tags: joined(stringsAt(resource, 'tags'), ','),
          ...(includeParameters ? parameterNames('parameter_', mapAt(resource, 'parameters')) : {}),
        });
      });
      return [{ source: `${url}?query=${query}`, targets, labels: [] }];
    });
  },
});

/**
 * Returns parameters by name. The name of a nested parameter joins the names of all levels with
 * `_`.
 */
function parameterNames(prefix: string, parameters: Json): Names {
  const names: Record<string, string> = {};
  for (const [key, value] of Object.entries(parameters)) {
    const name = `${prefix}${sanitizeLabelName(key)}`;
    if (Array.isArray(value)) names[name] = value.map(scalarText).join(',');
    else if (typeof value === 'object' && value !== null) {
      Object.assign(names, parameterNames(`${name}_`, value as Json));
    } else names[name] = scalarText(value);
  }
  return names;
}

function scalarText(value: unknown): string {
  return stringAt({ value }, 'value');
}
