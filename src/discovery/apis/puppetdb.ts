// PuppetDB: the resources that a query returns.
import { hostPort } from '../../base/text/host-port.ts';
import type { PuppetDbDiscoveryConfig } from '../../config/config.ts';
import type { Discoverer, DiscoveryContext } from '../interface.ts';
import { itemsOf, type Json, listOfTexts, mapAt, textAt } from '../json.ts';
import { joined, type Names, sanitizeLabelName, targetLabels } from '../meta-labels.ts';
import { createPolledDiscoverer, getJson } from '../polled.ts';

/** A discoverer of one entry of `puppetdb_sd_configs`. Source: PuppetDB's `/pdb/query/v4`. */
export function createPuppetDbDiscoverer(
  config: PuppetDbDiscoveryConfig,
  context: DiscoveryContext,
): Discoverer {
  const { query, includeParameters, port } = config;
  const url = `${config.url.replace(/\/$/, '')}/pdb/query/v4`;
  return createPolledDiscoverer(config, context, async ({ send }) => {
    const headers = { 'content-type': 'application/json' };
    const resources = itemsOf(
      await getJson(send, { url, headers, body: JSON.stringify({ query }) }),
    );
    const targets = resources.map((resource) => {
      const certname = textAt(resource, 'certname');
      return targetLabels(hostPort(certname, port), '__meta_puppetdb_', {
        query,
        certname,
        resource: textAt(resource, 'resource'),
        type: textAt(resource, 'type'),
        title: textAt(resource, 'title'),
        exported: textAt(resource, 'exported') || 'false',
        file: textAt(resource, 'file'),
        environment: textAt(resource, 'environment'),
        tags: joined(listOfTexts(resource, 'tags'), ','),
        ...(includeParameters ? parameterNames('parameter_', mapAt(resource, 'parameters')) : {}),
      });
    });
    return [{ source: `${url}?query=${query}`, targets, labels: [] }];
  });
}

/** Returns parameters by name. Parameters of parameters have both names, with `_` between them. */
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
  return textAt({ value }, 'value');
}
