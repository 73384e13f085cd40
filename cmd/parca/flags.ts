// The command line: names, defaults and meanings as in Parca where the feature exists.
import { formatByteSize, parseByteSize } from '../../src/base/byte-size.ts';
import { parseDuration, parseGoDuration } from '../../src/base/duration.ts';
import { AppError, errorMessage } from '../../src/base/errors.ts';
import {
  freeDiskBytesMin,
  ingestWorkersMax,
  queriesRunningMax,
  storageActiveMemoryBytesMax,
} from '../../src/base/limits.ts';
import type { LogLevel } from '../../src/base/logger.ts';
import { createLabelSet, type Label, type LabelSet } from '../../src/model/labels.ts';
import type { RunLimits } from '../../src/query/running/running-queries.ts';
import type { RetentionLimits } from '../../src/storage/maintenance/retention.ts';
import type { Durability } from '../../src/storage/wal/segments.ts';
import {
  flagLines,
  type FlagRow,
  type FlagValues,
  invalidFlag,
  oneOf,
  parseArguments,
  toggle,
} from '../flag-table.ts';

/** What the program was told. */
export interface Flags {
  readonly configPath: string;
  /** `host:port`, `:port`. */
  readonly httpAddress: string;
  readonly httpReadTimeoutMillis: number;
  readonly httpWriteTimeoutMillis: number;
  readonly corsAllowedOrigins: readonly string[];
  /** "" or "/prefix". */
  readonly pathPrefix: string;
  readonly logLevel: LogLevel;
  readonly logFormat: 'logfmt' | 'json';
  /** Threads that decode profiles; 0 = the main thread decodes, undefined = by number of cores. */
  readonly ingestWorkers: number | undefined;
  readonly storagePath: string;
  readonly storageActiveMemoryBytes: number;
  readonly storageDurability: Durability;
  readonly storageFreeDiskBytesMin: number;
  /** Of blocks on the disk; 0 = no limit. */
  readonly storageLocalBytesMax: number;
  /** Of pages of blocks that are only in the bucket. */
  readonly storageCacheBytesMax: number;
  readonly storageRetention: RetentionLimits;
  readonly queryLimits: RunLimits;
  /** Of answers, and of merges that they are made of. */
  readonly queryCacheBytesMax: number;
  readonly debuginfoUploadBytesMax: number;
  readonly debuginfoUploadMillisMax: number;
  readonly enableAdminApi: boolean;
  readonly selfScrape: boolean;
  readonly externalLabels: LabelSet;
  readonly help: boolean;
  readonly version: boolean;
}

/** Every flag, in the order of the help. docs/flags.md is checked against it. */
export const flagTable: readonly FlagRow[] = [
  { name: 'config-path', placeholder: 'FILE', initial: 'parca.yaml', help: 'Config file.' },
  {
    name: 'http-address',
    placeholder: 'HOST:PORT',
    initial: ':7070',
    help: 'The one address that is listened on, for everything.',
  },
  {
    name: 'http-read-timeout',
    placeholder: 'DURATION',
    initial: '5s',
    help: 'Longest silence while a request is read.',
  },
  {
    name: 'http-write-timeout',
    placeholder: 'DURATION',
    initial: '1m',
    help: 'Longest time to answer a request.',
  },
  {
    name: 'cors-allowed-origins',
    placeholder: 'ORIGIN,...',
    initial: '',
    help: 'Origins whose pages may call the API; * = all.',
  },
  {
    name: 'path-prefix',
    placeholder: 'PATH',
    initial: '',
    help: 'Path in front of all others, behind a reverse proxy.',
  },
  { name: 'log-level', placeholder: 'LEVEL', initial: 'info', help: 'error, warn, info or debug.' },
  { name: 'log-format', placeholder: 'FORMAT', initial: 'logfmt', help: 'logfmt or json.' },
  {
    name: 'ingest-workers',
    placeholder: 'NUMBER',
    initial: 'auto',
    help: 'Threads that decode profiles; 0 = none; auto = half of the cores, 0 below 4, 4 at most.',
  },
  {
    name: 'storage-path',
    placeholder: 'FOLDER',
    initial: 'data',
    help: 'Where profiles are stored.',
  },
  {
    name: 'storage-active-memory',
    placeholder: 'SIZE',
    initial: formatByteSize(storageActiveMemoryBytesMax),
    help: 'Memory for profiles that are not in blocks yet; writes past it are refused.',
  },
  {
    name: 'storage-durability',
    placeholder: 'MODE',
    initial: 'fsync',
    help: 'fsync: acknowledged is on disk; interval: a second later.',
  },
  {
    name: 'storage-free-disk-min',
    placeholder: 'SIZE',
    initial: formatByteSize(freeDiskBytesMin),
    help: 'Writes are refused while less of the disk is free, or less than 2 %; 0 = never.',
  },
  {
    name: 'storage-retention-time',
    placeholder: 'DURATION',
    initial: '0',
    help: 'How long profiles are kept, such as 15d; 0 = for ever.',
  },
  {
    name: 'storage-retention-size',
    placeholder: 'SIZE',
    initial: '0',
    help: 'Most bytes of the storage path, such as 50GB: the oldest blocks go; 0 = no limit.',
  },
  {
    name: 'storage-local-size',
    placeholder: 'SIZE',
    initial: '0',
    help: 'Blocks on the disk past which those in the bucket leave it; 0 = they stay.',
  },
  {
    name: 'storage-cache-size',
    placeholder: 'SIZE',
    initial: '1GiB',
    help: 'Disk for what is read from blocks that are only in the bucket.',
  },
  {
    name: 'query-timeout',
    placeholder: 'DURATION',
    initial: '1m',
    help: 'Longest time of one query, waiting included; 0 = no limit.',
  },
  {
    name: 'query-concurrency',
    placeholder: 'COUNT',
    initial: String(queriesRunningMax),
    help: 'Queries that run at once, others wait; 0 = no limit.',
  },
  {
    name: 'query-max-rows',
    placeholder: 'COUNT',
    initial: '0',
    help: 'Most rows that one query may select; 0 = no limit.',
  },
  {
    name: 'query-max-memory',
    placeholder: 'SIZE',
    initial: '1GiB',
    help: 'Most memory that one query may hold, about; 0 = no limit.',
  },
  {
    name: 'query-cache-size',
    placeholder: 'SIZE',
    initial: '64MiB',
    help: 'Memory for answers, and what they are made of, while nothing has changed; 0 = none.',
  },
  {
    name: 'debuginfo-upload-max-size',
    placeholder: 'BYTES',
    initial: '1000000000',
    help: 'Most bytes of one file of debug information that is uploaded.',
  },
  {
    name: 'debuginfo-upload-max-duration',
    placeholder: 'DURATION',
    initial: '15m',
    help: 'Longest time of one such upload.',
  },
  {
    name: 'enable-admin-api',
    placeholder: '',
    initial: 'false',
    help: 'Allow deletes, snapshots and reloads over HTTP.',
  },
  {
    name: 'self-scrape',
    placeholder: '',
    initial: 'true',
    help: 'Scrape CPU and memory of this server, as the job parca; =false turns it off.',
  },
  {
    name: 'external-label',
    placeholder: 'NAME=VALUE;...',
    initial: '',
    help: 'Labels for every series that does not have them.',
  },
  { name: 'mode', placeholder: 'MODE', initial: 'all', help: 'all; the only mode yet.' },
  {
    name: 'enable-persistence',
    placeholder: '',
    initial: 'true',
    help: 'Accepted for Parca: profiles are always kept on disk.',
  },
  {
    name: 'storage-enable-wal',
    placeholder: '',
    initial: 'true',
    help: 'Accepted for Parca: there is always a write-ahead log.',
  },
  { name: 'version', placeholder: '', initial: 'false', help: 'Print the version and exit.' },
  { name: 'help', placeholder: '', initial: 'false', help: 'Print this and exit.' },
];

/** Parca's switches for what this server always does. */
const alwaysOn = ['enable-persistence', 'storage-enable-wal'] as const;

/** Parca's flags whose features do not exist here yet. */
const notYetFlags: ReadonlySet<string> = new Set([
  ...['port', 'otlp-address', 'otlp-exporter', 'otlp-insecure'],
  ...[
    'mutex-profile-fraction',
    'block-profile-rate',
    'storage-snapshot-trigger-size',
    'storage-row-group-size',
  ],
  ...['storage-index-on-disk', 'symbolizer-demangle-mode', 'symbolizer-external-addr-2-line-path'],
  ...['symbolizer-number-of-tries', 'debuginfo-cache-dir', 'debuginfo-uploads-signed-url'],
  ...['debuginfod-upstream-servers', 'debuginfod-http-request-timeout', 'profile-share-server'],
  ...['store-address', 'bearer-token', 'bearer-token-file', 'insecure', 'insecure-skip-verify'],
  ...['grpc-headers', 'clickhouse-enabled', 'clickhouse-address', 'clickhouse-database'],
  ...['clickhouse-username', 'clickhouse-password', 'clickhouse-table', 'clickhouse-secure'],
  ...['iceberg-storage', 'debug-normalize-addresses'],
]);

/**
 * Reads `--flag value` and `--flag=value`; the last of several wins, external labels add up.
 *
 * Errors: AppError 'invalid-argument' for unknown flags (naming the nearest) and bad values,
 * 'unimplemented' for flags of Parca that are not supported yet.
 */
export function parseFlags(args: readonly string[]): Flags {
  return toFlags(
    parseArguments(args, { table: flagTable, notYet: notYetFlags, positionalMax: 0 }).flags,
  );
}

/** The text of --help. */
export function helpText(): string {
  return `Usage: parca [flags]\n\nA continuous profiler server.\n\nFlags:\n${flagLines(flagTable)}`;
}

function toFlags(flags: FlagValues): Flags {
  const all = (name: string): readonly string[] => flags.all(name);
  const last = (name: string): string => flags.last(name);
  oneOf('mode', last('mode'), ['all']);
  for (const name of alwaysOn) oneOf(name, last(name), ['true']);
  return {
    configPath: path('config-path', last('config-path')),
    httpAddress: last('http-address'),
    httpReadTimeoutMillis: duration('http-read-timeout', last('http-read-timeout')),
    httpWriteTimeoutMillis: duration('http-write-timeout', last('http-write-timeout')),
    corsAllowedOrigins: all('cors-allowed-origins').flatMap(splitList).map(origin),
    pathPrefix: pathPrefix(last('path-prefix')),
    logLevel: oneOf('log-level', last('log-level'), ['error', 'warn', 'info', 'debug']),
    logFormat: oneOf('log-format', last('log-format'), ['logfmt', 'json']),
    ingestWorkers:
      last('ingest-workers') === 'auto'
        ? undefined
        : count('ingest-workers', last('ingest-workers'), ingestWorkersMax),
    storagePath: path('storage-path', last('storage-path')),
    storageActiveMemoryBytes: readWith(parseSomeBytes, flags, 'storage-active-memory'),
    storageDurability: oneOf('storage-durability', last('storage-durability'), [
      'fsync',
      'interval',
    ]),
    storageFreeDiskBytesMin: readWith(parseByteSize, flags, 'storage-free-disk-min'),
    storageRetention: {
      timeNanos: BigInt(readWith(parseDuration, flags, 'storage-retention-time')) * 1_000_000n,
      sizeBytes: readWith(parseByteSize, flags, 'storage-retention-size'),
    },
    storageLocalBytesMax: readWith(parseByteSize, flags, 'storage-local-size'),
    storageCacheBytesMax: readWith(parseByteSize, flags, 'storage-cache-size'),
    queryLimits: {
      timeMillisMax: readWith(parseLimit, flags, 'query-timeout'),
      runningMax: count('query-concurrency', last('query-concurrency')),
      rowsMax: count('query-max-rows', last('query-max-rows')),
      memoryBytesMax: readWith(parseByteSize, flags, 'query-max-memory'),
    },
    queryCacheBytesMax: readWith(parseByteSize, flags, 'query-cache-size'),
    debuginfoUploadBytesMax: readWith(parseBytes, flags, 'debuginfo-upload-max-size'),
    debuginfoUploadMillisMax: duration(
      'debuginfo-upload-max-duration',
      last('debuginfo-upload-max-duration'),
    ),
    enableAdminApi: toggle('enable-admin-api', last('enable-admin-api')),
    selfScrape: toggle('self-scrape', last('self-scrape')),
    externalLabels: createLabelSet(all('external-label').flatMap(labels)),
    help: toggle('help', last('help')),
    version: toggle('version', last('version')),
  };
}

/** Whole milliseconds: node's servers take no others. */
function duration(name: string, text: string): number {
  const millis = Math.round(parseGoDuration(text));
  if (millis < 1) throw invalidFlag(`--${name} must be longer than 0, not ${text}`);
  return millis;
}

/** A duration of which 0 means none. */
function parseLimit(text: string): number {
  const millis = parseGoDuration(text);
  if (millis >= 0) return Math.ceil(millis);
  throw new AppError('invalid-argument', `must not be negative, not ${text}`);
}

/** A size, or a bare number of bytes as Parca has it. */
function parseBytes(text: string): number {
  return /^[1-9]\d*$/.test(text) ? Number(text) : parseByteSize(text);
}

/** An empty path would be the folder that the server was started in. */
function path(name: string, text: string): string {
  if (text !== '') return text;
  throw invalidFlag(`--${name} must not be empty`);
}

/** As browsers send it, or it would never match: no path, not even a slash. */
function origin(text: string): string {
  if (text === '*' || URL.parse(text)?.origin === text) return text;
  const wanted = '* or an origin such as https://example.org';
  throw invalidFlag(`--cors-allowed-origins must be ${wanted}, not ${JSON.stringify(text)}`);
}

/** Errors: AppError 'invalid-argument' naming the flag and what is expected. */
function readWith(parse: (text: string) => number, flags: FlagValues, name: string): number {
  try {
    return parse(flags.last(name));
  } catch (error) {
    throw invalidFlag(`--${name}: ${errorMessage(error)}`);
  }
}

function count(name: string, text: string, max = Number.MAX_SAFE_INTEGER): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= max) return value;
  const wanted = `a whole number from 0 to ${max}`;
  throw invalidFlag(`--${name} must be ${wanted}, not ${JSON.stringify(text)}`);
}

function parseSomeBytes(text: string): number {
  const bytes = parseByteSize(text);
  if (bytes > 0) return bytes;
  throw new AppError('invalid-argument', 'must be more than 0');
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** "/a/b" of "a/b/", "" of "/". */
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
