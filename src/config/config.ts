// The content of parca.yaml, with every default filled in.
import type { ObjectStorageConfig } from './bucket-config.ts';
import type { SourceLinkRule } from './source-links.ts';
import type { TextSource, TlsConfig } from './text-source.ts';
import type { Label, LabelSet } from '../model/labels.ts';
import type { ValueType } from '../model/profile-type.ts';
import type { RelabelRule } from '../model/relabel.ts';

/** A complete config file. */
export interface Config {
  /** Path of the file, for messages. */
  readonly file: string;
  /** Undefined if blocks are not shipped to an object store. */
  readonly objectStorage: ObjectStorageConfig | undefined;
  /** Addresses of debuginfod servers; undefined = the servers of the command line. */
  readonly debuginfodServers: readonly string[] | undefined;
  /** Profile types whose sample times are not stored: full types, their beginnings, or `*`. */
  readonly dropSampleTimes: readonly string[];
  /**
   * Labels that series get when they are sent to another server; labels of a series take
   * precedence.
   */
  readonly externalLabels: LabelSet;
  /** Absolute patterns of files with more jobs. */
  readonly scrapeConfigFiles: readonly string[];
  /** Absolute patterns of files with rules. */
  readonly ruleFiles: readonly string[];
  /** Settings for groups of rules that do not set their own. */
  readonly ruleDefaults: RuleDefaults;
  readonly alerting: AlertingConfig;
  /** Servers that get recorded series; their addresses are unique. */
  readonly remoteWrite: readonly RemoteWriteConfig[];
  readonly findings: FindingsConfig;
  /** Links from lines of source; the first rules are shown first. */
  readonly sourceLinks: readonly SourceLinkRule[];
  /** Jobs in the order of the files; their names are unique. */
  readonly scrapeConfigs: readonly ScrapeConfig[];
  /**
   * True if the file has a list of jobs, even an empty list. A file without the list may be
   * truncated.
   */
  readonly namesJobs: boolean;
  /** Settings that are valid but probably a mistake; one line each. */
  readonly warnings: readonly string[];
  /** The file, and the files of `scrapeConfigFiles`, in a form that may be shown to people. */
  readonly shown: readonly ShownFile[];
}

/** A config file in a form that may be shown. */
export interface ShownFile {
  readonly file: string;
  /** The file without comments; secrets are masked. */
  readonly yaml: string;
}

/** Settings of groups of rules. */
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
   * Share of false positives among the changed functions of a deploy, on average; above 0, below 1.
   */
  readonly falseDiscoveryRate: number;
  /** Smallest change of a cost that is reported, as a share of the service; above 0, below 1. */
  readonly minCost: number;
}

/** Recipients of alerts. */
export interface AlertingConfig {
  /** Rules for the labels of all alerts. */
  readonly alertRelabelRules: readonly RelabelRule[];
  readonly alertmanagers: readonly AlertmanagerConfig[];
  /** Receivers without an Alertmanager; their names are unique. */
  readonly receivers: readonly AlertReceiverConfig[];
}

/** Settings without receivers, with which alerts are only shown. */
export const noAlerting: AlertingConfig = {
  alertRelabelRules: [],
  alertmanagers: [],
  receivers: [],
};

/** Alertmanagers with the same settings, and the discovery that finds them. */
export interface AlertmanagerConfig {
  readonly scheme: 'http' | 'https';
  /** Prefix of paths: "" or a path that begins with "/". */
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
  /** Labels with the values that an alert must have; empty = all alerts match. */
  readonly match: ReadonlyMap<string, string>;
  /** Labels by whose values alerts are grouped into messages. */
  readonly groupBy: readonly string[];
  /** Time from the first alert of a group to its first message. */
  readonly groupWaitMillis: number;
  /** Shortest time between two messages of a group. */
  readonly groupIntervalMillis: number;
  /** Time after which a message is sent again while nothing has changed. */
  readonly repeatMillis: number;
  readonly ways: readonly AlertWay[];
}

/** A destination for alert messages: a webhook, a Slack channel or an e-mail address. */
export type AlertWay = PostWay | MailWay;

/** A webhook or a Slack channel. */
export type PostWay = {
  readonly url: TextSource;
  readonly http: HttpClientConfig | undefined;
  readonly sendsResolved: boolean;
} & ({ readonly kind: 'webhook' } | { readonly kind: 'slack'; readonly channel: string });

/** An e-mail address, and the mail server that accepts messages for it over SMTP. */
export interface MailWay {
  readonly kind: 'email';
  /** Address, with or without a name. */
  readonly to: string;
  readonly from: string;
  readonly host: string;
  readonly port: number;
  /** Name of this machine in the greeting to the mail server. */
  readonly hello: string;
  /** User name; "" = no login. */
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
}

/** One job. */
export interface ScrapeConfig {
  readonly jobName: string;
  /** False for a job that only this server runs; other jobs are shared among several servers. */
  readonly isShared: boolean;
  /** Interval between two scrapes, above 0. */
  readonly intervalMillis: number;
  /**
   * Deadline of one scrape. Its `seconds` are added for a delta profile that could not end in time.
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
  /** True if profiles keep their own time; otherwise they get the time of the scrape. */
  readonly honorTimestamps: boolean;
  /** True if addresses of profiles are file offsets and not addresses of the process. */
  readonly areFileAddresses: boolean;
  readonly limits: ScrapeLimits;
}

/** Limits of a job; 0 = only the limits of the server. */
export interface ScrapeLimits {
  /** Samples of one profile. */
  readonly samples: number;
  /** Bytes of one profile, both compressed and decompressed. */
  readonly profileBytes: number;
  /** Targets of the job. A job with more targets is not scraped. */
  readonly targets: number;
  /** Number of dropped targets that are kept for the targets page. */
  readonly droppedTargets: number;
  /** Labels of a series, including the profile's name. */
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
  /** Name of the profile, the label `__name__` of its series. */
  readonly name: string;
  /** Path with the path prefix; starts with "/". */
  readonly path: string;
  /** True if the profile covers a span of time, which the request names. */
  readonly delta: boolean;
  /** Length of the profile; undefined = as long as the scrape interval. */
  readonly seconds: number | undefined;
  /** Sample types that are kept; all when empty. */
  readonly keepSampleTypes: readonly ValueType[];
  /** Path of an index that lists the profiles of a target; "" = no index is read. */
  readonly indexPath: string;
}

/** A way to find targets, with the settings of its kind, which src/discovery defines. */
export interface DiscoveryConfig {
  /** Key of the config without `_configs` or `_sd_configs`. */
  readonly kind: string;
}

/** Targets that are listed in the config. */
export interface StaticDiscoveryConfig {
  readonly kind: 'static';
  readonly groups: readonly StaticGroup[];
}

/** Returns a way to find targets that are already known. */
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

/** A proxy that the config names, or the proxies of `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. */
export type ProxyConfig = {
  /** Headers for the proxy. */
  readonly headers: ReadonlyMap<string, readonly TextSource[]>;
} & (
  | { readonly kind: 'url'; readonly url: string; readonly noProxy: string }
  | { readonly kind: 'environment' }
);

/** Content of the Authorization header, or the way to get it. */
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
  /** Extra parameters to send with the token request. */
  readonly endpointParams: ReadonlyMap<string, string>;
  /** TLS of the connection to the token server; undefined = defaults. */
  readonly tls: TlsConfig | undefined;
  readonly proxy: ProxyConfig | undefined;
}
