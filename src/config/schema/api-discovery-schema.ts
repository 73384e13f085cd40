// The schemas of the ways to find targets that poll an API.
import { resolve } from 'node:path';
import type {
  ApiAddress,
  ConsulDiscoveryConfig,
  DockerDiscoveryConfig,
  DockerSwarmDiscoveryConfig,
  Filter,
  HttpClientConfig,
  NomadDiscoveryConfig,
} from '../config.ts';
import { checkHttpClient, httpFields, httpUrl, readHttpClient } from './http-schema.ts';
import type { Place } from './place.ts';
import {
  boolean,
  integer,
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
  secret,
  text,
  type Reader,
} from './read.ts';

const noTexts: readonly string[] = [];
/** A port of TCP. */
export const port = integer(1, 65_535);

/** The address of Docker's API: a URL, or a socket on this machine. */
const engineAddress: Reader<Pick<ApiAddress, 'url' | 'socketPath'>> = refine(
  nonEmptyText,
  (host, place) => {
    if (host.startsWith('unix:///')) {
      return { url: 'http://localhost', socketPath: resolve(host.slice('unix://'.length)) };
    }
    // Docker writes tcp:// for its API over HTTP.
    const url = httpUrlOf(host.replace(/^tcp:/, 'http:'));
    if (url !== undefined) return { url, socketPath: '' };
    return refuse(place, 'an address that begins with unix:///, http://, https:// or tcp://');
  },
);

function httpUrlOf(url: string): string | undefined {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : undefined;
}

function withHeader(http: HttpClientConfig, name: string, value: string): HttpClientConfig {
  if (value === '') return http;
  const headers = new Map(http.headers).set(name, [{ kind: 'inline', text: value }]);
  return { ...http, headers };
}

function checkConsul(place: Place): void {
  checkHttpClient(place);
  const has = (key: string): boolean => place.find(key) !== undefined;
  if (has('username') && has('basic_auth')) {
    place.at('username').report('expected only one of username and basic_auth');
  }
}

/** `consul_sd_configs[]`. */
export const consul: Reader<ConsulDiscoveryConfig> = refine(
  record(
    {
      server: optional(nonEmptyText, 'localhost:8500'),
      scheme: optional(oneOf(['http', 'https']), 'http'),
      path_prefix: optional(text, ''),
      token: optional(secret, ''),
      username: optional(text, ''),
      password: optional(secret, ''),
      datacenter: optional(text, ''),
      namespace: optional(text, ''),
      partition: optional(text, ''),
      services: optional(list(nonEmptyText), noTexts),
      tags: optional(list(nonEmptyText), noTexts),
      tag_separator: optional(text, ','),
      node_meta: optional(mapOf(text), new Map<string, string>()),
      filter: optional(text, ''),
      health_filter: optional(text, ''),
      allow_stale: optional(boolean, true),
      refresh_interval: optional(positiveDuration, 30_000),
      ...httpFields,
    },
    [],
    (_, place) => checkConsul(place),
  ),
  (given, place) => {
    const url = `${given.scheme}://${given.server}`;
    if (!URL.canParse(url) || given.server.includes('/')) {
      return refuse(place.at('server'), 'an address such as localhost:8500');
    }
    const http = readHttpClient(given);
    const inline = (value: string) => ({ kind: 'inline', text: value }) as const;
    const { username, password } = given;
    const basic = {
      kind: 'basic',
      username: inline(username),
      password: inline(password),
    } as const;
    const credentials = username === '' ? http.credentials : basic;
    return {
      kind: 'consul',
      socketPath: '',
      refreshMillis: given.refresh_interval,
      url: `${url}/${given.path_prefix}`.replace(/\/+$/, '').replace(/([^:])\/{2,}/g, '$1/'),
      http: withHeader({ ...http, credentials }, 'x-consul-token', given.token),
      datacenter: given.datacenter,
      namespace: given.namespace,
      partition: given.partition,
      services: given.services,
      tags: given.tags,
      tagSeparator: given.tag_separator,
      nodeMeta: given.node_meta,
      filter: given.filter,
      healthFilter: given.health_filter,
      allowStale: given.allow_stale,
    };
  },
);

/** `nomad_sd_configs[]`. */
export const nomad: Reader<NomadDiscoveryConfig> = refine(
  record(
    {
      server: optional(httpUrl, 'http://localhost:4646'),
      namespace: optional(text, 'default'),
      region: optional(text, 'global'),
      tag_separator: optional(text, ','),
      allow_stale: optional(boolean, true),
      refresh_interval: optional(positiveDuration, 60_000),
      ...httpFields,
    },
    [],
    (_, place) => checkHttpClient(place),
  ),
  (given) => ({
    kind: 'nomad',
    url: given.server,
    socketPath: '',
    refreshMillis: given.refresh_interval,
    http: readHttpClient(given),
    namespace: given.namespace,
    region: given.region,
    tagSeparator: given.tag_separator,
    allowStale: given.allow_stale,
  }),
);

/** Names and values by which an API selects objects. */
export const filterList: Reader<readonly Filter[]> = list(
  record({
    name: required(nonEmptyText),
    values: required(
      refine(list(nonEmptyText), (values, place) =>
        values.length > 0 ? values : refuse(place, 'at least one value'),
      ),
    ),
  }),
);

const filters: Reader<ReadonlyMap<string, readonly string[]>> = refine(filterList, (given) => {
  const byName = new Map<string, readonly string[]>();
  for (const { name, values } of given) {
    byName.set(name, [...(byName.get(name) ?? []), ...values]);
  }
  return byName;
});

const engineFields = {
  host: required(engineAddress),
  port: optional(port, 80),
  filters: optional(filters, new Map<string, readonly string[]>()),
  refresh_interval: optional(positiveDuration, 60_000),
  ...httpFields,
};

/** `docker_sd_configs[]`. */
export const docker: Reader<DockerDiscoveryConfig> = refine(
  record(
    {
      ...engineFields,
      host_networking_host: optional(nonEmptyText, 'localhost'),
      match_first_network: optional(boolean, true),
    },
    [],
    (_, place) => checkHttpClient(place),
  ),
  (given) => ({
    kind: 'docker',
    ...given.host,
    refreshMillis: given.refresh_interval,
    http: readHttpClient(given),
    port: given.port,
    filters: given.filters,
    hostNetworkingHost: given.host_networking_host,
    matchFirstNetwork: given.match_first_network,
  }),
);

/** `dockerswarm_sd_configs[]`. */
export const dockerSwarm: Reader<DockerSwarmDiscoveryConfig> = refine(
  record(
    { ...engineFields, role: required(oneOf(['services', 'tasks', 'nodes'])) },
    [],
    (_, place) => checkHttpClient(place),
  ),
  (given) => ({
    kind: 'dockerswarm',
    ...given.host,
    refreshMillis: given.refresh_interval,
    http: readHttpClient(given),
    port: given.port,
    filters: given.filters,
    role: given.role,
  }),
);
