// Command line of the agent, with the names, defaults and meanings of Parca Agent.
import { parseByteSize } from '../../src/base/text/byte-size.ts';
import { parseGoDuration } from '../../src/base/text/duration.ts';
import type { LogLevel } from '../../src/base/logger.ts';
import { createLabelSet, type Label, type LabelSet } from '../../src/model/labels.ts';
import {
  flagLines,
  type FlagValues,
  invalidFlag,
  parseArguments,
  splitList,
} from '../flag-table.ts';
import type { Wanted } from '../../agent/config/wanted-rules.ts';
import { flagTable, parcaAgentFlags } from './flag-rows.ts';

/** Values from the command line and the config file. */
export interface Flags {
  readonly logLevel: LogLevel;
  readonly logFormat: 'logfmt' | 'json';
  readonly httpAddress: string;
  /** "" = none. */
  readonly webConfigFile: string;
  /** "" = the host's name. */
  readonly node: string;
  /** "" = none. */
  readonly configPath: string;
  readonly includeEnvVars: readonly string[];
  /** Socket of CRI; "" = the sockets of all runtimes. */
  readonly runtimeSocketPath: string;
  /** True if users' container engines are queried. */
  readonly userContainers: boolean;
  /** Address as `host:port`; "" = the node's name, and the default port. */
  readonly kubeletAddress: string;
  readonly kubeletInsecureSkipVerify: boolean;
  /** True if the metadata of the cloud instance is read. */
  readonly cloudInstance: boolean;
  readonly reportMillis: number;
  readonly labelLifeMillis: number;
  readonly frequencyHz: number;
  readonly withErrorFrames: boolean;
  /** Process ids; empty = all processes. */
  readonly pids: readonly number[];
  readonly wanted: Wanted;
  /** Percentage of the intervals that are sampled. */
  readonly probabilisticThreshold: number;
  readonly probabilisticMillis: number;
  readonly externalLabels: LabelSet;
  readonly withCpu: boolean;
  readonly withThreadId: boolean;
  readonly withThreadName: boolean;
  readonly withSampleTimes: boolean;
  /** "" = none. */
  readonly localStoreDirectory: string;
  /** "" = none. */
  readonly remoteStoreAddress: string;
  readonly remoteStoreInsecure: boolean;
  readonly remoteStoreInsecureSkipVerify: boolean;
  readonly remoteStoreCaCert: string;
  readonly remoteStoreClientCert: string;
  readonly remoteStoreClientKey: string;
  readonly remoteStoreBearerToken: string;
  readonly remoteStoreBearerTokenFile: string;
  readonly remoteStoreHeaders: readonly (readonly [name: string, value: string])[];
  readonly remoteStoreSendBytesMax: number;
  readonly remoteStoreReceiveBytesMax: number;
  readonly remoteStoreCallMillisMax: number;
  readonly remoteStoreUseV2Schema: boolean;
  /** "" = none. */
  readonly queueDirectory: string;
  readonly queueBytesMax: number;
  readonly debuginfoDirectories: readonly string[];
  readonly debuginfoUploads: boolean;
  readonly debuginfoStrips: boolean;
  readonly debuginfoParallel: number;
  readonly debuginfoQueueMax: number;
  readonly debuginfoCallMillisMax: number;
  readonly symbolizeLocally: 'auto' | 'true' | 'false';
  readonly ringBytes: number;
  readonly tableBytesMax: number;
  readonly help: boolean;
  readonly version: boolean;
  /** Log lines about Parca Agent's flags that have no effect. */
  readonly notices: readonly string[];
}

/** Size of a memory page, the unit of the ring size in Parca's flag. */
const pageBytes = 4_096;
const tableBytes = 64 * 1024 * 1024;

/**
 * Flags that the config file can set: all flags except those that make sense only on a command
 * line.
 */
export const configFlagNames: readonly string[] = [...flagTable, ...parcaAgentFlags]
  .map(({ name }) => name)
  .filter((name) => !['config-path', 'help', 'version'].includes(name));

/**
 * Parses the command line. `fileFlags` are the flags in the config file; the command line takes
 * precedence.
 *
 * Errors: AppError 'invalid-argument' for unknown flags (with the most similar flag) and invalid
 * values, 'unimplemented' for Parca Agent's flags for features that do not exist here.
 */
export function parseFlags(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  fileFlags: ReadonlyMap<string, readonly string[]> = new Map(),
): Flags {
  const isGiven = (name: string): boolean =>
    args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`));
  const fromFile = [...fileFlags].flatMap(([name, values]) =>
    isGiven(name) ? [] : values.map((value) => `--${name}=${value}`),
  );
  const rules = {
    table: flagTable,
    foreign: parcaAgentFlags,
    positionalMax: 0,
    program: 'parca-agent',
  };
  const { flags, notices } = parseArguments([...fromFile, ...args], rules);
  return { ...toFlags(flags, environment), notices };
}

/** Returns the text of --help. */
export function helpText(): string {
  return (
    'Usage: parca-agent [flags]\n\n' +
    'Profiles every process of the host, and sends the profiles to a Parca server.\n\n' +
    `Flags:\n${flagLines(flagTable)}`
  );
}

function toFlags(
  flags: FlagValues,
  environment: Readonly<Record<string, string | undefined>>,
): Omit<Flags, 'notices'> {
  const last = (name: string): string => flags.text(name);
  const is = (name: string): boolean => flags.isOn(name);
  const list = (name: string): string[] => flags.all(name).flatMap(splitList);
  const token = last('remote-store-bearer-token') || (environment['PARCA_BEARER_TOKEN'] ?? '');
  const parsed: Omit<Flags, 'notices'> = {
    logLevel: flags.oneOf('log-level', ['error', 'warn', 'info', 'debug']),
    logFormat: flags.oneOf('log-format', ['logfmt', 'json']),
    httpAddress: last('http-address'),
    webConfigFile: last('web-config-file'),
    node: last('node'),
    configPath: last('config-path'),
    includeEnvVars: list('include-env-var'),
    runtimeSocketPath: last('metadata-container-runtime-socket-path').replace(/^unix:\/\//, ''),
    userContainers: is('metadata-user-containers'),
    kubeletAddress: last('metadata-kubelet-address'),
    kubeletInsecureSkipVerify: is('metadata-kubelet-insecure-skip-verify'),
    cloudInstance: is('metadata-cloud-instance'),
    reportMillis: duration(flags, 'profiling-duration', 100),
    labelLifeMillis: duration(flags, 'profiling-label-ttl', 1),
    frequencyHz: count(flags, 'profiling-cpu-sampling-frequency', 1, 10_000),
    withErrorFrames: is('profiling-enable-error-frames'),
    pids: list('profiling-pids').map(processId),
    wanted: {
      units: list('profiling-units'),
      containers: list('profiling-containers'),
      namespaces: list('profiling-namespaces'),
      executables: list('profiling-executables'),
    },
    probabilisticThreshold: count(flags, 'profiling-probabilistic-threshold', 1, 100),
    probabilisticMillis: probabilisticInterval(flags),
    externalLabels: createLabelSet(flags.all('metadata-external-labels').flatMap(labels)),
    withCpu: !is('metadata-disable-cpu-label'),
    withThreadId: !is('metadata-disable-thread-id-label'),
    withThreadName: !is('metadata-disable-thread-comm-label'),
    withSampleTimes: is('profiling-sample-times'),
    localStoreDirectory: last('local-store-directory'),
    remoteStoreAddress: last('remote-store-address'),
    remoteStoreInsecure: is('remote-store-insecure'),
    remoteStoreInsecureSkipVerify: is('remote-store-insecure-skip-verify'),
    remoteStoreCaCert: last('remote-store-ca-cert'),
    remoteStoreClientCert: last('remote-store-client-cert'),
    remoteStoreClientKey: last('remote-store-client-key'),
    remoteStoreBearerToken: token,
    remoteStoreBearerTokenFile: last('remote-store-bearer-token-file'),
    remoteStoreHeaders: flags.all('remote-store-grpc-headers').flatMap(headers),
    remoteStoreSendBytesMax: count(flags, 'remote-store-grpc-max-call-send-msg-size', 1_024),
    remoteStoreReceiveBytesMax: count(flags, 'remote-store-grpc-max-call-recv-msg-size', 1_024),
    remoteStoreCallMillisMax: duration(flags, 'remote-store-rpc-unary-timeout', 100),
    remoteStoreUseV2Schema: is('remote-store-use-v2-schema'),
    queueDirectory: last('queue-directory'),
    queueBytesMax: flags.read('queue-size', parseByteSize),
    debuginfoDirectories: list('debuginfo-directories'),
    debuginfoUploads: !is('debuginfo-upload-disable'),
    debuginfoStrips: is('debuginfo-strip'),
    debuginfoParallel: count(flags, 'debuginfo-upload-max-parallel', 1, 64),
    debuginfoQueueMax: count(flags, 'debuginfo-upload-queue-size', 1, 65_536),
    debuginfoCallMillisMax: duration(flags, 'debuginfo-upload-timeout-duration', 100),
    symbolizeLocally: flags.oneOf('symbolize-locally', ['auto', 'true', 'false']),
    ringBytes: ringPages(flags) * pageBytes,
    tableBytesMax: tableBytes * 2 ** count(flags, 'bpf-map-scale-factor', 0, 8),
    help: is('help'),
    version: is('version'),
  };
  if (!parsed.help && !parsed.version) checkTogether(parsed);
  return parsed;
}

/** Checks that flags that exclude each other are not given together. */
function checkTogether(flags: Omit<Flags, 'notices'>): void {
  const { remoteStoreAddress: remote, localStoreDirectory: local } = flags;
  if (remote === '' && local === '') {
    throw invalidFlag('give --remote-store-address, or --local-store-directory');
  }
  if (remote !== '' && local !== '') {
    throw invalidFlag('--local-store-directory stores instead of --remote-store-address: give one');
  }
  if (remote !== '' && !/^[^/]+:\d+$/.test(remote)) {
    throw invalidFlag(`--remote-store-address must be host:port, not ${JSON.stringify(remote)}`);
  }
  const { kubeletAddress: kubelet } = flags;
  if (kubelet !== '' && !/^(?:[^/:]+|\[[0-9a-fA-F:]+\]):\d+$/.test(kubelet)) {
    throw invalidFlag(
      `--metadata-kubelet-address must be host:port, not ${JSON.stringify(kubelet)}`,
    );
  }
  const hasKey = flags.remoteStoreClientKey !== '';
  if (hasKey !== (flags.remoteStoreClientCert !== '')) {
    throw invalidFlag('--remote-store-client-cert and --remote-store-client-key go together');
  }
}

function duration(flags: FlagValues, name: string, millisMin: number): number {
  const millis = Math.round(flags.read(name, parseGoDuration));
  if (millis >= millisMin) return millis;
  throw invalidFlag(`--${name} must be ${millisMin}ms or longer, not ${flags.text(name)}`);
}

function count(flags: FlagValues, name: string, min: number, max: number = 2_147_483_647): number {
  const text = flags.text(name);
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw invalidFlag(`--${name} must be a whole number from ${min} to ${max}, not ${text}`);
}

function probabilisticInterval(flags: FlagValues): number {
  const name = 'profiling-probabilistic-interval';
  const millis = duration(flags, name, 60_000);
  if (millis <= 300_000) return millis;
  throw invalidFlag(`--${name} must be 1m to 5m, not ${flags.text(name)}`);
}

function ringPages(flags: FlagValues): number {
  const name = 'bpf-events-buffer-size';
  const pages = count(flags, name, 16, 262_144);
  if (Number.isInteger(Math.log2(pages))) return pages;
  throw invalidFlag(`--${name} must be a power of two, not ${pages}`);
}

function processId(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text);
  throw invalidFlag(`--profiling-pids must be numbers of processes, not ${JSON.stringify(text)}`);
}

/** Parses pairs: `k=v;k=v`. */
function pairs(name: string, text: string): [string, string][] {
  return text
    .split(';')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      if (at > 0) return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
      throw invalidFlag(`--${name} must be name=value, not ${JSON.stringify(pair)}`);
    });
}

function labels(text: string): Label[] {
  const name = 'metadata-external-labels';
  return pairs(name, text).map(([label, value]) => {
    if (!/^[A-Za-z_]\w*$/.test(label) || label.startsWith('__')) {
      throw invalidFlag(`--${name}: ${JSON.stringify(label)} cannot be the name of a label`);
    }
    return { name: label, value };
  });
}

function headers(text: string): [string, string][] {
  const name = 'remote-store-grpc-headers';
  return pairs(name, text).map(([header, value]) => {
    if (/^[\w.-]+$/.test(header)) return [header.toLowerCase(), value];
    throw invalidFlag(`--${name}: ${JSON.stringify(header)} cannot be the name of a header`);
  });
}
