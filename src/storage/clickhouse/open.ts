// Opens a store in ClickHouse: connects, creates the database, and runs retention.
import { createClient } from '@clickhouse/client';
import { clickHouseAnswerMillisMax } from '../limits.ts';
import type { Storage, StorageAdmin } from '../interface.ts';
import { everyMinute, startSchedule } from '../maintenance/schedule.ts';
import { dropOldDays } from './retention.ts';
import { type ClickHouseMachine, ClickHouseServers } from './server.ts';
import { ClickHouseStorage } from './storage.ts';

/** Addresses of ClickHouse, and options for its use. */
export interface ClickHouseOptions {
  /** URLs of HTTP interfaces, which are tried one after another. */
  readonly urls: readonly string[];
  readonly database: string;
  readonly username: string;
  readonly password: string;
  /** Cluster on which the tables are replicated; "" for a single server. */
  readonly cluster: string;
  /** Number of replicas that must confirm a write; 0 = one. */
  readonly insertQuorum: number;
  /** Age at which profiles are dropped; 0 = never. */
  readonly keepNanos: bigint;
}

/**
 * Creates the database and its tables if they are missing.
 *
 * Errors: as in ClickHouseStorage.open.
 */
export async function openClickHouse(
  machine: ClickHouseMachine,
  options: ClickHouseOptions,
): Promise<Storage & StorageAdmin> {
  const { cluster, database, keepNanos } = options;
  const { clock, logger } = machine;
  const first = clickHouseServers(machine, options, 'default');
  try {
    await first.makeDatabase(database, cluster);
  } finally {
    await first.close();
  }
  const servers = clickHouseServers(machine, options, database);
  const storage = await ClickHouseStorage.open(servers, machine, cluster);
  if (keepNanos === 0n) return storage;
  const schedule = startSchedule(everyMinute, clock, () => {
    void dropOldDays(servers, logger, clock.nowNanos(), keepNanos);
  });
  return {
    appender: () => storage.appender(),
    querier: storage.querier,
    isReadOnly: storage.isReadOnly,
    rotate: () => storage.rotate(),
    delete: (query) => storage.delete(query),
    snapshot: () => storage.snapshot(),
    close() {
      schedule.stop();
      return storage.close();
    },
  };
}

/** Creates the clients of a database, without sending a request. */
export function clickHouseServers(
  machine: ClickHouseMachine,
  { urls, username, password, insertQuorum }: ClickHouseOptions,
  database: string,
): ClickHouseServers {
  const clients = urls.map((url) => ({
    address: url,
    client: createClient({
      url,
      username,
      password,
      database,
      request_timeout: clickHouseAnswerMillisMax,
      // The log is off, because the client also throws its messages as errors.
      log: { level: 127 },
    }),
  }));
  const quorum = insertQuorum === 0 ? {} : { insert_quorum: String(insertQuorum) };
  return new ClickHouseServers(clients, machine, quorum);
}
