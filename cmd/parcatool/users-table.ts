// Formats the services that use a function as a table for a terminal, or as JSON.
import { counted } from '../../src/base/text/counted.ts';
import { printable } from '../../src/base/printable.ts';
import { isCpuSamples, isCpuTime } from '../../src/model/profile-meaning.ts';
import { parseProfileType } from '../../src/model/profile-type.ts';
import { field, readInt64, readList, readString } from './shared/client.ts';
import type { Options } from './shared/options.ts';
import { formatQuantity, formatShare, tableLines, type Terminal } from './shared/terminal.ts';
import { chooseColour } from './shared/top-table.ts';

/** One version of a service that uses the functions. */
export interface User {
  /** Label of the service as `job=shop`; "" = none. */
  readonly service: string;
  /** Version; "" = unknown. */
  readonly version: string;
  /** Value per second of the stacks with the functions, or the average of states. */
  readonly rate: number;
  /** Sum of the stacks with the functions, and sum of all stacks. */
  readonly total: bigint;
  readonly whole: bigint;
  /** Profile type that was used. */
  readonly profileType: string;
  readonly unit: string;
  /** True if the values are averages of states. */
  readonly isAverage: boolean;
  /** Rate in each bucket of the range; NaN = no profiles in the bucket. */
  readonly history: readonly number[];
  /** JSON of the user, as the server sent it. */
  readonly json: object;
}

/** Services and versions, sorted by rate. */
export interface UsersAnswer {
  readonly kind: Options['kind'];
  /** Name or pattern that was searched for. */
  readonly name: string;
  /** Range as RFC 3339. */
  readonly from: string;
  readonly to: string;
  readonly users: readonly User[];
  /** Number of users without a row. */
  readonly hiddenCount: number;
}

/** Buckets of a history. */
export interface Buckets {
  /** Start of the first bucket. */
  readonly fromMillis: number;
  readonly stepMillis: number;
  readonly count: number;
}

/** Parses a user. `answer` has the fields that all users share. */
export function readUser(user: unknown, answer: unknown, buckets: Buckets): User {
  const total = readInt64(field(user, 'total'));
  const snapshots = Number(field(user, 'snapshots'));
  const seconds = Number(readInt64(field(user, 'coveredNanos'))) / 1e9;
  const [name, value] = ['name', 'value'].map((part) => readString(field(user, 'service', part)));
  const profileType = readString(field(answer, 'profileType'));
  return {
    service: value === '' ? '' : `${name}=${value}`,
    version: readString(field(user, 'version', 'value')),
    rate: Number(total) / (snapshots || seconds || 1),
    total,
    whole: readInt64(field(user, 'whole')),
    profileType,
    unit: readString(field(answer, 'unit')),
    isAverage: snapshots > 0,
    history: readHistory(field(user, 'buckets'), buckets),
    json: { profileType, ...Object(user) },
  };
}

function readHistory(given: unknown, { fromMillis, stepMillis, count }: Buckets): number[] {
  const rates = readList(field(given, 'rate'));
  const history = Array.from({ length: count }, () => NaN);
  readList(field(given, 'time')).forEach((time, i) => {
    const at = Math.floor((Date.parse(readString(time)) - fromMillis) / stepMillis);
    if (at >= 0 && at < history.length) history[at] = Number(rates[i]);
  });
  return history;
}

/** Formats the response as lines. */
export function usersText(answer: UsersAnswer, terminal: Terminal): string {
  const { kind, name, from, to, users, hiddenCount } = answer;
  const services = new Set(users.map(({ service }) => service)).size;
  const rows = users.map((user) => ({
    cells: [
      formatRate(user),
      formatShare(user.total, user.whole),
      historyText(user.history),
      printable(user.version || '-'),
      printable(user.service || '(no name)'),
    ],
    colour: chooseColour(user.total, user.whole),
  }));
  const lines = [
    `${kind} ${printable(name)}`,
    `${from} to ${to}, ${counted(services, 'service')}`,
    '',
    ...tableLines([rateHead(users[0]), 'share', 'history', 'version', 'service'], rows, terminal),
  ];
  if (hiddenCount > 0) lines.push(`and ${hiddenCount} more (--top 0 shows all)`);
  return `${lines.join('\n')}\n`;
}

/** Formats the response as JSON. Values of type int64 are strings, as in the API. */
export function usersJson({ users, hiddenCount, ...head }: UsersAnswer): string {
  const shown = users.map(({ json, unit, rate }) => ({ ...json, unit, rate }));
  return `${JSON.stringify({ ...head, more: hiddenCount, users: shown }, undefined, 2)}\n`;
}

/** Returns true if values per second are numbers of cores. */
function isOfCores({ profileType, unit, isAverage }: User): boolean {
  const type = parseProfileType(profileType);
  return !isAverage && unit === 'nanoseconds' && (isCpuTime(type) || isCpuSamples(type));
}

function rateHead(user: User): string {
  return isOfCores(user) ? 'cores' : user.isAverage ? 'average' : 'a second';
}

/** Formats a rate with three digits. */
function formatRate(user: User): string {
  if (!isOfCores(user)) return formatQuantity(BigInt(Math.round(user.rate)), user.unit);
  const cores = user.rate / 1e9;
  const digits = cores === 0 ? 0 : 2 - Math.floor(Math.log10(Math.abs(cores)));
  return cores.toFixed(Math.min(Math.max(digits, 0), 9));
}

const bars = '▁▂▃▄▅▆▇█';

/**
 * Draws the rate in each bucket, relative to the largest rate. A space is a bucket without
 * profiles.
 */
function historyText(rates: readonly number[]): string {
  const most = Math.max(...rates.filter((rate) => !Number.isNaN(rate)), 0);
  const top = bars.length - 1;
  const drawn = rates.map((rate) => {
    if (Number.isNaN(rate)) return ' ';
    return bars[most > 0 ? Math.max(0, Math.round((rate / most) * top)) : 0];
  });
  return drawn.join('');
}
