// Amazon EC2: finds the instances of a region.
import { httpUrl } from '../../config/schema/http-schema.ts';
import { optional, secret, text } from '../../config/schema/read.ts';
import { defineDiscovery, type SettingsOf } from '../kind/define.ts';
import {
  httpSettings,
  withUrl,
  common,
  filterList,
  refuseCredentials,
  type Filter,
} from '../kind/settings.ts';
import { canonicalQuery, sha256, signedHeaders } from '../../http-client/logins/aws-signature.ts';
import {
  requireChild,
  listChildren,
  childText,
  parseXml,
  type XmlElement,
} from '../../base/text/xml.ts';
import { hostPort } from '../../base/text/host-port.ts';
import type { Label } from '../../model/labels.ts';
import type { DiscoveryContext } from '../interface.ts';
import { joined, type Names, sanitizeLabelName, targetLabels } from '../kind/meta-labels.ts';
import type { Query, Send } from '../../http-client/send.ts';
import { createPolledDiscoverer } from '../kind/polled.ts';
import { AwsLogin } from '../../http-client/logins/aws-login.ts';

const prefix = '__meta_ec2_';
const apiVersion = '2016-11-15';

const noFilters: readonly Filter[] = [];

/**
 * Settings of discovery on EC2. An empty string stands for the value that Amazon's tools would use.
 */
const schema = withUrl(
  httpSettings(
    {
      ...common,
      endpoint: optional(httpUrl, ''),
      region: optional(text, ''),
      access_key: optional(text, ''),
      secret_key: optional(secret, ''),
      profile: optional(text, ''),
      role_arn: optional(text, ''),
      external_id: optional(text, ''),
      filters: optional(filterList, noFilters),
    },
    (given, place) => {
      refuseCredentials(place, 'access_key and secret_key');
      if ((given.access_key === '') !== (given.secret_key === '')) {
        place.report('expected both access_key and secret_key, or none of them');
      }
    },
  ),
  ({ endpoint }) => endpoint,
);

type Config = SettingsOf<typeof schema>;

/** Source: Amazon EC2's API reference. */
export const ec2 = defineDiscovery({
  kind: 'ec2',
  schema,
  discover(config, context) {
    const login = new AwsLogin(config, context);
    let zoneIds: ReadonlyMap<string, string> | undefined;
    return createPolledDiscoverer(config, context, async ({ send }) => {
      const region = await login.region(send);
      const call: Call = (action, query) =>
        callApi({ config, context, login, region }, action, query, send);
      zoneIds ??= await readZoneIds(call, context);
      const targets: Label[][] = [];
      for (let token: string | undefined = ''; token !== undefined;) {
        const paging: Query = token === '' ? [] : [['NextToken', token]];
        const answer: XmlElement = await call('DescribeInstances', [
          ...writeFilters(config),
          ...paging,
        ]);
        for (const reservation of listItems(answer, 'reservationSet')) {
          const owner = childText(reservation, 'ownerId');
          for (const instance of listItems(reservation, 'instancesSet')) {
            const common = { owner_id: owner, region };
            targets.push(...instanceTargets(instance, common, zoneIds, config.port));
          }
        }
        token = childText(answer, 'nextToken') || undefined;
      }
      return [{ source: region, targets, labels: [] }];
    });
  },
});

type Call = (action: string, query: Query) => Promise<XmlElement>;

async function callApi(
  {
    config,
    context,
    login,
    region,
  }: {
    readonly config: Config;
    readonly context: DiscoveryContext;
    readonly login: AwsLogin;
    readonly region: string;
  },
  action: string,
  query: Query,
  send: Send,
): Promise<XmlElement> {
  const credentials = await login.credentials(send);
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const named = config.url || context.environment['AWS_ENDPOINT_URL_EC2'];
  const url = new URL(named ?? `https://ec2.${region}.${domain}/`);
  const body = canonicalQuery([['Action', action], ['Version', apiVersion], ...query]);
  const headers = signedHeaders(
    {
      method: 'POST',
      path: url.pathname,
      query: [],
      bodyHash: sha256(body),
      headers: { host: url.host, 'content-type': 'application/x-www-form-urlencoded' },
    },
    { region, service: 'ec2' },
    credentials,
    context.clock.nowMillis(),
  );
  const { text } = await send({ url: url.href, headers, body });
  return parseXml(text);
}

function writeFilters({ filters }: Config): Query {
  return filters.flatMap(({ name, values }, i) => [
    [`Filter.${i + 1}.Name`, name] as const,
    ...values.map((value, j) => [`Filter.${i + 1}.Value.${j + 1}`, value] as const),
  ]);
}

/** Returns the ids of zones, by their names. The account may lack the permission to read them. */
async function readZoneIds(
  call: Call,
  { logger }: DiscoveryContext,
): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    const zones = listItems(await call('DescribeAvailabilityZones', []), 'availabilityZoneInfo');
    return new Map(zones.map((zone) => [childText(zone, 'zoneName'), childText(zone, 'zoneId')]));
  } catch (error) {
    logger.debug('EC2 does not say the ids of its zones', { error: String(error) });
    return undefined;
  }
}

function listItems(element: XmlElement, set: string): readonly XmlElement[] {
  return listChildren(requireChild(element, set), 'item');
}

function instanceTargets(
  instance: XmlElement,
  common: Names,
  zoneIds: ReadonlyMap<string, string> | undefined,
  port: number,
): Label[][] {
  const text = (name: string): string => childText(instance, name);
  const privateIp = text('privateIpAddress');
  const vpc = text('vpcId');
  const interfaces = listItems(instance, 'networkInterfaceSet').filter(
    (one) => childText(one, 'subnetId') !== '',
  );
  const { all, primary } = vpc === '' ? { all: [], primary: [] } : ipv6Addresses(interfaces);
  const defaultIpv6 = [...primary, ...all].find((address) => address !== '') ?? '';
  if (privateIp === '' && defaultIpv6 === '') return [];
  const subnets = new Set(interfaces.map((one) => childText(one, 'subnetId')));
  const zone = childText(requireChild(instance, 'placement'), 'availabilityZone');
  const publicIp = text('ipAddress');
  const names: Names = {
    ...common,
    instance_id: text('instanceId'),
    private_ip: privateIp,
    private_dns_name: text('privateDnsName'),
    public_ip: publicIp,
    public_dns_name: publicIp === '' ? '' : text('dnsName'),
    platform: text('platform'),
    ami: text('imageId'),
    availability_zone: zone,
    availability_zone_id: zoneIds?.get(zone) ?? '',
    instance_state: childText(requireChild(instance, 'instanceState'), 'name'),
    instance_type: text('instanceType'),
    instance_lifecycle: text('instanceLifecycle'),
    architecture: text('architecture'),
    default_ipv6_address: defaultIpv6,
    primary_ipv6_addresses: joined(primary, ','),
    ipv6_addresses: joined(all, ','),
    vpc_id: vpc,
    primary_subnet_id: vpc === '' ? '' : text('subnetId'),
    subnet_id: vpc === '' ? '' : joined([...subnets], ','),
    ...Object.fromEntries(
      listItems(instance, 'tagSet').map((tag) => [
        `tag_${sanitizeLabelName(childText(tag, 'key'))}`,
        childText(tag, 'value'),
      ]),
    ),
  };
  return [targetLabels(hostPort(privateIp || defaultIpv6, port), prefix, names)];
}

/**
 * Returns all IPv6 addresses. `primary` has the primary address of each network device, at the
 * index of the device; "" = none.
 */
function ipv6Addresses(interfaces: readonly XmlElement[]): {
  readonly all: readonly string[];
  readonly primary: readonly string[];
} {
  const all: string[] = [];
  const primary: string[] = [];
  for (const one of interfaces) {
    const device = Number(childText(requireChild(one, 'attachment'), 'deviceIndex') || 0);
    for (const item of listItems(one, 'ipv6AddressesSet')) {
      const address = childText(item, 'ipv6Address');
      all.push(address);
      if (childText(item, 'isPrimaryIpv6') !== 'true' || device > devicesMax) continue;
      while (primary.length <= device) primary.push('');
      primary[device] = address;
    }
  }
  return { all, primary };
}

/** Largest index of a network device; no instance has a larger one. */
const devicesMax = 1_000;
