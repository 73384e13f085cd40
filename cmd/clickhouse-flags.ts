// ClickHouse flags of the server and of parcatool.
import { AppError, errorMessage } from '../src/base/errors.ts';
import type { Files } from '../src/base/files.ts';
import type { ClickHouseOptions } from '../src/storage/clickhouse/open.ts';
import {
  flag,
  type FlagRow,
  type FlagValues,
  invalidFlag,
  secretFlag,
  splitList,
} from './flag-table.ts';

/**
 * Address of ClickHouse and credentials. The password may also come from a file or from the
 * environment.
 */
export interface ClickHouseFlags extends Omit<ClickHouseOptions, 'keepNanos'> {
  /** File with the password; "" = none. */
  readonly passwordFile: string;
}

export const clickHouseFlagRows: readonly FlagRow[] = [
  flag(
    'clickhouse-address=ADDRESS,...',
    'localhost:8123',
    "ClickHouse's HTTP interface: hosts with ports, or URLs, tried in turn.",
  ),
  flag('clickhouse-database=NAME', 'parca', 'Database of the tables, made if it is missing.'),
  flag('clickhouse-username=NAME', 'default', 'User of ClickHouse.'),
  secretFlag(
    'clickhouse-password=TEXT',
    'Password; better in PARCA_CLICKHOUSE_PASSWORD, or a file.',
  ),
  flag('clickhouse-password-file=FILE', '', 'File with the password.'),
  flag('clickhouse-secure', 'false', 'Use TLS for addresses that are not URLs.'),
  flag(
    'clickhouse-cluster=NAME',
    '',
    'Cluster whose replicas have the tables; empty = a single server.',
  ),
  flag(
    'clickhouse-insert-quorum=COUNT',
    '0',
    'Replicas that must have a write before it is acknowledged; 0 = one.',
  ),
];

/** Reads the flags. Errors: AppError 'invalid-argument' with the name of the flag. */
export function readClickHouse(flags: FlagValues): ClickHouseFlags {
  const scheme = flags.isOn('clickhouse-secure') ? 'https' : 'http';
  const urls = splitList(flags.text('clickhouse-address')).map((address) => toUrl(address, scheme));
  if (urls.length === 0) throw invalidFlag('--clickhouse-address must not be empty');
  return {
    urls,
    database: flags.text('clickhouse-database'),
    username: flags.text('clickhouse-username'),
    password: flags.text('clickhouse-password'),
    passwordFile: flags.text('clickhouse-password-file'),
    cluster: flags.text('clickhouse-cluster'),
    insertQuorum: flags.count('clickhouse-insert-quorum'),
  };
}

/** HTTP ports by the port of the native interface. Parca uses the native interface. */
const httpPorts: ReadonlyMap<string, string> = new Map([
  ['9000', '8123'],
  ['9440', '8443'],
]);

/** Returns a log line for each address that has a port of the native interface. */
export function clickHouseNotices(flags: FlagValues): string[] {
  return splitList(flags.text('clickhouse-address')).flatMap((address) => {
    const moved = withHttpPort(address);
    if (moved === address) return [];
    return `--clickhouse-address: ${address} is the native interface; here HTTP is spoken, so ${moved} is used`;
  });
}

/** Returns an address with the HTTP port; a URL is returned unchanged. */
function withHttpPort(address: string): string {
  const [, host, port = ''] = /^([^/]+):(\d+)$/.exec(address) ?? [];
  const moved = httpPorts.get(port);
  return moved === undefined ? address : `${host}:${moved}`;
}

function toUrl(given: string, scheme: string): string {
  const address = withHttpPort(given);
  const url = URL.parse(address.includes('://') ? address : `${scheme}://${address}`);
  if (url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/') return url.origin;
  const wanted = 'host:port or a URL such as https://clickhouse.example.com:8443';
  throw invalidFlag(`--clickhouse-address must be ${wanted}, not ${JSON.stringify(address)}`);
}

/**
 * Reads the password from the file, the flag or the environment, in Parca's order.
 *
 * Errors: AppError 'failed-precondition' for a file that cannot be read.
 */
export async function clickHousePassword(
  files: Pick<Files, 'read'>,
  { password, passwordFile }: ClickHouseFlags,
): Promise<string> {
  if (passwordFile === '') return password || (process.env.PARCA_CLICKHOUSE_PASSWORD ?? '');
  try {
    return new TextDecoder().decode(await files.read(passwordFile)).trim();
  } catch (error) {
    throw new AppError(
      'failed-precondition',
      `cannot read --clickhouse-password-file ${passwordFile}: ${errorMessage(error)}`,
    );
  }
}
