// The directory of a store: makes what has to be there, and knows the secret words.
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import type { Logger } from '../../base/logger.ts';
import type { Random } from '../../base/random.ts';
import { makeDurableFolder } from '../files/durable-folder.ts';
import { formatVersion, readMeta, writeMeta } from '../files/meta-file.ts';
import {
  readSegmentHeader,
  segmentHeaderBytes,
  segmentSequence,
  type Seeds,
} from '../wal/wal-format.ts';

/** A directory and what is used to work on it. */
export interface StoreDirectory {
  /** The storage directory; made when it is not there. */
  readonly path: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/**
 * Makes the directories, and makes their entries durable: an earlier process may have died before
 * it did.
 */
export async function makeDirectories(
  { files, path }: StoreDirectory,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    await files.makeDirectory(`${path}/${name}`);
    await files.checkWritable(`${path}/${name}`);
  }
  await files.syncDirectory(path);
  await makeDurableFolder(files, path, path);
}

/** The store's secret words: from meta, else from a log segment, else new ones. */
export async function openSeeds(options: StoreDirectory, walPath: string): Promise<Seeds> {
  const { files, path, random, clock, logger } = options;
  const meta = await readMeta(files, path);
  if (meta) return meta.seeds;
  let seeds = await seedsOfLog(files, walPath);
  if (seeds) logger.error('meta is damaged or missing: restored it from the log', { path });
  else if ((await segmentNames(files, walPath)).length > 0) {
    throw new AppError(
      'data-loss',
      `cannot open storage path ${path}: meta and the headers of all log segments are damaged`,
    );
  }
  seeds ??= [random.uint32() | 0, random.uint32() | 0, random.uint32() | 0];
  await writeMeta(files, path, { version: formatVersion, seeds, createdNanos: clock.nowNanos() });
  return seeds;
}

async function segmentNames(files: Files, walPath: string): Promise<string[]> {
  return (await files.listFiles(walPath)).filter((name) => segmentSequence(name) !== undefined);
}

async function seedsOfLog(files: Files, walPath: string): Promise<Seeds | undefined> {
  for (const name of await segmentNames(files, walPath)) {
    const file = await files.open(`${walPath}/${name}`, { create: false });
    const bytes = new Uint8Array(segmentHeaderBytes);
    const length = await file.read(bytes, 0).finally(() => file.close());
    const header = readSegmentHeader(bytes.subarray(0, length));
    if (header) return header.seeds;
  }
  return undefined;
}
