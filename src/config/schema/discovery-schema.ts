// The schemas of the ways to find targets: `static_configs` and `*_sd_configs` of a job.
import { dirname, resolve } from 'node:path';
import { consul, docker, dockerSwarm, nomad } from './api-discovery-schema.ts';
import {
  azure,
  digitalOcean,
  ec2,
  eureka,
  gce,
  hetzner,
  openStack,
  puppetDb,
} from './cloud-discovery-schema.ts';
import type {
  DiscoveryConfig,
  DnsDiscoveryConfig,
  FileDiscoveryConfig,
  HttpDiscoveryConfig,
  KubernetesDiscoveryConfig,
  KubernetesSelector,
  StaticGroup,
} from '../config.ts';
import { filePattern } from '../file-pattern.ts';
import { checkHttpClient, httpFields, httpUrl, readHttpClient } from './http-schema.ts';
import {
  boolean,
  integer,
  invalid,
  labelNameMistake,
  list,
  mapOf,
  nonEmptyText,
  oneOf,
  optional,
  positiveDuration,
  record,
  refine,
  refuse,
  required,
  text,
  type Field,
  type Reader,
} from './read.ts';

const staticGroup: Reader<StaticGroup> = refine(
  record({
    targets: optional(list(nonEmptyText), []),
    labels: optional(mapOf(text, labelNameMistake), new Map<string, string>()),
  }),
  ({ targets, labels }) => ({
    targets,
    labels: [...labels].map(([name, value]) => ({ name, value })),
  }),
);

const file: Reader<FileDiscoveryConfig> = refine(
  record({
    files: required(list(filePattern(['json', 'yml', 'yaml']))),
    refresh_interval: optional(positiveDuration, 300_000),
  }),
  ({ files, refresh_interval: refreshMillis }, place) =>
    files.length > 0
      ? { kind: 'file', patterns: files, refreshMillis }
      : refuse(place.at('files'), 'at least one path'),
);

const http: Reader<HttpDiscoveryConfig> = refine(
  record(
    {
      url: required(httpUrl),
      refresh_interval: optional(positiveDuration, 60_000),
      ...httpFields,
    },
    [],
    (_, place) => checkHttpClient(place),
  ),
  (given) => ({
    kind: 'http',
    url: given.url,
    refreshMillis: given.refresh_interval,
    http: readHttpClient(given),
  }),
);

/** Stands for a missing port: SRV records have their own. */
const noPort = 0;

const dns: Reader<DnsDiscoveryConfig> = refine(
  record({
    names: required(list(nonEmptyText)),
    type: optional(oneOf(['SRV', 'A', 'AAAA', 'MX', 'NS']), 'SRV'),
    port: optional(integer(1, 65_535), noPort),
    refresh_interval: optional(positiveDuration, 30_000),
  }),
  ({ names, type, port, refresh_interval: refreshMillis }, place) => {
    if (names.length === 0) return refuse(place.at('names'), 'at least one name');
    if (type !== 'SRV' && port === noPort) {
      place.report(`port is missing: records of type ${type} have none`);
      return invalid;
    }
    return { kind: 'dns', names, type, port, refreshMillis };
  },
);

const role = oneOf(['node', 'pod', 'service', 'endpoints', 'endpointslice', 'ingress']);

const selector: Reader<KubernetesSelector> = record({
  role: required(role),
  label: optional(text, ''),
  field: optional(text, ''),
});

const attachNothing = { node: false, namespace: false };

const inNoNamespace = { own_namespace: false, names: [] as readonly string[] };

const kubernetes: Reader<KubernetesDiscoveryConfig> = refine(
  record(
    {
      role: required(role),
      api_server: optional(httpUrl, ''),
      kubeconfig_file: optional(nonEmptyText, ''),
      namespaces: optional(
        record({
          own_namespace: optional(boolean, false),
          names: optional(list(nonEmptyText), []),
        }),
        inNoNamespace,
      ),
      selectors: optional(list(selector), []),
      attach_metadata: optional(
        record({ node: optional(boolean, false), namespace: optional(boolean, false) }, [
          'deployment',
          'job',
          'cronjob',
        ]),
        attachNothing,
      ),
      ...httpFields,
    },
    [],
    (given, place) => {
      checkHttpClient(place);
      const isExplicit = given.api_server !== '';
      if (isExplicit && given.kubeconfig_file !== '') {
        place.report('expected only one of api_server and kubeconfig_file');
      }
      const httpKeys = Object.keys(httpFields);
      const custom = place.entries()?.find(({ key }) => httpKeys.includes(key));
      if (custom !== undefined && !isExplicit) {
        place.at(custom.key).report(`${custom.key} needs api_server`);
      }
    },
  ),
  (given, place) => ({
    kind: 'kubernetes',
    role: given.role,
    apiServer: given.api_server,
    kubeconfig:
      given.kubeconfig_file === ''
        ? ''
        : resolve(dirname(place.source.file), given.kubeconfig_file),
    http: readHttpClient(given),
    namespaces: given.namespaces.names,
    ownNamespace: given.namespaces.own_namespace,
    selectors: given.selectors,
    attach: given.attach_metadata,
  }),
);

/** Keys of a job for the sources of its targets. */
export const discoveryFields = {
  static_configs: optional(list(staticGroup), []),
  file_sd_configs: optional(list(file), []),
  http_sd_configs: optional(list(http), []),
  dns_sd_configs: optional(list(dns), []),
  kubernetes_sd_configs: optional(list(kubernetes), []),
  consul_sd_configs: optional(list(consul), []),
  docker_sd_configs: optional(list(docker), []),
  dockerswarm_sd_configs: optional(list(dockerSwarm), []),
  nomad_sd_configs: optional(list(nomad), []),
  ec2_sd_configs: optional(list(ec2), []),
  gce_sd_configs: optional(list(gce), []),
  azure_sd_configs: optional(list(azure), []),
  digitalocean_sd_configs: optional(list(digitalOcean), []),
  hetzner_sd_configs: optional(list(hetzner), []),
  eureka_sd_configs: optional(list(eureka), []),
  openstack_sd_configs: optional(list(openStack), []),
  puppetdb_sd_configs: optional(list(puppetDb), []),
};

/** Keys of Prometheus' other ways to find targets, which are not supported yet. */
export const discoveryNotSupported = (
  'lightsail ionos kuma linode marathon nerve serverset ovhcloud ' +
  'scaleway stackit triton uyuni vultr'
)
  .split(' ')
  .map((name) => `${name}_sd_configs`);

type DiscoveryKeys = {
  readonly [K in keyof typeof discoveryFields]: (typeof discoveryFields)[K] extends Field<infer T>
    ? T
    : never;
};

/** Returns the ways to find targets of a job. */
export function discoveryOf(keys: DiscoveryKeys): DiscoveryConfig[] {
  const { static_configs: groups } = keys;
  const names = Object.keys(discoveryFields) as (keyof typeof discoveryFields)[];
  return [
    ...(groups.length === 0 ? [] : [{ kind: 'static', groups } as const]),
    ...names.flatMap((name) => (name === 'static_configs' ? [] : [...keys[name]])),
  ];
}
