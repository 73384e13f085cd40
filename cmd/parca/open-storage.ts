// Opens the store of the server, with the maintenance of its blocks.
import { resolve } from 'node:path';
import type { Clock } from '../../src/base/clock.ts';
import type { Files } from '../../src/base/files.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { Metrics } from '../../src/base/metrics.ts';
import type { Random } from '../../src/base/random.ts';
import { openEngine } from '../../src/storage/engine.ts';
import type { Storage, StorageAdmin } from '../../src/storage/interface.ts';
import { createCompactionThreads } from '../../src/storage/maintenance/compaction-thread.ts';
import { Maintenance } from '../../src/storage/maintenance/maintenance.ts';
import { everyMinute, startSchedule } from '../../src/storage/maintenance/schedule.ts';
import type { Flags } from './flags.ts';

/** What a store is given. */
export interface StorageMachine {
  readonly clock: Clock;
  readonly files: Files;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const compactionScript = new URL('./compaction-worker.ts', import.meta.url);

/** The store, and what may be done to it. Errors: those of openEngine. */
export async function openStorage(
  machine: StorageMachine,
  flags: Flags,
): Promise<Storage & StorageAdmin> {
  const path = resolve(flags.storagePath);
  const store = await openEngine({
    ...machine,
    path,
    durability: flags.storageDurability,
    limits: {
      activeMemoryBytesMax: flags.storageActiveMemoryBytes,
      freeDiskBytesMin: flags.storageFreeDiskBytesMin,
      ...(flags.storageFreeDiskBytesMin === 0 ? { freeDiskShareMin: 0 } : {}),
    },
  });
  const maintenance = new Maintenance(
    {
      ...machine,
      blocks: () => store.blocks(),
      openBlock: (id) => store.openBlock(id),
      replaceBlocks: (removed, added) => store.replaceBlocks(removed, added),
      rotate: () => store.rotate(),
    },
    {
      storagePath: path,
      retention: flags.storageRetention,
      compactor: createCompactionThreads(compactionScript),
    },
  );
  const schedule = startSchedule(everyMinute, machine.clock, () => void maintenance.runPass());
  return {
    appender: () => store.appender(),
    querier: store.querier,
    rotate: () => store.rotate(),
    delete: (query) => maintenance.delete(query),
    async close() {
      schedule.stop();
      await maintenance.close();
      await store.close();
    },
  };
}
