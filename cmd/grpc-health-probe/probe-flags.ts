// Command line of the probe: flags with one hyphen, as manifests pass them to `grpc_health_probe`.
import { parseArgs } from 'node:util';
import { errorMessage } from '../../src/base/errors.ts';
import { parseGoDuration } from '../../src/base/text/duration.ts';
import { invalidFlag } from '../flag-table.ts';

/** Values of the command line. */
export interface ProbeFlags {
  /** Address as host:port or :port. */
  readonly address: string;
  /** Service whose health is checked; "" = the whole server. */
  readonly service: string;
  readonly userAgent: string;
  readonly connectMillisMax: number;
  readonly callMillisMax: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Undefined for a connection without TLS. */
  readonly tls: ProbeTls | undefined;
  readonly isGzip: boolean;
  readonly isVerbose: boolean;
  readonly version: boolean;
}

/** TLS options. Files are given as paths; "" = none. */
export interface ProbeTls {
  readonly verifies: boolean;
  readonly caFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Name that the server's certificate must contain; "" = the host. */
  readonly serverName: string;
}

const options = {
  addr: { type: 'string', default: '' },
  service: { type: 'string', default: '' },
  'user-agent': { type: 'string', default: 'grpc_health_probe' },
  'connect-timeout': { type: 'string', default: '1s' },
  'rpc-timeout': { type: 'string', default: '1s' },
  'rpc-header': { type: 'string', multiple: true, default: [] as string[] },
  tls: { type: 'boolean', default: false },
  'tls-no-verify': { type: 'boolean', default: false },
  'tls-ca-cert': { type: 'string', default: '' },
  'tls-client-cert': { type: 'string', default: '' },
  'tls-client-key': { type: 'string', default: '' },
  'tls-server-name': { type: 'string', default: '' },
  alts: { type: 'boolean', default: false },
  spiffe: { type: 'boolean', default: false },
  gzip: { type: 'boolean', default: false },
  v: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
} as const;

/** Parses the command line. Errors: UsageError. */
export function parseProbeFlags(args: readonly string[]): ProbeFlags {
  const values = parseWords(args);
  if (values.alts || values.spiffe) throw invalidFlag('-alts and -spiffe are not supported');
  const flags: ProbeFlags = {
    address: values.addr,
    service: values.service,
    userAgent: values['user-agent'],
    connectMillisMax: timeLimit('connect-timeout', values['connect-timeout']),
    callMillisMax: timeLimit('rpc-timeout', values['rpc-timeout']),
    headers: values['rpc-header'].map(header),
    tls: values.tls ? readTls(values) : undefined,
    isGzip: values.gzip,
    isVerbose: values.v,
    version: values.version,
  };
  if (flags.version) return flags;
  if (!/^(\[[^\]]+\]|[^:/]*):\d+$/.test(flags.address)) {
    throw invalidFlag(`-addr must be host:port or :port, not ${JSON.stringify(flags.address)}`);
  }
  if (!values.tls) {
    const alone = (['tls-no-verify', 'tls-ca-cert', 'tls-client-cert', 'tls-server-name'] as const)
      .filter((name) => values[name] !== false && values[name] !== '')
      .map((name) => `-${name}`);
    if (alone.length > 0) throw invalidFlag(`${alone.join(', ')} without -tls`);
  }
  return flags;
}

type Values = ReturnType<typeof parseWords>;

/** Parses flags with one or two hyphens. `-tls=false` turns a switch off. */
function parseWords(args: readonly string[]) {
  const words = args.flatMap((arg) => {
    const match = /^--?([a-z][a-z-]*)(?:=(true|false))?$/.exec(arg);
    if (match === null) return arg.replace(/^-(?=[a-z])/, '--');
    const [, name, value] = match;
    const isSwitch = name in options && options[name as keyof typeof options].type === 'boolean';
    if (!isSwitch) return value === undefined ? `--${name}` : `--${name}=${value}`;
    return value === 'false' ? [] : `--${name}`;
  });
  try {
    return parseArgs({ args: words, options, strict: true }).values;
  } catch (error) {
    throw invalidFlag(errorMessage(error));
  }
}

function timeLimit(name: string, text: string): number {
  let millis: number;
  try {
    millis = parseGoDuration(text);
  } catch (error) {
    throw invalidFlag(`-${name}: ${errorMessage(error)}`);
  }
  if (millis > 0) return millis;
  throw invalidFlag(`-${name} must be longer than 0, not ${text}`);
}

function header(text: string): readonly [string, string] {
  const at = text.indexOf(':');
  if (at > 0) return [text.slice(0, at).trim().toLowerCase(), text.slice(at + 1).trim()];
  throw invalidFlag(`-rpc-header must be "name: value", not ${JSON.stringify(text)}`);
}

function readTls(values: Values): ProbeTls {
  const tls: ProbeTls = {
    verifies: !values['tls-no-verify'],
    caFile: values['tls-ca-cert'],
    certificateFile: values['tls-client-cert'],
    keyFile: values['tls-client-key'],
    serverName: values['tls-server-name'],
  };
  if ((tls.certificateFile === '') !== (tls.keyFile === '')) {
    throw invalidFlag('-tls-client-cert and -tls-client-key go together');
  }
  if (!tls.verifies && (tls.caFile !== '' || tls.serverName !== '')) {
    throw invalidFlag('-tls-no-verify uses no -tls-ca-cert and no -tls-server-name');
  }
  return tls;
}
