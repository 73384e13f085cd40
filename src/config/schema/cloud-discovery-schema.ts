// The schemas of the ways to find targets in clouds and in registries of infrastructure.
import { filterList, port } from './api-discovery-schema.ts';
import {
  type AzureDiscoveryConfig,
  type DigitalOceanDiscoveryConfig,
  type Ec2DiscoveryConfig,
  type EurekaDiscoveryConfig,
  type Filter,
  type GceDiscoveryConfig,
  type HetznerDiscoveryConfig,
  type OpenStackDiscoveryConfig,
  type PuppetDbDiscoveryConfig,
  plainHttpClient,
} from '../config.ts';
import {
  checkHttpClient,
  credentialKeys,
  httpFields,
  httpUrl,
  readHttpClient,
  tls,
} from './http-schema.ts';
import type { Place } from './place.ts';
import {
  boolean,
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

const noFilters: readonly Filter[] = [];
const portDefault = 80;

/** Fields that all of these kinds have. */
const common = {
  port: optional(port, portDefault),
  refresh_interval: optional(positiveDuration, 60_000),
};

/** Refuses credentials of an HTTP client where a kind logs in by itself. */
function checkLogin(place: Place, how: string): void {
  checkHttpClient(place);
  for (const { key, place: at } of place.entries() ?? []) {
    if (credentialKeys.includes(key) && !at.isEmpty()) at.report(`expected ${how} instead`);
  }
}

/** `ec2_sd_configs[]`. */
export const ec2: Reader<Ec2DiscoveryConfig> = refine(
  record(
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
      ...httpFields,
    },
    [],
    (given, place) => {
      checkLogin(place, 'access_key and secret_key');
      if ((given.access_key === '') !== (given.secret_key === '')) {
        place.report('expected both access_key and secret_key, or none of them');
      }
    },
  ),
  (given) => ({
    kind: 'ec2',
    url: given.endpoint,
    socketPath: '',
    refreshMillis: given.refresh_interval,
    http: readHttpClient(given),
    region: given.region,
    accessKey: given.access_key,
    secretKey: given.secret_key,
    profile: given.profile,
    roleArn: given.role_arn,
    externalId: given.external_id,
    port: given.port,
    filters: given.filters,
  }),
);

/** `gce_sd_configs[]`. */
export const gce: Reader<GceDiscoveryConfig> = refine(
  record({
    ...common,
    project: required(nonEmptyText),
    zone: required(nonEmptyText),
    filter: optional(text, ''),
    tag_separator: optional(text, ','),
  }),
  (given) => ({
    kind: 'gce',
    url: 'https://compute.googleapis.com',
    socketPath: '',
    refreshMillis: given.refresh_interval,
    http: plainHttpClient,
    project: given.project,
    zone: given.zone,
    filter: given.filter,
    port: given.port,
    tagSeparator: given.tag_separator,
  }),
);

interface AzureCloud {
  /** Address of the resource manager. */
  readonly url: string;
  readonly loginUrl: string;
}

const publicCloud: AzureCloud = {
  url: 'https://management.azure.com',
  loginUrl: 'https://login.microsoftonline.com',
};
const governmentCloud: AzureCloud = {
  url: 'https://management.usgovcloudapi.net',
  loginUrl: 'https://login.microsoftonline.us',
};

/** Clouds by their names in lower case. */
const azureClouds: ReadonlyMap<string, AzureCloud> = new Map([
  [
    'azurechinacloud',
    { url: 'https://management.chinacloudapi.cn', loginUrl: 'https://login.chinacloudapi.cn' },
  ],
  ['azurecloud', publicCloud],
  ['azuregermancloud', publicCloud],
  ['azurepubliccloud', publicCloud],
  ['azureusgovernment', governmentCloud],
  ['azureusgovernmentcloud', governmentCloud],
]);

const azureCloud: Reader<AzureCloud> = refine(text, (name, place) => {
  const names = 'AzurePublicCloud, AzureChinaCloud or AzureUSGovernment';
  return azureClouds.get(name.toLowerCase()) ?? refuse(place, names);
});

const azureMethods = ['OAuth', 'ManagedIdentity', 'SDK', 'WorkloadIdentity'] as const;

/** `azure_sd_configs[]`. */
export const azure: Reader<AzureDiscoveryConfig> = refine(
  record(
    {
      ...common,
      environment: optional(azureCloud, publicCloud),
      authentication_method: optional(oneOf(azureMethods), 'OAuth'),
      subscription_id: required(nonEmptyText),
      tenant_id: optional(text, ''),
      client_id: optional(text, ''),
      client_secret: optional(secret, ''),
      resource_group: optional(text, ''),
      refresh_interval: optional(positiveDuration, 300_000),
      ...httpFields,
    },
    [],
    (given, place) => {
      checkLogin(place, 'authentication_method and its keys');
      if (given.authentication_method !== 'OAuth') return;
      for (const key of ['tenant_id', 'client_id', 'client_secret'] as const) {
        if (given[key] === '') place.report(`${key} is missing: authentication_method is OAuth`);
      }
    },
  ),
  (given) => ({
    kind: 'azure',
    ...given.environment,
    socketPath: '',
    refreshMillis: given.refresh_interval,
    http: readHttpClient(given),
    login: given.authentication_method,
    subscriptionId: given.subscription_id,
    tenantId: given.tenant_id,
    clientId: given.client_id,
    clientSecret: given.client_secret,
    resourceGroup: given.resource_group,
    port: given.port,
  }),
);

/** `digitalocean_sd_configs[]`. */
export const digitalOcean: Reader<DigitalOceanDiscoveryConfig> = refine(
  record(
    { ...common, role: optional(oneOf(['droplets', 'databases']), 'droplets'), ...httpFields },
    [],
    (_, place) => checkHttpClient(place),
  ),
  (given) => ({
    kind: 'digitalocean',
    url: 'https://api.digitalocean.com',
    socketPath: '',
    refreshMillis: given.refresh_interval,
    http: readHttpClient(given),
    role: given.role,
    port: given.port,
  }),
);

const hetznerUrls = {
  hcloud: 'https://api.hetzner.cloud',
  robot: 'https://robot-ws.your-server.de',
};

/** `hetzner_sd_configs[]`. */
export const hetzner: Reader<HetznerDiscoveryConfig> = refine(
  record(
    {
      ...common,
      role: required(oneOf(['hcloud', 'robot'])),
      label_selector: optional(text, ''),
      ...httpFields,
    },
    [],
    (_, place) => checkHttpClient(place),
  ),
  (given) => ({
    kind: 'hetzner',
    url: hetznerUrls[given.role],
    socketPath: '',
    refreshMillis: given.refresh_interval,
    http: readHttpClient(given),
    role: given.role,
    labelSelector: given.label_selector,
    port: given.port,
  }),
);

/** `eureka_sd_configs[]`. */
export const eureka: Reader<EurekaDiscoveryConfig> = refine(
  record(
    {
      server: required(httpUrl),
      refresh_interval: optional(positiveDuration, 30_000),
      ...httpFields,
    },
    [],
    (_, place) => checkHttpClient(place),
  ),
  (given) => ({
    kind: 'eureka',
    url: given.server,
    socketPath: '',
    refreshMillis: given.refresh_interval,
    http: readHttpClient(given),
  }),
);

/** `openstack_sd_configs[]`. */
export const openStack: Reader<OpenStackDiscoveryConfig> = refine(
  record({
    ...common,
    role: required(oneOf(['instance', 'hypervisor', 'loadbalancer'])),
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
    all_tenants: optional(boolean, false),
    availability: optional(oneOf(['public', 'internal', 'admin']), 'public'),
    tls_config: optional(tls, undefined),
  }),
  (given) => ({
    kind: 'openstack',
    url: given.identity_endpoint,
    socketPath: '',
    refreshMillis: given.refresh_interval,
    http: { ...plainHttpClient, tls: given.tls_config },
    role: given.role,
    region: given.region,
    login:
      given.identity_endpoint === ''
        ? undefined
        : {
            url: given.identity_endpoint,
            username: given.username,
            userId: given.userid,
            password: given.password,
            projectName: given.project_name,
            projectId: given.project_id,
            domainName: given.domain_name,
            domainId: given.domain_id,
            applicationCredentialId: given.application_credential_id,
            applicationCredentialName: given.application_credential_name,
            applicationCredentialSecret: given.application_credential_secret,
          },
    allTenants: given.all_tenants,
    availability: given.availability,
    port: given.port,
  }),
);

/** `puppetdb_sd_configs[]`. */
export const puppetDb: Reader<PuppetDbDiscoveryConfig> = refine(
  record(
    {
      ...common,
      url: required(httpUrl),
      query: required(nonEmptyText),
      include_parameters: optional(boolean, false),
      ...httpFields,
    },
    [],
    (_, place) => checkHttpClient(place),
  ),
  (given) => ({
    kind: 'puppetdb',
    url: given.url,
    socketPath: '',
    refreshMillis: given.refresh_interval,
    http: readHttpClient(given),
    query: given.query,
    includeParameters: given.include_parameters,
    port: given.port,
  }),
);
