// `parcatool data copy`: copies profiles from a data directory or a bucket to ClickHouse, or back.
import { AppError } from '../../../src/base/errors.ts';
import type { Files } from '../../../src/base/files.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { noMetrics } from '../../../src/base/metrics.ts';
import { createClock } from '../../../src/base/node/clock.ts';
import { createRandom } from '../../../src/base/node/random.ts';
import { loadConfig } from '../../../src/config/load/load.ts';
import { Dictionary } from '../../../src/model/dictionary.ts';
import type { Storage } from '../../../src/storage/interface.ts';
import { openBucket } from '../../../src/storage/object-store/open/open-bucket.ts';
import { copyBlock } from '../../../src/storage/tools/copy-blocks.ts';
import { type CopiedProfiles, copyProfiles } from '../../../src/storage/tools/copy-profiles.ts';
import { freeContext } from '../../../src/storage/free-context.ts';
import { BucketFolders } from '../../../src/storage/query-server/bucket-folders.ts';
import { openStore } from '../../../src/storage/store/open-store.ts';
import { type ClickHouseFlags, clickHousePassword } from '../../clickhouse-flags.ts';
import type { Options } from '../shared/options.ts';
import { BucketBlocks } from './bucket-blocks.ts';
import { discoveryKinds } from '../../../src/discovery/registry.ts';
import { createSdkLoader } from '../../sdk-loader.ts';

const machine = {
  clock: createClock(),
  random: createRandom(),
  logger: silentLogger,
  metrics: noMetrics,
};
const modules = {
  open: () => import('../../../src/storage/clickhouse/open.ts'),
  stored: () => import('../../../src/storage/clickhouse/stored-profiles.ts'),
};

/**
 * Counts copied blocks or hours. Records in a file which of them are complete, so that later copies
 * to the same destination skip them.
 */
export class CopyReport {
  done = 0;
  skipped = 0;
  profiles = 0;
  rows = 0;
  readonly missing: string[] = [];
  readonly #files: Files;
  readonly #path: string;
  readonly #noted: ReadonlySet<string>;

  private constructor(files: Files, path: string, noted: ReadonlySet<string>) {
    this.#files = files;
    this.#path = path;
    this.#noted = noted;
  }

  static async open(files: Files, path: string): Promise<CopyReport> {
    const isThere = await files.exists(path);
    const text = isThere ? new TextDecoder().decode(await files.read(path)) : '';
    return new CopyReport(files, path, new Set(text.split('\n')));
  }

  /** Runs the copy identified by `mark`, unless an earlier run has completed it. */
  async copy(mark: string, work: () => Promise<CopiedProfiles>): Promise<void> {
    if (this.#noted.has(mark)) {
      this.skipped += 1;
      return;
    }
    const { profileCount, rowCount, missing } = await work();
    this.done += 1;
    this.profiles += profileCount;
    this.rows += rowCount;
    this.missing.push(...missing);
    if (missing.length > 0) return;
    const file = await this.#files.open(this.#path, { create: true });
    try {
      await file.append(new TextEncoder().encode(`${mark}\n`));
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

/**
 * Converts the log of a data directory to blocks, and copies all blocks.
 *
 * Errors: as in openStore; those of ClickHouse.
 */
export async function copyDirectory(
  files: Files,
  path: string,
  flags: ClickHouseFlags,
): Promise<CopyReport> {
  const store = await openStore({ ...machine, files, path });
  try {
    await store.rotate();
    return await withTarget(files, flags, async (target) => {
      const report = await CopyReport.open(files, `${path}/copied-to-${flags.database}`);
      for (const block of store.blocks()) {
        await report.copy(markerName(flags, block.id), () => copyBlock(block, target));
      }
      return report;
    });
  } finally {
    await store.close();
  }
}

/** Bucket from which blocks are copied, as given in a config file. */
interface BucketSource {
  readonly configPath: string;
  /** Folder for the current block and for the records. */
  readonly path: string;
  /** Environment variables that are replaced in the config file. */
  readonly variables: Options['variables'];
}

/**
 * Copies the blocks of all servers in the bucket of a config file.
 *
 * Errors: ConfigError; errors of the bucket and of ClickHouse.
 */
export async function copyBucket(
  files: Files,
  { configPath, path, variables }: BucketSource,
  flags: ClickHouseFlags,
): Promise<CopyReport> {
  const { objectStorage } = await loadConfig(configPath, files, discoveryKinds, variables);
  if (objectStorage === undefined) {
    throw new AppError('invalid-argument', `cannot copy: ${configPath} has no object_storage`);
  }
  await files.makeDirectory(path);
  const bucketAt = (prefix: string) =>
    openBucket({
      ...machine,
      files,
      loadSdk: createSdkLoader(silentLogger),
      config: { ...objectStorage, prefix },
    });
  const folders = new BucketFolders(await bucketAt(objectStorage.prefix), (name) =>
    bucketAt(`${objectStorage.prefix}/${name}`),
  );
  const source = new BucketBlocks(files, folders, path);
  try {
    return await withTarget(files, flags, async (target) => {
      const report = await CopyReport.open(files, `${path}/copied-to-${flags.database}`);
      const { blocks, problems } = await source.list();
      report.missing.push(...problems);
      for (const found of blocks) {
        await report.copy(markerName(flags, found.id), () =>
          source.use(found, (block) => copyBlock(block, target)),
        );
      }
      return report;
    });
  } finally {
    await source.close();
  }
}

/**
 * Copies the profiles in ClickHouse to a data directory, hour by hour.
 *
 * Errors: as in openStore; those of ClickHouse.
 */
export async function copyBack(
  files: Files,
  path: string,
  flags: ClickHouseFlags,
): Promise<CopyReport> {
  const { clickHouseServers } = await modules.open();
  const { rangeOfHour, storedHours, StoredProfiles } = await modules.stored();
  const options = { ...flags, keepNanos: 0n, password: await clickHousePassword(files, flags) };
  const servers = clickHouseServers(machine, options, flags.database);
  try {
    await servers.readVersion();
    const hours = await storedHours(servers);
    const store = await openStore({ ...machine, files, path });
    try {
      const report = await CopyReport.open(files, `${path}/copied-from-${flags.database}`);
      for (const hour of hours) {
        await report.copy(markerName(flags, String(hour)), async () => {
          const stored = new StoredProfiles(servers, new Dictionary([1, 2, 3]));
          const range = rangeOfHour(hour);
          const name = `the hour from ${new Date(Number(hour / 1_000_000n)).toISOString()}`;
          const profiles = stored.ofHour(hour, freeContext);
          const { dictionary } = stored;
          const copied = await copyProfiles({ name, range, dictionary, profiles }, store);
          if (stored.lostCount === 0) return copied;
          const why = `${stored.lostCount} profiles lack symbols in ClickHouse`;
          return { ...copied, missing: [...copied.missing, `${name}: ${why}`] };
        });
      }
      return report;
    } finally {
      await store.close();
    }
  } finally {
    await servers.close();
  }
}

/** Opens ClickHouse as a store during `work`. */
async function withTarget<T>(
  files: Files,
  flags: ClickHouseFlags,
  work: (target: Storage) => Promise<T>,
): Promise<T> {
  const password = await clickHousePassword(files, flags);
  const { openClickHouse } = await modules.open();
  const target = await openClickHouse(machine, { ...flags, password, keepNanos: 0n });
  return work(target).finally(() => target.close());
}

/**
 * Returns the name of the file that records that a block or an hour was copied to or from a
 * ClickHouse server.
 */
function markerName({ urls }: ClickHouseFlags, name: string): string {
  return `${urls.join()} ${name}`;
}
