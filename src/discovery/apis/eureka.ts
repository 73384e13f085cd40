// Eureka: finds the instances of all registered applications.
import { httpUrl } from '../../config/schema/http-schema.ts';
import { optional, positiveDuration, required } from '../../config/schema/read.ts';
import { defineDiscovery } from '../kind/define.ts';
import { httpSettings, withUrl } from '../kind/settings.ts';
import {
  requireChild,
  listChildren,
  childText,
  parseXml,
  type XmlElement,
} from '../../base/text/xml.ts';
import { hostPort } from '../../base/text/host-port.ts';
import type { Label } from '../../model/labels.ts';
import { type Names, sanitizeLabelName, targetLabels } from '../kind/meta-labels.ts';
import { createPolledDiscoverer } from '../kind/polled.ts';

const prefix = '__meta_eureka_';
/** Port of an instance that does not state a port, as in Prometheus. */
const portDefault = '80';

/** Settings of discovery by a Eureka server. */
const schema = withUrl(
  httpSettings({
    server: required(httpUrl),
    refresh_interval: optional(positiveDuration, 30_000),
  }),
  ({ server }) => server,
);

/** Source: Eureka's `/apps`. */
export const eureka = defineDiscovery({
  kind: 'eureka',
  schema,
  discover(config, context) {
    return createPolledDiscoverer(config, context, async ({ send }) => {
      const url = `${config.url.replace(/\/$/, '')}/apps`;
      const { text } = await send({ url, headers: { accept: 'application/xml' } });
      const applications = listChildren(parseXml(text), 'application');
      const targets = applications.flatMap((application) =>
        listChildren(application, 'instance').map((instance) =>
          instanceLabels(childText(application, 'name'), instance),
        ),
      );
      return [{ source: 'eureka', targets, labels: [] }];
    });
  },
});

function instanceLabels(application: string, instance: XmlElement): Label[] {
  const text = (name: string): string => childText(instance, name);
  const [host, id, port] = [text('hostName'), text('instanceId'), text('port')];
  const center = requireChild(instance, 'dataCenterInfo');
  const labels = targetLabels(hostPort(host, port || portDefault), prefix, {
    app_name: application,
    app_instance_id: id,
    app_instance_hostname: host,
    app_instance_ip_addr: text('ipAddr'),
    app_instance_status: text('status'),
    app_instance_homepage_url: text('homePageUrl'),
    app_instance_statuspage_url: text('statusPageUrl'),
    app_instance_healthcheck_url: text('healthCheckUrl'),
    app_instance_vip_address: text('vipAddress'),
    app_instance_secure_vip_address: text('secureVipAddress'),
    app_instance_country_id: text('countryId') || '0',
    app_instance_datacenterinfo_name: childText(center, 'name'),
    ...portNames(instance, 'port', 'port'),
    ...portNames(instance, 'securePort', 'secure_port'),
    ...metadataNames(center, 'app_instance_datacenterinfo_metadata_'),
    ...metadataNames(instance, 'app_instance_metadata_'),
  });
  return id === '' ? labels : [...labels, { name: 'instance', value: id }];
}

function portNames(instance: XmlElement, element: string, name: string): Names {
  const port = requireChild(instance, element);
  if (port.name === '') return {};
  return {
    [`app_instance_${name}`]: port.text.trim(),
    [`app_instance_${name}_enabled`]: port.attributes.get('enabled') ?? 'false',
  };
}

function metadataNames(element: XmlElement, namePrefix: string): Names {
  const { children } = requireChild(element, 'metadata');
  return Object.fromEntries(
    children.map(({ name, text }) => [`${namePrefix}${sanitizeLabelName(name)}`, text.trim()]),
  );
}
