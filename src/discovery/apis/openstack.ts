// OpenStack: finds the instances, hypervisors or load balancers of a region.
import { plainHttpClient } from '../../config/config.ts';
import { httpUrl, tls } from '../../config/schema/http-schema.ts';
import {
  boolean,
  nonEmptyText,
  readWord,
  optional,
  refine,
  required,
  secret,
  text,
} from '../../config/schema/read.ts';
import { defineDiscovery, type SettingsOf } from '../kind/define.ts';
import { settings, common } from '../kind/settings.ts';
import { hostPort } from '../../base/text/host-port.ts';
import type { Label } from '../../model/labels.ts';
import {
  readList,
  type Json,
  listAt,
  stringsAt,
  mapAt,
  stringAt,
} from '../../base/text/json-values.ts';
import { type Names, prefixNames, targetLabels } from '../kind/meta-labels.ts';
import { getJson } from '../../http-client/send.ts';
import { createPolledDiscoverer } from '../kind/polled.ts';
import { OpenStackLogin } from '../../http-client/logins/openstack-login.ts';

const prefix = '__meta_openstack_';

/** Settings of discovery on OpenStack. */
const schema = refine(
  settings({
    ...common,
    role: required(readWord(['instance', 'hypervisor', 'loadbalancer'])),
    region: required(nonEmptyText),
    identity_endpoint: optional(httpUrl, ''),
    username: optional(text, ''),
    userid: optional(text, ''),
    password: optional(secret, ''),
    project_name: optional(text, ''),
    project_id: optional(text, ''),
    domain_name: optional(text, ''),
    domain_id: optional(text, ''),
    application_credential_name: optional(text, ''),
    application_credential_id: optional(text, ''),
    application_credential_secret: optional(secret, ''),
    /** True to find the instances of all projects. */
    all_tenants: optional(boolean, false),
    /** Kind of endpoint at which services are called. */
    availability: optional(readWord(['public', 'internal', 'admin']), 'public'),
    tls_config: optional(tls, undefined),
  }),
  (given) => {
    const { identityEndpoint: url, userid: userId, tlsConfig } = given;
    return {
      ...given,
      url,
      socketPath: '',
      http: { ...plainHttpClient, tls: tlsConfig },
      login: url === '' ? undefined : { ...given, url, userId },
    };
  },
);

type Config = SettingsOf<typeof schema>;

/** Source: OpenStack's API references. */
export const openStack = defineDiscovery({
  kind: 'openstack',
  schema,
  discover(config, context) {
    const login = new OpenStackLogin(config, context);
    return createPolledDiscoverer(config, context, async ({ send }) => {
      const list: List = async (service, path, key) => {
        const { token, endpoint } = await login.session(send);
        const headers = { 'x-auth-token': token };
        const items: Json[] = [];
        const base = endpoint(service);
        for (let url = `${base}${path}`; url !== '';) {
          const answer = (await getJson(send, { url, headers })) as Json;
          items.push(...listAt(answer, key));
          const next = listAt(answer, `${key}_links`).find((link) => link['rel'] === 'next');
          // The token is only sent to the host of the service. A next page on another host is
          // ignored.
          url = next === undefined ? '' : new URL(stringAt(next, 'href'), url).href;
          if (url !== '' && new URL(url).origin !== new URL(base).origin) url = '';
        }
        return items;
      };
      const targets = await finders[config.role](config, list);
      return [{ source: `OS_${config.region}`, targets, labels: [] }];
    });
  },
});

/** Function that gets all items of a list; `key` is the key of the list in an answer. */
type List = (
  service: 'compute' | 'network' | 'load-balancer',
  path: string,
  key: string,
) => Promise<readonly Json[]>;

type Find = (config: Config, list: List) => Promise<Label[][]>;

const finders: Readonly<Record<Config['role'], Find>> = {
  hypervisor: async ({ port }, list) => {
    const hypervisors = await list('compute', '/os-hypervisors/detail', 'hypervisors');
    return hypervisors.map((one) => {
      const ip = stringAt(one, 'host_ip');
      return targetLabels(hostPort(ip, port), prefix, {
        hypervisor_id: stringAt(one, 'id'),
        hypervisor_hostname: stringAt(one, 'hypervisor_hostname'),
        hypervisor_host_ip: ip,
        hypervisor_status: stringAt(one, 'status'),
        hypervisor_state: stringAt(one, 'state'),
        hypervisor_type: stringAt(one, 'hypervisor_type'),
      });
    });
  },
  instance: async ({ port, allTenants }, list) => {
    const ports = await list('network', '/v2.0/ports', 'ports');
    const devices = new Map(ports.map((one) => [stringAt(one, 'id'), stringAt(one, 'device_id')]));
    /** Floating addresses, by device id and fixed address. */
    const floating = new Map<string, string>();
    for (const one of await list('network', '/v2.0/floatingips', 'floatingips')) {
      const [portId, fixed] = [stringAt(one, 'port_id'), stringAt(one, 'fixed_ip_address')];
      const device = devices.get(portId);
      if (portId === '' || fixed === '' || device === undefined) continue;
      floating.set(`${device} ${fixed}`, stringAt(one, 'floating_ip_address'));
    }
    const path = `/servers/detail${allTenants ? '?all_tenants=true' : ''}`;
    const servers = await list('compute', path, 'servers');
    const public_ = new Set(floating.values());
    return servers.flatMap((server) => instanceTargets(server, floating, public_, port));
  },
  loadbalancer: async (_config, list) => {
    const balancers = await list('load-balancer', '/v2.0/lbaas/loadbalancers', 'loadbalancers');
    const listeners = await list('load-balancer', '/v2.0/lbaas/listeners', 'listeners');
    const floatingIps = await list('network', '/v2.0/floatingips', 'floatingips');
    const floating = new Map(
      floatingIps.map((one) => [stringAt(one, 'port_id'), stringAt(one, 'floating_ip_address')]),
    );
    return balancers.flatMap((balancer) => {
      const id = stringAt(balancer, 'id');
      const listener = listeners.find(
        (one) =>
          stringAt(one, 'protocol') === 'PROMETHEUS' &&
          listAt(one, 'loadbalancers').some((of) => stringAt(of, 'id') === id),
      );
      if (listener === undefined) return [];
      const vip = stringAt(balancer, 'vip_address');
      return [
        targetLabels(hostPort(vip, stringAt(listener, 'protocol_port')), prefix, {
          loadbalancer_id: id,
          loadbalancer_name: stringAt(balancer, 'name'),
          loadbalancer_operating_status: stringAt(balancer, 'operating_status'),
          loadbalancer_provisioning_status: stringAt(balancer, 'provisioning_status'),
          loadbalancer_availability_zone: stringAt(balancer, 'availability_zone'),
          loadbalancer_vip: vip,
          loadbalancer_provider: stringAt(balancer, 'provider'),
          loadbalancer_tags: stringsAt(balancer, 'tags').join(','),
          loadbalancer_floating_ip: floating.get(stringAt(balancer, 'vip_port_id') || '-') ?? '',
          project_id: stringAt(balancer, 'project_id'),
        }),
      ];
    });
  },
};

/** Returns a target for each address that an instance has in a network. */
function instanceTargets(
  server: Json,
  floating: ReadonlyMap<string, string>,
  floatingAddresses: ReadonlySet<string>,
  port: number,
): Label[][] {
  const id = stringAt(server, 'id');
  const flavor = mapAt(server, 'flavor');
  const common: Names = {
    instance_id: id,
    instance_status: stringAt(server, 'status'),
    instance_name: stringAt(server, 'name'),
    project_id: stringAt(server, 'tenant_id'),
    user_id: stringAt(server, 'user_id'),
    // Newer answers contain the name of the flavor instead of its id.
    instance_flavor: stringAt(flavor, 'original_name') || stringAt(flavor, 'id'),
    instance_image: stringAt(mapAt(server, 'image'), 'id'),
    ...prefixNames('tag_', mapAt(server, 'metadata')),
  };
  const pools = mapAt(server, 'addresses');
  return Object.keys(pools).flatMap((pool) =>
    readList(pools[pool])
      .map((address) => stringAt(address, 'addr'))
      .filter((ip) => ip !== '' && !floatingAddresses.has(ip))
      .map((ip) =>
        targetLabels(hostPort(ip, port), prefix, {
          ...common,
          address_pool: pool,
          private_ip: ip,
          public_ip: floating.get(`${id} ${ip}`) ?? '',
        }),
      ),
  );
}
