// The content of parca.yaml, with every default filled in.
import type { ObjectStorageConfig } from './bucket-config.ts';
import type { SourceLinkRule } from './source-links.ts';
import type { TextSource, TlsConfig } from './text-source.ts';
import type { Label, LabelSet } from '../model/labels.ts';
import type { ValueType } from '../model/profile-type.ts';
import type { RelabelRule } from '../model/relabel.ts';

/** A complete config file. */
export interface Config {
  /** Path of the config file, used in messages. */
  readonly file: string;
  /** Bucket for blocks; undefined if blocks are not uploaded to an object store. */
  readonly objectStorage: ObjectStorageConfig | undefined;
  /** Addresses of debuginfod servers; undefined = the servers of the command line. */
  readonly debuginfodServers: readonly string[] | undefined;
  /**
   * Profile types whose sample times are not stored. Each is a complete type, the beginning of one,
   * or `*`.
   */
  readonly dropSampleTimes: readonly string[];
  /**
   * Labels that series get when they are sent to another server; labels of a series take
   * precedence.
   */
  readonly externalLabels: LabelSet;
  /** Patterns of files with further jobs, as absolute paths. */
  readonly scrapeConfigFiles: readonly string[];
  /** Patterns of files with rules, as absolute paths. */
  readonly ruleFiles: readonly string[];
  /** Settings for groups of rules that do not set their own. */
  readonly ruleDefaults: RuleDefaults;
  readonly alerting: AlertingConfig;
  /** Servers that get recorded series; their addresses are unique. */
  readonly remoteWrite: readonly RemoteWriteConfig[];
  readonly findings: FindingsConfig;
  /** Rules that make links from lines of source; links of earlier rules are shown first. */
  readonly sourceLinks: readonly SourceLinkRule[];
  /** Jobs in the order of the files; their names are unique. */
  readonly scrapeConfigs: readonly ScrapeConfig[];
  /**
   * True if the file has a list of jobs, even an empty one. A file without the list may be
   * truncated.
   */
  readonly namesJobs: boolean;
  /** Settings that are valid but probably a mistake; one line each. */
  readonly warnings: readonly string[];
  /**
   * The config file and the files of `scrapeConfigFiles`, without secrets, so that they may be
   * shown.
   */
  readonly shown: readonly ShownFile[];
}

/** A config file without secrets, which may be shown. */
export interface ShownFile {
  readonly file: string;
  /** Content of the file, with comments removed and secrets masked. */
  readonly yaml: string;
}

/** Settings of rule groups. */
export interface RuleDefaults {
  /** Interval between two evaluations, above 0. */
  readonly intervalMillis: number;
  /** Milliseconds by which the time of an evaluation is earlier than the current time. */
  readonly offsetMillis: number;
}

/** Settings of the automatic search for changes. */
export interface FindingsConfig {
  readonly enabled: boolean;
  /**
   * Average share of false positives among the functions that are reported after a deploy; above 0,
   * below 1.
   */
  readonly falseDiscoveryRate: number;
  /**
   * Smallest reported change of a function's cost, as a share of the service's total; above 0,
   * below 1.
   */
  readonly minCost: number;
}

/** Recipients of alerts. */
export interface AlertingConfig {
  /** Relabeling rules for the labels of all alerts. */
  readonly alertRelabelRules: readonly RelabelRule[];
  readonly alertmanagers: readonly AlertmanagerConfig[];
  /** Receivers that get alerts directly; their names are unique. */
  readonly receivers: readonly AlertReceiverConfig[];
}

/** Settings without receivers: alerts are only shown. */
export const noAlerting: AlertingConfig = {
  alertRelabelRules: [],
  alertmanagers: [],
  receivers: [],
};

/** Alertmanagers with the same settings, and the discovery that finds them. */
export interface AlertmanagerConfig {
  readonly scheme: 'http' | 'https';
  /** Prefix of the paths on these servers: "" or a path that begins with "/". */
  readonly pathPrefix: string;
  readonly timeoutMillis: number;
  readonly relabelRules: readonly RelabelRule[];
  /** Relabeling rules for the labels of the alerts that these Alertmanagers get. */
  readonly alertRelabelRules: readonly RelabelRule[];
  readonly discovery: readonly DiscoveryConfig[];
  readonly http: HttpClientConfig;
}

/** Server that receives recorded series by Prometheus' remote write. */
export interface RemoteWriteConfig {
  readonly url: string;
  readonly timeoutMillis: number;
  readonly version: 1 | 2;
  /** Relabeling rules for the labels of series, including external labels. */
  readonly relabelRules: readonly RelabelRule[];
  readonly http: HttpClientConfig;
}

/** Receiver that gets alerts directly, without an Alertmanager. */
export interface AlertReceiverConfig {
  readonly name: string;
  /** Labels and values that an alert must have; an empty map matches all alerts. */
  readonly match: ReadonlyMap<string, string>;
  /** Labels by which alerts are grouped into messages. */
  readonly groupBy: readonly string[];
  /** Time from the first alert of a group to its first message. */
  readonly groupWaitMillis: number;
  /** Shortest time between two messages of a group. */
  readonly groupIntervalMillis: number;
  /** Time after which a message is sent again if nothing has changed. */
  readonly repeatMillis: number;
  readonly ways: readonly AlertReceiver[];
}

/** A destination for alert messages: a webhook, a Slack channel or an e-mail address. */
export type AlertReceiver = WebReceiver | MailReceiver;

/** A webhook or a Slack channel. */
export type WebReceiver = {
  readonly url: TextSource;
  readonly http: HttpClientConfig | undefined;
  readonly sendsResolved: boolean;
  /** True if messages have the address of a picture of what changed. */
  readonly sendsPicture: boolean;
} & ({ readonly kind: 'webhook' } | { readonly kind: 'slack'; readonly channel: string });

/** An e-mail address, and the mail server that accepts messages for it over SMTP. */
export interface MailReceiver {
  readonly kind: 'email';
  /** Address, with or without a name. */
  readonly to: string;
  readonly from: string;
  readonly host: string;
  readonly port: number;
  /** Name by which this server introduces itself to the mail server. */
  readonly hello: string;
  /** User name at the mail server; "" = no login. */
  readonly username: string;
  readonly password: TextSource;
  /** True if messages are sent over TLS only. */
  readonly requireTls: boolean;
  /** True for a server that expects TLS from the first byte. */
  readonly isImplicitTls: boolean;
  readonly tls: TlsConfig | undefined;
  /** Additional headers of each message. */
  readonly headers: ReadonlyMap<string, string>;
  readonly sendsResolved: boolean;
  /** True if messages have a picture of what changed. */
  readonly sendsPicture: boolean;
}

/** One job. */
export interface ScrapeConfig {
  readonly jobName: string;
  /** False for a job that only this server runs; other jobs are shared among several servers. */
  readonly isShared: boolean;
  /** Interval between two scrapes, above 0. */
  readonly intervalMillis: number;
  /**
   * Longest duration of one scrape in milliseconds. For a delta profile that could not end in time
   * otherwise, its `seconds` are added.
   */
  readonly timeoutMillis: number;
  readonly scheme: 'http' | 'https';
  /** Parameters of every request, in the order of the file. */
  readonly params: ReadonlyMap<string, readonly string[]>;
  /** Enabled profiles; their names are unique. */
  readonly profiles: readonly ScrapedProfile[];
  readonly relabelRules: readonly RelabelRule[];
  readonly discovery: readonly DiscoveryConfig[];
  readonly http: HttpClientConfig;
  /** True if profiles keep their own time; otherwise, their time is that of the scrape. */
  readonly honorTimestamps: boolean;
  /** True if addresses in profiles are offsets in files, and not addresses in the process. */
  readonly areFileAddresses: boolean;
  readonly limits: ScrapeLimits;
}

/** Limits of a job; 0 = only the limits of the server. */
export interface ScrapeLimits {
  /** Samples of one profile. */
  readonly samples: number;
  /** Bytes of one profile, both compressed and decompressed. */
  readonly profileBytes: number;
  /** Targets of the job. If it has more, none of them is scraped. */
  readonly targets: number;
  /** Number of dropped targets that are kept for the targets page. */
  readonly droppedTargets: number;
  /** Labels of a series, including the profile's name. */
  readonly labels: number;
  /** Bytes of the name and of the value of a label. */
  readonly labelNameBytes: number;
  readonly labelValueBytes: number;
}

/** Limits of a job that has none of its own. */
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
  /** Name of the profile, which is the label `__name__` of its series. */
  readonly name: string;
  /** Path, including the path prefix; begins with "/". */
  readonly path: string;
  /** True if the profile covers a period of time, whose length the request states. */
  readonly delta: boolean;
  /** Length of the profile in seconds; undefined = the scrape interval. */
  readonly seconds: number | undefined;
  /** Sample types that are kept; an empty list keeps all. */
  readonly keepSampleTypes: readonly ValueType[];
  /** Path of an index that lists the profiles of a target; "" = no index is read. */
  readonly indexPath: string;
}

/** A way to find targets; src/discovery defines the settings of each kind. */
export interface DiscoveryConfig {
  /** Key in the config, without `_configs` or `_sd_configs`. */
  readonly kind: string;
}

/** Targets that are listed in the config. */
export interface StaticDiscoveryConfig {
  readonly kind: 'static';
  readonly groups: readonly StaticGroup[];
}

/** Returns a way to find targets whose addresses are already known. */
export function staticTargets(groups: readonly StaticGroup[]): StaticDiscoveryConfig {
  return { kind: 'static', groups };
}

export interface StaticGroup {
  /** Addresses: `host` or `host:port`. */
  readonly targets: readonly string[];
  readonly labels: readonly Label[];
}

/** Credentials, TLS and proxies for requests to targets and to discovery servers. */
export interface HttpClientConfig {
  readonly credentials: CredentialsConfig | undefined;
  readonly tls: TlsConfig | undefined;
  readonly followRedirects: boolean;
  /** True if HTTP/2 is used with servers that offer it over TLS. */
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

/** A proxy: either the config names it, or `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` do. */
export type ProxyConfig = {
  /** Headers for the proxy. */
  readonly headers: ReadonlyMap<string, readonly TextSource[]>;
} & (
  | { readonly kind: 'url'; readonly url: string; readonly noProxy: string }
  | { readonly kind: 'environment' }
);

/** Content of the Authorization header, or a way to obtain it. */
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
  /** Further parameters of the token request. */
  readonly endpointParams: ReadonlyMap<string, string>;
  /** TLS settings for the token server; undefined = defaults. */
  readonly tls: TlsConfig | undefined;
  readonly proxy: ProxyConfig | undefined;
}
