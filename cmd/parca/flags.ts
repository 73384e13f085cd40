// Command line of the server. Flags have Parca's names, defaults and meanings wherever the server
// has the feature.
import { formatByteSize, parseByteSize } from '../../src/base/text/byte-size.ts';
import { formatDuration, parseDuration, parseGoDuration } from '../../src/base/text/duration.ts';
import { AppError } from '../../src/base/errors.ts';
import {
  connectionBytesInFlightMax,
  connectionsMax,
  connectionsPerAddressMax,
  freeDiskBytesMin,
  ingestWorkersMax,
  messageBytesMax,
  memoryLimitBytesMin,
  queriesRunningMax,
  requestBytesInFlightMax,
  shareBytesInAllMax,
  storageActiveMemoryBytesMax,
  storageActiveMemoryBytesMin,
  symbolizerCpuSecondsMax,
  symbolizerMemoryBytesMax,
  symbolizerMemoryBytesMin,
  symbolizerWaitMillis,
  symbolizerWaitMillisMax,
  unreadAnswersBytesMax,
} from '../../src/base/limits.ts';
import {
  type InputLimit,
  type InputLimits,
  inputLimitTable,
  mapInputLimits,
} from '../../src/base/input-limits.ts';
import { memoryShare, type MemoryUser } from '../../src/base/memory-limit.ts';
import { memoryOfMachine } from '../../src/base/node/memory.ts';
import type { LogLevel } from '../../src/base/logger.ts';
import type { ApiLimits } from '../../src/api/interface.ts';
import { createLabelSet, type Label, type LabelSet } from '../../src/model/labels.ts';
import type { RunLimits } from '../../src/query/running/running-queries.ts';
import type { ClickHouseOptions } from '../../src/storage/clickhouse/open.ts';
import type { RetentionLimits } from '../../src/storage/maintenance/retention.ts';
import { parseDebuginfodServer } from '../../src/config/debuginfod-server.ts';
import type { FolderLimits } from '../../src/debuginfo/folder-limits.ts';
import type { ShareLimits } from '../../src/shares/share-store.ts';
import type { DemangleMode } from '../../src/symbolize/interface.ts';
import type { ProgramLimits } from '../../src/symbolize/program-resolver.ts';
import type { ScrapeShard } from '../../src/scrape/shard.ts';
import type { Durability } from '../../src/storage/wal/segments.ts';
import {
  type ClickHouseFlags,
  clickHouseFlagRows,
  clickHouseNotices,
  readClickHouse,
} from '../clickhouse-flags.ts';
import {
  flag,
  flagLines,
  type FlagRow,
  type FlagValues,
  invalidFlag,
  parseArguments,
  type ShownFlag,
  secretFlag,
  splitList,
} from '../flag-table.ts';
import { parcaFlags } from './parca-flags.ts';

/** The server that a scraper sends to, or the servers that a query server reads from. */
export interface StoreFlags {
  /** Addresses as host:port; exactly one for a scraper. */
  readonly addresses: readonly string[];
  /** File with certificate authorities of the servers; "" = the system's authorities. */
  readonly caFile: string;
  readonly isInsecure: boolean;
  readonly skipsVerify: boolean;
  readonly bearerToken: string;
  readonly bearerTokenFile: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly queueBytesMax: number;
}

/** Parsed command line of the server. */
export interface Flags {
  readonly mode: 'all' | 'scraper-only' | 'forwarder' | 'query';
  readonly store: StoreFlags;
  readonly configPath: string;
  /** True if environment variables are replaced in config files. */
  readonly configExpandEnv: boolean;
  /** Address as `host:port` or `:port`. */
  readonly httpAddress: string;
  /** Address for probes; "" = none. */
  readonly readyAddress: string;
  /** Second address to listen on; "" = none. */
  readonly pyroscopeAddress: string;
  readonly httpReadTimeoutMillis: number;
  readonly httpWriteTimeoutMillis: number;
  readonly apiLimits: ApiLimits;
  readonly inputLimits: InputLimits;
  readonly corsAllowedOrigins: readonly string[];
  /** Host names that browsers may use for a server without logins. */
  readonly httpAllowedHosts: readonly string[];
  /** Path of the web config file; "" = no login. */
  readonly webConfigFile: string;
  /** URL prefix: "" or "/prefix". */
  readonly pathPrefix: string;
  readonly logLevel: LogLevel;
  readonly logFormat: 'logfmt' | 'json';
  /** File of the audit log; "-" = standard output, "" = none. */
  readonly auditLog: string;
  /**
   * Number of threads that decode profiles. 0 = the main thread decodes them, undefined = the
   * number depends on the number of cores.
   */
  readonly ingestWorkers: number | undefined;
  readonly storagePath: string;
  readonly storageActiveMemoryBytes: number;
  readonly storageDurability: Durability;
  readonly storageFreeDiskBytesMin: number;
  /** Limit of the size of blocks on disk in bytes; 0 = no limit. */
  readonly storageLocalBytesMax: number;
  /** Limit in bytes of cached pages of blocks in the bucket. */
  readonly storageCacheBytesMax: number;
  readonly storageRetention: RetentionLimits;
  /** Undefined if profiles are stored under the storage path. */
  readonly clickHouse: (ClickHouseFlags & Pick<ClickHouseOptions, 'keepNanos'>) | undefined;
  /** Memory limit in bytes that all parts of the server share; see `memoryShare`. */
  readonly memoryLimitBytes: number;
  readonly queryLimits: RunLimits;
  /** Limit of cached results and merges in bytes. */
  readonly queryCacheBytesMax: number;
  readonly debuginfoUploadBytesMax: number;
  readonly debuginfoUploadMillisMax: number;
  /**
   * Limits of stored debug information. `bytesMax` is undefined if the limit is a share of the
   * disk.
   */
  readonly debuginfoLimits: Pick<FolderLimits, 'ageMillisMax'> & {
    readonly bytesMax: number | undefined;
  };
  /** Addresses of debuginfod servers, see `parseDebuginfodServer`. */
  readonly debuginfodServers: readonly string[];
  /** False if the debuginfod servers are Parca's defaults. */
  readonly areDebuginfodServersGiven: boolean;
  readonly debuginfodMillisMax: number;
  readonly symbolizerDemangleMode: DemangleMode;
  readonly symbolizerBuild: 'auto' | 'never';
  readonly symbolizerLimits: ProgramLimits;
  /**
   * URL of this server for links in alerts, without a trailing slash; "" = a URL that is derived
   * from the port.
   */
  readonly externalUrl: string;
  /** URL of this server for links to shared profiles, without a trailing slash; "" = off. */
  readonly shareUrl: string;
  readonly shareLimits: ShareLimits;
  readonly enableAdminApi: boolean;
  readonly selfScrape: boolean;
  /** Undefined = all targets. */
  readonly scrapeShard: ScrapeShard | undefined;
  readonly scrapeResults: boolean;
  readonly externalLabels: LabelSet;
  readonly help: boolean;
  readonly version: boolean;
  /** All flags, for display. */
  readonly shown: readonly ShownFlag[];
  /** Log lines about Parca's flags that have no effect. */
  readonly notices: readonly string[];
}

const modes = ['all', 'scraper-only', 'forwarder', 'query'] as const;

/** Placeholders for the values of limits in the help, and functions that format these values. */
const limitForms = {
  size: { placeholder: 'SIZE', format: formatByteSize },
  number: { placeholder: 'NUMBER', format: String },
  duration: { placeholder: 'DURATION', format: formatDuration },
} as const;

/** All flags in the order of the help. A test compares docs/flags.md with them. */
export const flagTable: readonly FlagRow[] = [
  flag('config-path=FILE', 'parca.yaml', 'Config file.'),
  flag(
    'config-expand-env',
    'false',
    'Replace ${NAME} and ${NAME:-default} in config files by variables of the environment.',
  ),
  flag('http-address=HOST:PORT', ':7070', 'Address to listen on, for the page and all protocols.'),
  flag('http-read-timeout=DURATION', '5s', 'Longest silence while a request is read.'),
  flag(
    'http-write-timeout=DURATION',
    '1m',
    'Longest time to answer a request, and in which a caller reads nothing of the answer.',
  ),
  flag(
    'web-config-file=FILE',
    '',
    'File with TLS, users and tokens, as for Prometheus; none = everybody is let in.',
  ),
  flag(
    'http-allowed-hosts=NAME,...',
    '',
    'Public names by which browsers may reach a server on the loopback without TLS and passwords.',
  ),
  flag('http-max-connections=NUMBER', String(connectionsMax), 'Most connections.'),
  flag(
    'http-max-connections-per-address=NUMBER',
    String(connectionsPerAddressMax),
    'Most connections from one address.',
  ),
  flag(
    'http-max-request-size=SIZE',
    formatByteSize(messageBytesMax),
    'Most bytes of a message or body, before and after decompression.',
  ),
  flag(
    'http-max-request-memory=SIZE',
    formatByteSize(requestBytesInFlightMax),
    'Bytes that all requests hold together; more are refused for a moment.',
  ),
  flag(
    'http-max-connection-memory=SIZE',
    formatByteSize(connectionBytesInFlightMax),
    'Bytes that the requests of one connection hold together.',
  ),
  flag(
    'http-max-answer-memory=SIZE',
    formatByteSize(unreadAnswersBytesMax),
    'Bytes of answers that wait to be read; past it the one that has waited longest is cut off.',
  ),
  flag(
    'ready-address=ADDRESS',
    '',
    'Address where a thread answers /-/ready and /-/healthy, also while the main one is busy.',
  ),
  flag(
    'pyroscope-address=ADDRESS',
    '',
    "Second address of the port, such as :4040, for clients that have Pyroscope's.",
  ),
  flag('cors-allowed-origins=ORIGIN,...', '', 'Origins whose pages may call the API; * = all.'),
  flag('path-prefix=PATH', '', 'Path in front of all others, behind a reverse proxy.'),
  flag('log-level=LEVEL', 'info', 'error, warn, info or debug.'),
  flag('log-format=FORMAT', 'logfmt', 'logfmt or json.'),
  flag('audit-log=FILE', '', 'Where to record who did what, as JSON lines; - = the output.'),
  flag(
    'ingest-workers=NUMBER',
    'auto',
    'Threads that decode profiles; 0 = none; auto = half of the cores, 1 below 4, 4 at most.',
  ),
  flag(
    'storage-backend=NAME',
    'embedded',
    'embedded: profiles are under the storage path; clickhouse: in ClickHouse.',
  ),
  flag('storage-path=FOLDER', 'data', 'Where profiles are stored.'),
  flag(
    'storage-active-memory=BYTES',
    formatByteSize(storageActiveMemoryBytesMax),
    'Memory for profiles that are not in blocks yet; writes past it are refused.',
  ),
  flag(
    'storage-durability=MODE',
    'fsync',
    'fsync: acknowledged is on disk; interval: a second later.',
  ),
  flag(
    'memory-limit=SIZE',
    'auto',
    'Memory to share out among requests, profiles, caches and queries; auto = half of what there is.',
  ),
  flag(
    'storage-free-disk-min=SIZE',
    formatByteSize(freeDiskBytesMin),
    'Writes are refused while less of the disk is free, or less than 2 %; 0 = never.',
  ),
  flag(
    'storage-retention-time=DURATION',
    '0',
    'How long profiles are kept, such as 15d; 0 = for ever.',
  ),
  flag(
    'storage-retention-size=SIZE',
    '0',
    'Most bytes of the storage path, such as 50GB: the oldest blocks go; 0 = no limit.',
  ),
  flag(
    'storage-local-size=SIZE',
    '0',
    'Most bytes of blocks on the disk; past it, blocks that are in the bucket leave; 0 = no limit.',
  ),
  flag(
    'storage-cache-size=SIZE',
    '1GiB',
    'Disk space to cache blocks that are only in the bucket.',
  ),
  flag('clickhouse-enabled', 'false', 'The same as --storage-backend=clickhouse, as in Parca.'),
  ...clickHouseFlagRows,
  flag(
    'clickhouse-ttl=DURATION',
    '0',
    'How long profiles are kept in ClickHouse, in whole days, such as 15d; 0 = for ever.',
  ),
  flag(
    'query-timeout=DURATION',
    '1m',
    'Longest time of one query, waiting included; 0 = no limit.',
  ),
  flag(
    'query-concurrency=COUNT',
    String(queriesRunningMax),
    'Queries that run at once; others wait; 0 = no limit.',
  ),
  flag('query-max-rows=COUNT', '0', 'Most rows that one query may select; 0 = no limit.'),
  flag(
    'query-max-memory=SIZE',
    '1GiB',
    'Most memory that one query may hold, about; 0 = no limit.',
  ),
  flag(
    'query-cache-size=SIZE',
    '64MiB',
    'Memory to cache answers and merges while nothing has changed; 0 = none.',
  ),
  flag(
    'debuginfo-upload-max-size=BYTES',
    '1000000000',
    'Most bytes of one file of debug information that is uploaded.',
  ),
  flag('debuginfo-upload-max-duration=DURATION', '15m', 'Longest time of one such upload.'),
  flag(
    'debuginfo-retention-size=SIZE',
    'auto',
    'Most bytes of debug information: what is unneeded, then unused, goes; auto = a fifth of the disk; 0 = no limit.',
  ),
  flag(
    'debuginfo-retention-time=DURATION',
    '0',
    'How long debug information is kept that nobody asks for, such as 30d; 0 = for ever.',
  ),
  flag(
    'debuginfod-upstream-servers=SERVER,...',
    'debuginfod.elfutils.org',
    'Hosts or URLs of debuginfod servers to fetch debug information from; empty = none.',
  ),
  flag('debuginfod-http-request-timeout=DURATION', '5m', 'Longest time of one such fetch.'),
  flag(
    'symbolizer-demangle-mode=MODE',
    'simple',
    'Names of C++ and Rust: none, simple, templates or full.',
  ),
  flag(
    'symbolizer-build=WHEN',
    'auto',
    'Building of parca-symbolizer in the background: auto, or never.',
  ),
  flag(
    'symbolizer-max-memory=SIZE',
    formatByteSize(symbolizerMemoryBytesMax),
    'Most memory for reading names of one file of debug information.',
  ),
  flag(
    'symbolizer-max-cpu-time=DURATION',
    `${symbolizerCpuSecondsMax}s`,
    'Most CPU time for the same, in whole seconds; a GiB of DWARF takes 5 to 16.',
  ),
  flag(
    'symbolizer-wait=DURATION',
    `${symbolizerWaitMillis / 1_000}s`,
    'Longest time that an answer waits for names of addresses nobody asked for before; 0 = never.',
  ),
  flag(
    'external-url=URL',
    '',
    'This server as others reach it, for links in alerts; by default that of --share-url, or its own.',
  ),
  flag(
    'share-url=URL',
    '',
    'This server as others reach it; turns ShareProfile on, whose links begin so.',
  ),
  flag('share-retention-time=DURATION', '30d', 'How long shared profiles are kept. 0 = for ever.'),
  flag(
    'share-retention-size=SIZE',
    formatByteSize(shareBytesInAllMax),
    'Most bytes of shared profiles. 0 = no limit.',
  ),
  flag('enable-admin-api', 'false', 'Allow deletes, snapshots and reloads over HTTP.'),
  flag(
    'self-scrape',
    'true',
    'Scrape CPU and memory of this server, as the job parca; =false turns it off.',
  ),
  flag(
    'scrape-results',
    'true',
    'Store of each scrape whether it succeeded and how long it took: scrape:up, scrape:duration.',
  ),
  flag('external-label=NAME=VALUE;...', '', 'Labels for every series that does not have them.'),
  ...Object.values(inputLimitTable).map(limitFlag),
  flag(
    'mode=MODE',
    'all',
    'all; scraper-only, forwarder: profiles go to another server; query: answers from a bucket.',
  ),
  flag(
    'store-address=HOST:PORT,...',
    '',
    'The other server of a scraper; the servers that a query server asks for what is not shipped.',
  ),
  flag(
    'scrape-shard=N/COUNT',
    '',
    'Scrape this share of the targets, such as 2/5, the second of five; all by default.',
  ),
  flag('store-ca-file=FILE', '', 'Certificates that sign its own; those of the system by default.'),
  flag('insecure', 'false', 'Send to it without TLS.'),
  flag('insecure-skip-verify', 'false', 'Accept any certificate of it.'),
  secretFlag('bearer-token=TOKEN', 'Token for it; also the variable PARCA_BEARER_TOKEN.'),
  flag('bearer-token-file=FILE', '', 'File with the token, read before each call.'),
  secretFlag('grpc-headers=NAME=VALUE;...', 'Headers of each call to it.'),
  flag(
    'store-queue-size=SIZE',
    '1GiB',
    'Most bytes on the disk that wait while it is away; past it the oldest go.',
  ),
  flag('port=ADDRESS', '', 'The same as --http-address, which it replaces, as in Parca.'),
  flag('version', 'false', 'Print the version and exit.'),
  flag('help', 'false', 'Print this and exit.'),
];

/**
 * Parses `--flag value` and `--flag=value`. If a flag is repeated, its last value is used, but all
 * external labels are kept.
 *
 * Errors: AppError 'invalid-argument' for unknown flags (with the most similar flag) and invalid
 * values, 'unimplemented' for Parca's flags for features that do not exist here.
 */
export function parseFlags(args: readonly string[], machineBytes = memoryOfMachine()): Flags {
  const rules = { table: flagTable, foreign: parcaFlags, positionalMax: 0, program: 'parca' };
  const { flags, notices } = parseArguments(args, rules);
  const parsed = toFlags(flags, machineBytes);
  const ofClickHouse = parsed.clickHouse === undefined ? [] : clickHouseNotices(flags);
  return { ...parsed, notices: [...notices, ...ofClickHouse] };
}

/** Returns the text of --help. */
export function helpText(): string {
  return `Usage: parca [flags]\n\nA continuous profiler server.\n\nFlags:\n${flagLines(flagTable)}`;
}

/** Returns the ClickHouse options; undefined if profiles are stored under the storage path. */
function clickHouseFlags(flags: FlagValues): Flags['clickHouse'] {
  const backend = flags.oneOf('storage-backend', ['embedded', 'clickhouse']);
  if (backend === 'embedded' && !flags.isOn('clickhouse-enabled')) return undefined;
  const keepNanos = BigInt(flags.read('clickhouse-ttl', parseDuration)) * 1_000_000n;
  return { ...readClickHouse(flags), keepNanos };
}

/** Returns the memory limit: by default half of the machine's or the control group's memory. */
function memoryLimit(flags: FlagValues, machineBytes: number): number {
  if (flags.text('memory-limit') === 'auto') return Math.floor(machineBytes / 2);
  return flags.read('memory-limit', (text) => {
    const bytes = parseByteSize(text);
    if (bytes >= memoryLimitBytesMin) return bytes;
    throw new AppError(
      'invalid-argument',
      `must be at least ${formatByteSize(memoryLimitBytesMin)}`,
    );
  });
}

/**
 * Reads the memory limit of one part of the server. The default value is capped at that part's
 * share of the total limit.
 */
type ReadMemory = (user: MemoryUser, name: string, parse?: (text: string) => number) => number;

function memoryReader(flags: FlagValues, limitBytes: number): ReadMemory {
  return (user, name, parse = parseByteSize) => {
    const bytes = flags.read(name, parse);
    return flags.isGiven(name) ? bytes : memoryShare(user, bytes, limitBytes);
  };
}

function apiLimits(flags: FlagValues, readMemory: ReadMemory): ApiLimits {
  return {
    connectionsMax: flags.count('http-max-connections', 1_000_000),
    connectionsPerAddressMax: flags.count('http-max-connections-per-address', 1_000_000),
    messageBytesMax: flags.read('http-max-request-size', parseByteSize),
    requestBytesMax: readMemory('requests', 'http-max-request-memory'),
    connectionBytesMax: readMemory('connection', 'http-max-connection-memory'),
    unreadBytesMax: readMemory('answers', 'http-max-answer-memory'),
  };
}

/** Returns the flags for symbolization. */
function symbolizerFlags(
  flags: FlagValues,
): Pick<Flags, 'symbolizerLimits' | 'symbolizerDemangleMode' | 'symbolizerBuild'> {
  const modes = ['none', 'simple', 'templates', 'full'] as const;
  return {
    symbolizerLimits: {
      memoryBytesMax: flags.read('symbolizer-max-memory', parseSymbolizerMemory),
      cpuSecondsMax: Math.ceil(duration(flags, 'symbolizer-max-cpu-time') / 1_000),
    },
    symbolizerDemangleMode: flags.oneOf('symbolizer-demangle-mode', modes),
    symbolizerBuild: flags.oneOf('symbolizer-build', ['auto', 'never']),
  };
}

function toFlags(flags: FlagValues, machineBytes: number): Omit<Flags, 'notices'> {
  const memoryLimitBytes = memoryLimit(flags, machineBytes);
  const readMemory = memoryReader(flags, memoryLimitBytes);
  return {
    mode: flags.oneOf('mode', modes),
    store: readStore(flags),
    configPath: path(flags, 'config-path'),
    configExpandEnv: flags.isOn('config-expand-env'),
    ...addresses(flags),
    httpReadTimeoutMillis: duration(flags, 'http-read-timeout'),
    httpWriteTimeoutMillis: duration(flags, 'http-write-timeout'),
    apiLimits: apiLimits(flags, readMemory),
    memoryLimitBytes,
    inputLimits: mapInputLimits((limit) => readLimit(flags, limit)),
    corsAllowedOrigins: flags.all('cors-allowed-origins').flatMap(splitList).map(origin),
    httpAllowedHosts: flags.all('http-allowed-hosts').flatMap(splitList).map(hostName),
    webConfigFile: flags.text('web-config-file'),
    pathPrefix: pathPrefix(flags.text('path-prefix')),
    logLevel: flags.oneOf('log-level', ['error', 'warn', 'info', 'debug']),
    logFormat: flags.oneOf('log-format', ['logfmt', 'json']),
    auditLog: flags.text('audit-log'),
    ingestWorkers:
      flags.text('ingest-workers') === 'auto'
        ? undefined
        : flags.count('ingest-workers', ingestWorkersMax),
    storagePath: path(flags, 'storage-path'),
    storageActiveMemoryBytes: readMemory('heads', 'storage-active-memory', parseActiveMemory),
    storageDurability: flags.oneOf('storage-durability', ['fsync', 'interval']),
    storageFreeDiskBytesMin: flags.read('storage-free-disk-min', parseByteSize),
    storageRetention: {
      timeNanos: BigInt(flags.read('storage-retention-time', parseDuration)) * 1_000_000n,
      sizeBytes: flags.read('storage-retention-size', parseByteSize),
    },
    storageLocalBytesMax: flags.read('storage-local-size', parseByteSize),
    storageCacheBytesMax: flags.read('storage-cache-size', parseByteSize),
    clickHouse: clickHouseFlags(flags),
    queryLimits: {
      timeMillisMax: flags.read('query-timeout', parseTimeLimit),
      runningMax: flags.count('query-concurrency'),
      rowsMax: flags.count('query-max-rows'),
      memoryBytesMax: flags.read('query-max-memory', parseByteSize),
      memoryBytesInAllMax: memoryShare('queries', Infinity, memoryLimitBytes),
      namesMillisMax: flags.read('symbolizer-wait', parseSymbolizerWait),
    },
    queryCacheBytesMax: readMemory('cachedAnswers', 'query-cache-size'),
    debuginfoUploadBytesMax: flags.read('debuginfo-upload-max-size', parseBytes),
    debuginfoUploadMillisMax: duration(flags, 'debuginfo-upload-max-duration'),
    debuginfoLimits: {
      bytesMax: flags.read('debuginfo-retention-size', parseSizeOrAuto),
      ageMillisMax: flags.read('debuginfo-retention-time', parseDuration),
    },
    debuginfodServers: flags.read('debuginfod-upstream-servers', parseDebuginfodServers),
    areDebuginfodServersGiven: flags.isGiven('debuginfod-upstream-servers'),
    debuginfodMillisMax: duration(flags, 'debuginfod-http-request-timeout'),
    ...symbolizerFlags(flags),
    ...links(flags),
    shareLimits: {
      bytesMax: flags.read('share-retention-size', parseByteSize),
      ageMillisMax: flags.read('share-retention-time', parseDuration),
    },
    enableAdminApi: flags.isOn('enable-admin-api'),
    selfScrape: flags.isOn('self-scrape'),
    scrapeShard: flags.read('scrape-shard', parseShard),
    scrapeResults: flags.isOn('scrape-results'),
    externalLabels: createLabelSet(flags.all('external-label').flatMap(labels)),
    help: flags.isOn('help'),
    version: flags.isOn('version'),
    shown: flags.shown(flagTable),
  };
}

/** Returns this server's URLs for links. */
function links(flags: FlagValues): Pick<Flags, 'externalUrl' | 'shareUrl'> {
  const shareUrl = flags.read('share-url', parseShareUrl);
  return { externalUrl: flags.read('external-url', parseShareUrl) || shareUrl, shareUrl };
}

function addresses(
  flags: FlagValues,
): Pick<Flags, 'httpAddress' | 'readyAddress' | 'pyroscopeAddress'> {
  return {
    httpAddress: httpAddress(flags),
    readyAddress: flags.text('ready-address'),
    pyroscopeAddress: flags.text('pyroscope-address'),
  };
}

function readStore(flags: FlagValues): StoreFlags {
  const addresses = flags.all('store-address').flatMap(splitList);
  for (const address of addresses) {
    if (/^[^\s/]+:\d+$/.test(address)) continue;
    throw invalidFlag(`--store-address must be host:port, not ${JSON.stringify(address)}`);
  }
  if (new Set(addresses).size < addresses.length) {
    throw invalidFlag('--store-address must not name a server twice');
  }
  const mode = flags.text('mode');
  if (addresses.length !== 1 && (mode === 'scraper-only' || mode === 'forwarder')) {
    const given = addresses.length === 0 ? '' : `, not ${addresses.length}`;
    throw invalidFlag(`--mode=${mode} needs --store-address with one server${given}`);
  }
  return {
    addresses,
    caFile: flags.text('store-ca-file'),
    isInsecure: flags.isOn('insecure'),
    skipsVerify: flags.isOn('insecure-skip-verify'),
    bearerToken: flags.text('bearer-token') || (process.env['PARCA_BEARER_TOKEN'] ?? ''),
    bearerTokenFile: flags.text('bearer-token-file'),
    headers: flags.all('grpc-headers').flatMap(headers),
    queueBytesMax: flags.read('store-queue-size', parseByteSize),
  };
}

function headers(text: string): [string, string][] {
  const pairs = text.split(';').filter((pair) => pair !== '');
  return pairs.map((pair) => {
    const [, name, value] = /^([\w.-]+)=(.*)$/s.exec(pair) ?? [];
    if (name !== undefined) return [name.toLowerCase(), value];
    throw invalidFlag(`--grpc-headers must be name=value, not ${JSON.stringify(pair)}`);
  });
}

function limitFlag({ flag: name, unit, initial, help }: InputLimit): FlagRow {
  const { placeholder, format } = limitForms[unit];
  return flag(`${name}=${placeholder}`, format(initial), help);
}

/** Reads a limit, which must be at least 1. */
function readLimit(flags: FlagValues, { flag: name, unit, most }: InputLimit): number {
  const value =
    unit === 'size'
      ? flags.read(name, parseByteSize)
      : unit === 'duration'
        ? duration(flags, name)
        : flags.count(name);
  if (value >= 1 && value <= most) return value;
  const range = `from 1 to ${limitForms[unit].format(most)}`;
  throw invalidFlag(`--${name} must be ${range}, not ${flags.text(name)}`);
}

/** Reads a duration as whole milliseconds, because Node's servers do not accept fractions. */
function duration(flags: FlagValues, name: string): number {
  const text = flags.text(name);
  const millis = Math.round(flags.read(name, parseGoDuration));
  if (millis < 1) throw invalidFlag(`--${name} must be longer than 0, not ${text}`);
  return millis;
}

/** Reads a size, which must be large enough for the symbolizer to start. */
function parseSymbolizerMemory(text: string): number {
  const bytes = parseByteSize(text);
  if (bytes >= symbolizerMemoryBytesMin) return bytes;
  const least = formatByteSize(symbolizerMemoryBytesMin);
  throw new AppError('invalid-argument', `must be at least ${least}, not ${text}`);
}

function parseSymbolizerWait(text: string): number {
  const millis = parseGoDuration(text);
  if (millis >= 0 && millis <= symbolizerWaitMillisMax) return millis;
  const most = `${symbolizerWaitMillisMax / 1_000}s`;
  throw new AppError('invalid-argument', `must be 0 to ${most}, not ${text}`);
}

/**
 * Reads servers separated by commas or spaces. Spaces separate them in DEBUGINFOD_URLS of elfutils.
 */
function parseDebuginfodServers(text: string): Flags['debuginfodServers'] {
  return text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(parseDebuginfodServer);
}

function parseShareUrl(text: string): string {
  if (text === '') return '';
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new AppError('invalid-argument', 'must be a URL such as https://profiles.example.com');
  }
  return url.href.replace(/\/+$/, '');
}

/** Reads a time limit in milliseconds; 0 = no limit. */
function parseTimeLimit(text: string): number {
  const millis = parseGoDuration(text);
  if (millis >= 0) return Math.ceil(millis);
  throw new AppError('invalid-argument', `must not be negative, not ${text}`);
}

/**
 * Reads a size and checks its minimum. With less memory, writes would be refused before the first
 * block is cut.
 */
function parseActiveMemory(text: string): number {
  const bytes = parseBytes(text);
  if (bytes >= storageActiveMemoryBytesMin) return bytes;
  const least = formatByteSize(storageActiveMemoryBytesMin);
  throw new AppError('invalid-argument', `must be at least ${least}, not ${text}`);
}

/** Reads a size; undefined = the server chooses. */
function parseSizeOrAuto(text: string): number | undefined {
  return text === 'auto' ? undefined : parseByteSize(text);
}

/** Reads a size, or a plain number of bytes as in Parca. */
function parseBytes(text: string): number {
  return /^[1-9]\d*$/.test(text) ? Number(text) : parseByteSize(text);
}

/** Returns the address to listen on. Parca's older flag accepts a plain port, too. */
function httpAddress(flags: FlagValues): string {
  const port = flags.text('port');
  if (port === '') return flags.text('http-address');
  return /^\d+$/.test(port) ? `:${port}` : port;
}

/** Reads a path. It must not be empty, because "" would mean the working directory. */
function path(flags: FlagValues, name: string): string {
  if (flags.text(name) !== '') return flags.text(name);
  throw invalidFlag(`--${name} must not be empty`);
}

/**
 * Checks that `text` is an origin in the form that browsers send: without a path, not even a slash.
 */
function origin(text: string): string {
  if (text === '*' || URL.parse(text)?.origin === text) return text;
  const wanted = '* or an origin such as https://example.org';
  throw invalidFlag(`--cors-allowed-origins must be ${wanted}, not ${JSON.stringify(text)}`);
}

/** Checks that `text` is a host name: without a scheme, a port or a path. */
function hostName(text: string): string {
  const name = text.toLowerCase();
  if (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name)) return name;
  const wanted = 'a name such as parca.example.org';
  throw invalidFlag(`--http-allowed-hosts must be ${wanted}, not ${JSON.stringify(text)}`);
}

function parseShard(text: string): Flags['scrapeShard'] {
  if (text === '') return undefined;
  const [, number, count] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (number >= 1 && number <= count) return { index: number - 1, count };
  const wanted = 'must be N/COUNT with N from 1 to COUNT, such as 2/5';
  throw new AppError('invalid-argument', `${wanted}, not ${text}`);
}

/** Returns "/a/b" for "a/b/", and "" for "/". */
function pathPrefix(text: string): string {
  const trimmed = text.replace(/^\/+|\/+$/g, '');
  if (/[^\w./~-]|\.\.|\/\//.test(trimmed))
    throw invalidFlag(`--path-prefix ${text} is no plain path`);
  return trimmed === '' ? '' : `/${trimmed}`;
}

function labels(text: string): Label[] {
  return text
    .split(';')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const match = /^([A-Za-z_]\w*)=(.+)$/s.exec(pair);
      if (!match)
        throw invalidFlag(`--external-label must be name=value, not ${JSON.stringify(pair)}`);
      const [, name, value] = match;
      if (name.startsWith('__')) {
        throw invalidFlag(`--external-label ${name}: names that begin with __ are not stored`);
      }
      return { name, value };
    });
}
