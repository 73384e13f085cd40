// The job by which a server scrapes itself, whatever its address is.
import {
  type Config,
  noScrapeLimits,
  plainHttpClient,
  type ScrapeConfig,
  staticTargets,
} from './config.ts';
import type { TlsConfig } from './text-source.ts';
import { withPort } from './target-address.ts';

/** Name of the job. If the config file has a job with this name, it replaces the self-scrape. */
const selfScrapeJobName = 'parca';

const intervalMillis = 10_000;
/**
 * Timeout in milliseconds. It is long, because the server answers late when its host is busy, and
 * because a slow self-scrape does not delay other targets. With 3 s in addition to the 10 s of a
 * profile, four of five scrapes failed on a tenth of a core.
 */
const timeoutMillis = 30_000;

/** Address and limits of a server. */
export interface SelfScrapeTarget {
  /** Host on which the server listens; it may be an address that means all interfaces. */
  readonly host: string;
  readonly port: number;
  readonly scheme: 'http' | 'https';
  /** Token with which the server scrapes itself. */
  readonly token: string;
  /** Prefix of paths: "" or "/prefix". */
  readonly pathPrefix: string;
  /** Longest CPU profile of the server itself, in seconds. */
  readonly profileSecondsMax: number;
}

/**
 * TLS settings of the job. The certificate is not verified: it belongs to the host name, and only
 * this process can answer on the loopback address.
 */
const tlsToItself: TlsConfig = {
  ca: undefined,
  cert: undefined,
  key: undefined,
  serverName: '',
  insecureSkipVerify: true,
  minVersion: undefined,
  maxVersion: undefined,
};

/**
 * Returns the config with the self-scrape job added at the end, unless a job already has that name.
 */
export function withSelfScrape(config: Config, target: SelfScrapeTarget): Config {
  const { scrapeConfigs } = config;
  if (scrapeConfigs.some(({ jobName }) => jobName === selfScrapeJobName)) return config;
  return { ...config, scrapeConfigs: [...scrapeConfigs, selfScrapeJob(target)] };
}

function selfScrapeJob(target: SelfScrapeTarget): ScrapeConfig {
  const profile = { delta: false, seconds: undefined, keepSampleTypes: [], indexPath: '' };
  const at = `${target.pathPrefix}/debug/pprof`;
  const seconds = Math.min(intervalMillis / 1000, target.profileSecondsMax);
  return {
    jobName: selfScrapeJobName,
    isShared: false,
    intervalMillis,
    timeoutMillis,
    scheme: target.scheme,
    params: new Map(),
    relabelRules: [],
    honorTimestamps: true,
    areFileAddresses: false,
    limits: noScrapeLimits,
    profiles: [
      { ...profile, name: 'memory', path: `${at}/heap` },
      { ...profile, name: 'process_cpu', path: `${at}/profile`, delta: true, seconds },
    ],
    discovery: [staticTargets([{ targets: [addressToScrape(target)], labels: [] }])],
    http: {
      ...plainHttpClient,
      credentials: { kind: 'token', type: 'Bearer', token: { kind: 'inline', text: target.token } },
      tls: target.scheme === 'http' ? undefined : tlsToItself,
    },
  };
}

/**
 * Returns the address to scrape. If the server listens on all interfaces, this is the loopback
 * address.
 */
function addressToScrape({ host, port }: SelfScrapeTarget): string {
  return withPort(host === '::' || host === '0.0.0.0' ? '127.0.0.1' : host, port);
}
