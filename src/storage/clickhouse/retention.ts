// Retention in ClickHouse: drops whole days from every table.
import { ByteReader } from '../../base/bytes.ts';
import { type ErrorCode, errorCode, errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { floorToDay } from './encode-rows.ts';
import { dayNanos, tableNames } from './schema.ts';
import type { ClickHouseServers } from './server.ts';

/** Codes of errors that may be gone in the next pass. */
const passing: ReadonlySet<ErrorCode> = new Set(['unavailable', 'resource-exhausted', 'internal']);

/** A day for which a table has parts. */
interface TableDay {
  readonly table: string;
  readonly day: bigint;
}

/**
 * Drops the days that ended more than `keepNanos` ago. Several servers may do so at the same time.
 *
 * The time of the newest profiles also counts, so that a server whose clock is ahead drops nothing
 * too early.
 */
export async function dropOldDays(
  servers: ClickHouseServers,
  logger: Logger,
  nowNanos: bigint,
  keepNanos: bigint,
): Promise<void> {
  try {
    const days = readDays(await servers.ask(daysStatement));
    for (const { table, day } of oldDays(days, nowNanos, keepNanos)) {
      await servers.run(`ALTER TABLE ${table} DROP PARTITION ${day}`);
      logger.info('a day of profiles is over its retention', { table, day: String(day) });
    }
  } catch (error) {
    if (!passing.has(errorCode(error))) throw error;
    logger.warn('old profiles stay in ClickHouse until the next pass', {
      error: errorMessage(error),
    });
  }
}

const daysStatement =
  'SELECT DISTINCT table, partition FROM system.parts ' +
  'WHERE active = 1 AND database = currentDatabase() ' +
  `AND table IN (${tableNames.map((name) => `'${name}'`).join(',')})`;

/** Returns the days to drop; see dropOldDays. */
export function oldDays(
  days: readonly TableDay[],
  nowNanos: bigint,
  keepNanos: bigint,
): TableDay[] {
  const ofProfiles = days.filter(({ table }) => table === 'profiles').map(({ day }) => day);
  if (ofProfiles.length === 0) return [];
  const newest = ofProfiles.reduce((a, b) => (a > b ? a : b));
  const today = floorToDay(nowNanos);
  const latest = newest < today ? newest : today;
  const first = latest - keepNanos / dayNanos;
  return days.filter(({ day }) => day < first);
}

function readDays(rows: Uint8Array): TableDay[] {
  const reader = new ByteReader(rows);
  const days: TableDay[] = [];
  while (reader.at < reader.end) days.push({ table: reader.text(), day: BigInt(reader.text()) });
  return days;
}
