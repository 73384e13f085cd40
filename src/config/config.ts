// The content of parca.yaml, with every default filled in.
import type { Files } from '../base/files.ts';
import type { Label, LabelSet } from '../model/labels.ts';
import type { ValueType } from '../model/profile-type.ts';
import type { RelabelRule } from '../model/relabel.ts';

/** A whole config file. */
export interface Config {
  /** Path of the file, for messages. */
  readonly file: string;
  /** Undefined: nothing is shipped to an object store. */
  readonly objectStorage: ObjectStorageConfig | undefined;
  /** Addresses of debuginfod servers; undefined: those of the command line. */
  readonly debuginfodServers: readonly string[] | undefined;
  /** Labels that series get when they are sent to another server; a series keeps its own ones. */
  readonly externalLabels: LabelSet;
  /** Patterns of files with more jobs; absolute. */
  readonly scrapeConfigFiles: readonly string[];
  /** Jobs in the order of the files; their names are unique. */
  readonly scrapeConfigs: readonly ScrapeConfig[];
  /** True if the file says which jobs there are, even none: it is not cut off before them. */
  readonly namesJobs: boolean;
  /** Settings that are valid and probably not meant: a line for each. */
  readonly warnings: readonly string[];
  /** The file, and the files of `scrapeConfigFiles`, for people. */
  readonly shown: readonly ShownFile[];
}

/** A config file as it may be shown. */
export interface ShownFile {
  readonly file: string;
  /** Text without comments; secrets are masked. */
  readonly yaml: string;
}

/** The bucket for blocks; keys of Thanos. */
export interface ObjectStorageConfig {
  /** Text in front of every key in the bucket. */
  readonly prefix: string;
  readonly bucket: FilesystemBucket | S3Bucket;
}

export interface FilesystemBucket {
  readonly type: 'FILESYSTEM';
  /** Absolute, or relative to the folder of the process as in Parca. */
  readonly directory: string;
}

export interface S3Bucket {
  readonly type: 'S3';
  readonly bucket: string;
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken: string;
  /** Address of STS, which gives keys for a web identity; "" = Amazon's. */
  readonly stsUrl: string;
  /** True for plain HTTP. */
  readonly insecure: boolean;
  readonly lookup: 'auto' | 'virtual-hosted' | 'path';
}

/** One job. */
export interface ScrapeConfig {
  readonly jobName: string;
  /** False for a job that only this server runs; other jobs are shared out to several servers. */
  readonly isShared: boolean;
  /** Above 0. */
  readonly intervalMillis: number;
  /**
   * Deadline of one scrape. A delta profile gets its `seconds` in addition if it could not end in
   * time.
   */
  readonly timeoutMillis: number;
  readonly scheme: 'http' | 'https';
  /** Parameters of every request, in the order of the file. */
  readonly params: ReadonlyMap<string, readonly string[]>;
  /** Enabled profiles only; names are unique. */
  readonly profiles: readonly ScrapedProfile[];
  readonly relabelRules: readonly RelabelRule[];
  readonly discovery: readonly DiscoveryConfig[];
  readonly http: HttpClientConfig;
  /** True if profiles keep their own time; else they get the time of the scrape. */
  readonly honorTimestamps: boolean;
  /** True if addresses of profiles are those of files, and not those of the process. */
  readonly areFileAddresses: boolean;
  readonly limits: ScrapeLimits;
}

/** Limits of a job; 0 = as much as the limits of the server allow. */
export interface ScrapeLimits {
  /** Samples of one profile. */
  readonly samples: number;
  /** Bytes of one profile, as fetched and decompressed. */
  readonly profileBytes: number;
  /** Targets of the job. A job with more is not scraped at all. */
  readonly targets: number;
  /** Dropped targets that are kept for the targets page. */
  readonly droppedTargets: number;
  /** Labels of a series, the profile's name among them. */
  readonly labels: number;
  /** Bytes of the name and of the value of a label. */
  readonly labelNameBytes: number;
  readonly labelValueBytes: number;
}

/** Limits of a job that sets none. */
export const noScrapeLimits: ScrapeLimits = {
  samples: 0,
  profileBytes: 0,
  targets: 0,
  droppedTargets: 0,
  labels: 0,
  labelNameBytes: 0,
  labelValueBytes: 0,
};

/** One profile to fetch from each target of a job. */
export interface ScrapedProfile {
  /** `__name__` of its series. */
  readonly name: string;
  /** Path with the path prefix; starts with "/". */
  readonly path: string;
  /** True if the target is asked for a profile over a span of time. */
  readonly delta: boolean;
  /** Length of the profile; undefined = the scrape interval. */
  readonly seconds: number | undefined;
  /** Sample types that are kept; all when empty. */
  readonly keepSampleTypes: readonly ValueType[];
  /** Path of an index that names the profiles of a target; "" = the index is not asked. */
  readonly indexPath: string;
}

/** A way to find targets; `kind` is the config key without `_configs`. */
export type DiscoveryConfig =
  | StaticDiscoveryConfig
  | FileDiscoveryConfig
  | HttpDiscoveryConfig
  | DnsDiscoveryConfig
  | KubernetesDiscoveryConfig
  | ApiDiscoveryConfig;

export interface StaticDiscoveryConfig {
  readonly kind: 'static';
  readonly groups: readonly StaticGroup[];
}

export interface StaticGroup {
  /** `host` or `host:port`. */
  readonly targets: readonly string[];
  readonly labels: readonly Label[];
}

/** Lists of targets in files. */
export interface FileDiscoveryConfig {
  readonly kind: 'file';
  /** Absolute; the name may have one `*`, and ends in .json, .yml or .yaml. */
  readonly patterns: readonly string[];
  /**
   * Time between looks at the files. Changes are seen at once, but some file systems do not
   * announce them.
   */
  readonly refreshMillis: number;
}

/** A list of targets as JSON from a server. */
export interface HttpDiscoveryConfig {
  readonly kind: 'http';
  readonly url: string;
  readonly refreshMillis: number;
  readonly http: HttpClientConfig;
}

export type DnsRecordType = 'A' | 'AAAA' | 'MX' | 'NS' | 'SRV';

/** Records of DNS names. */
export interface DnsDiscoveryConfig {
  readonly kind: 'dns';
  readonly names: readonly string[];
  readonly type: DnsRecordType;
  /** Port of the targets; SRV records have their own. */
  readonly port: number;
  readonly refreshMillis: number;
}

export type KubernetesRole = 'endpoints' | 'endpointslice' | 'ingress' | 'node' | 'pod' | 'service';

/** Objects of a Kubernetes cluster. */
export interface KubernetesDiscoveryConfig {
  readonly kind: 'kubernetes';
  readonly role: KubernetesRole;
  /**
   * Address of the API server; "" = that of `kubeconfig`, or of the cluster that this server runs
   * in.
   */
  readonly apiServer: string;
  /** "" or an absolute path. */
  readonly kubeconfig: string;
  readonly http: HttpClientConfig;
  /** Namespaces to look in; empty = all, unless `ownNamespace`. */
  readonly namespaces: readonly string[];
  readonly ownNamespace: boolean;
  readonly selectors: readonly KubernetesSelector[];
  /** Labels and annotations that targets get in addition. */
  readonly attach: { readonly node: boolean; readonly namespace: boolean };
}

/** Conditions on objects, and the role that their kind belongs to. */
export interface KubernetesSelector {
  readonly role: KubernetesRole;
  readonly label: string;
  readonly field: string;
}

/** Ways of discovery that poll an API. */
export type ApiDiscoveryConfig =
  | ConsulDiscoveryConfig
  | DockerDiscoveryConfig
  | DockerSwarmDiscoveryConfig
  | NomadDiscoveryConfig
  | Ec2DiscoveryConfig
  | GceDiscoveryConfig
  | AzureDiscoveryConfig
  | DigitalOceanDiscoveryConfig
  | HetznerDiscoveryConfig
  | EurekaDiscoveryConfig
  | OpenStackDiscoveryConfig
  | PuppetDbDiscoveryConfig;

/** Address of an API, and how often it is asked. */
export interface ApiAddress {
  readonly url: string;
  /** Socket on this machine that the API listens on; "" = the host of `url`. */
  readonly socketPath: string;
  readonly refreshMillis: number;
  readonly http: HttpClientConfig;
}

/** Services in a catalog of Consul. An empty text is no condition. */
export interface ConsulDiscoveryConfig extends ApiAddress {
  readonly kind: 'consul';
  readonly datacenter: string;
  readonly namespace: string;
  readonly partition: string;
  /** Names of services; empty = all. */
  readonly services: readonly string[];
  /** Tags that an instance must have. */
  readonly tags: readonly string[];
  readonly tagSeparator: string;
  readonly nodeMeta: ReadonlyMap<string, string>;
  /** Expressions of Consul about the catalog, and about instances. */
  readonly filter: string;
  readonly healthFilter: string;
  readonly allowStale: boolean;
}

/** Services that are registered with Nomad. */
export interface NomadDiscoveryConfig extends ApiAddress {
  readonly kind: 'nomad';
  readonly namespace: string;
  readonly region: string;
  readonly tagSeparator: string;
  readonly allowStale: boolean;
}

/** Containers of a Docker engine. */
export interface DockerDiscoveryConfig extends ApiAddress {
  readonly kind: 'docker';
  /** Port of containers that have none. */
  readonly port: number;
  readonly filters: ReadonlyMap<string, readonly string[]>;
  /** Host of containers in the network of the host. */
  readonly hostNetworkingHost: string;
  /** True if a container in several networks is one target, in the first network by name. */
  readonly matchFirstNetwork: boolean;
}

/** Objects of a Docker Swarm. */
export interface DockerSwarmDiscoveryConfig extends ApiAddress {
  readonly kind: 'dockerswarm';
  readonly role: 'services' | 'tasks' | 'nodes';
  /** Port of targets that publish none. */
  readonly port: number;
  readonly filters: ReadonlyMap<string, readonly string[]>;
}

/** Instances of EC2. An empty text stands for the value that Amazon's tools would find. */
export interface Ec2DiscoveryConfig extends ApiAddress {
  readonly kind: 'ec2';
  /** Empty = the region of the machine that this server runs on. */
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Section of the file of credentials. */
  readonly profile: string;
  /** Role that is assumed; empty = none. */
  readonly roleArn: string;
  readonly externalId: string;
  readonly port: number;
  readonly filters: readonly Filter[];
}

/** Condition on the objects of an API: the property has one of the values. */
export interface Filter {
  readonly name: string;
  readonly values: readonly string[];
}

/** Instances of Google's Compute Engine. */
export interface GceDiscoveryConfig extends ApiAddress {
  readonly kind: 'gce';
  readonly project: string;
  readonly zone: string;
  /** Expression of Google about instances; "" for all of them. */
  readonly filter: string;
  readonly port: number;
  readonly tagSeparator: string;
}

/** Virtual machines of Azure, including those of scale sets. */
export interface AzureDiscoveryConfig extends ApiAddress {
  readonly kind: 'azure';
  /** Host of Microsoft that gives tokens, as a URL. */
  readonly loginUrl: string;
  readonly login: 'OAuth' | 'ManagedIdentity' | 'SDK' | 'WorkloadIdentity';
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Empty = all groups. */
  readonly resourceGroup: string;
  readonly port: number;
}

/** Droplets or databases of DigitalOcean. */
export interface DigitalOceanDiscoveryConfig extends ApiAddress {
  readonly kind: 'digitalocean';
  readonly role: 'droplets' | 'databases';
  readonly port: number;
}

/** Servers of Hetzner: in its cloud, or dedicated ones. */
export interface HetznerDiscoveryConfig extends ApiAddress {
  readonly kind: 'hetzner';
  readonly role: 'hcloud' | 'robot';
  readonly labelSelector: string;
  readonly port: number;
}

/** Instances that are registered with a Eureka server. */
export interface EurekaDiscoveryConfig extends ApiAddress {
  readonly kind: 'eureka';
}

/** Instances, hypervisors or load balancers of OpenStack. */
export interface OpenStackDiscoveryConfig extends ApiAddress {
  readonly kind: 'openstack';
  readonly role: 'instance' | 'hypervisor' | 'loadbalancer';
  readonly region: string;
  /** Undefined = as in the variables `OS_*` of the process. */
  readonly login: OpenStackLogin | undefined;
  /** True for the instances of all projects. */
  readonly allTenants: boolean;
  /** Kind of the endpoints that are asked. */
  readonly availability: 'public' | 'internal' | 'admin';
  readonly port: number;
}

/** Credentials for Keystone. Empty texts are left out. */
export interface OpenStackLogin {
  /** Address of Keystone. */
  readonly url: string;
  readonly username: string;
  readonly userId: string;
  readonly password: string;
  readonly projectName: string;
  readonly projectId: string;
  readonly domainName: string;
  readonly domainId: string;
  readonly applicationCredentialId: string;
  readonly applicationCredentialName: string;
  readonly applicationCredentialSecret: string;
}

/** Resources that a query of PuppetDB returns. */
export interface PuppetDbDiscoveryConfig extends ApiAddress {
  readonly kind: 'puppetdb';
  readonly query: string;
  /** True if parameters of resources, which may be secret, become labels. */
  readonly includeParameters: boolean;
  readonly port: number;
}

/** Credentials, TLS and proxies of requests to targets and to the servers of discovery. */
export interface HttpClientConfig {
  readonly credentials: CredentialsConfig | undefined;
  readonly tls: TlsConfig | undefined;
  readonly followRedirects: boolean;
  /** True for HTTP/2 with servers that offer it by TLS. */
  readonly http2: boolean;
  /** Headers of every request; a name may have several values. */
  readonly headers: ReadonlyMap<string, readonly TextSource[]>;
  readonly proxy: ProxyConfig | undefined;
}

/** Client without credentials, proxies or other settings. */
export const plainHttpClient: HttpClientConfig = {
  credentials: undefined,
  tls: undefined,
  followRedirects: false,
  http2: false,
  headers: new Map(),
  proxy: undefined,
};

/** A proxy that the config names, or those of `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. */
export type ProxyConfig = {
  /** Headers for the proxy. */
  readonly headers: ReadonlyMap<string, readonly TextSource[]>;
} & (
  | { readonly kind: 'url'; readonly url: string; readonly noProxy: string }
  | { readonly kind: 'environment' }
);

/** A text in the config, or in a file that is read when it is needed. */
export type TextSource =
  | { readonly kind: 'inline'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string };

/** The content of the Authorization header. */
export type CredentialsConfig =
  | { readonly kind: 'basic'; readonly username: TextSource; readonly password: TextSource }
  | { readonly kind: 'token'; readonly type: string; readonly token: TextSource }
  | OAuth2Config;

/** A client of an OAuth 2.0 server. */
export interface OAuth2Config {
  readonly kind: 'oauth2';
  readonly clientId: string;
  readonly clientSecret: TextSource;
  readonly scopes: readonly string[];
  readonly tokenUrl: string;
  /** More fields of the request for a token. */
  readonly endpointParams: ReadonlyMap<string, string>;
  /** Connection to the server of tokens. */
  readonly tls: TlsConfig | undefined;
  readonly proxy: ProxyConfig | undefined;
}

export interface TlsConfig {
  readonly ca: TextSource | undefined;
  readonly cert: TextSource | undefined;
  readonly key: TextSource | undefined;
  /** "" = the host of the target. */
  readonly serverName: string;
  readonly insecureSkipVerify: boolean;
  readonly minVersion: TlsVersion | undefined;
  readonly maxVersion: TlsVersion | undefined;
}

export type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';

/**
 * Returns the text, or the current content of its file. Files usually end in a newline, which does
 * not belong to a secret.
 *
 * Errors: AppErrors of the disk.
 */
export async function readTextSource(
  source: TextSource,
  files: Pick<Files, 'read'>,
): Promise<string> {
  if (source.kind === 'inline') return source.text;
  return new TextDecoder().decode(await files.read(source.path)).trim();
}
