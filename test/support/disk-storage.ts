// Opens the storage engine on the real disk, with the real clock.
import { silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { createRandom } from '../../src/base/node/random.ts';
import { openStore } from '../../src/storage/store/open-store.ts';
import type { StoreLimits } from '../../src/storage/store/store.ts';
import type { Storage } from '../../src/storage/interface.ts';

/** Opens the store in the folder `path`; by default without a minimum of free disk space. */
export function openDiskStorage(
  path: string,
  limits: Partial<StoreLimits> = { freeDiskBytesMin: 0, freeDiskShareMin: 0 },
): Promise<Storage> {
  return openStore({
    path,
    files: createFiles(),
    clock: createClock(),
    random: createRandom(),
    logger: silentLogger,
    metrics: noMetrics,
    limits,
  });
}
