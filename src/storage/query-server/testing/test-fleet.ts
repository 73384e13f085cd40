// Servers that upload to one bucket, and a query server for this bucket, in one process and in
// memory.
import { createFakeClock, type FakeClock } from '../../../base/fake/clock.ts';
import { MemoryFiles } from '../../../base/fake/memory-files.ts';
import { AppError } from '../../../base/errors.ts';
import { silentLogger } from '../../../base/logger.ts';
import { noMetrics } from '../../../base/metrics.ts';
import { type Random, seededRandom } from '../../../base/random.ts';
import type { Block } from '../../block/block.ts';
import { compactBlocks } from '../../maintenance/compact.ts';
import { Maintenance } from '../../maintenance/maintenance.ts';
import { attachBucket } from '../../object-store/attach.ts';
import type { BucketSync } from '../../object-store/bucket-sync.ts';
import type { Bucket } from '../../object-store/bucket.ts';
import { createFilesystemBucket } from '../../object-store/filesystem-bucket.ts';
import { openPageCache } from '../../object-store/page-cache.ts';
import type { PartsAnswer } from '../../part-source.ts';
import { openStore } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import { BucketFolders } from '../bucket-folders.ts';
import type { LiveServer } from '../live-parts.ts';
import { ReadingStore } from '../reading-store.ts';

const machine = { logger: silentLogger, metrics: noMetrics };
const path = '/data';

/** A server whose disk survives `kill`. */
export class FleetServer implements LiveServer {
  readonly name: string;
  /** Error that would make the server stop. */
  failure: AppError | undefined;
  readonly #clock: FakeClock;
  readonly #random: Random;
  readonly #files: MemoryFiles;
  readonly #bucket: Bucket;
  #life = { isOver: false };
  #running:
    | {
        readonly store: Store;
        readonly maintenance: Maintenance<Block>;
        readonly sync: BucketSync<Block>;
        readonly stopSync: () => Promise<void>;
      }
    | undefined;

  constructor(name: string, bucket: Bucket, clock: FakeClock, random: Random) {
    this.name = name;
    this.#clock = clock;
    this.#random = random;
    this.#bucket = bucket;
    this.#files = new MemoryFiles(random);
  }

  async start(): Promise<void> {
    const files = this.#files.forProcess();
    this.#life = { isOver: false };
    const bucket = mortal(this.#bucket, this.#life);
    const shared = { ...machine, files, clock: this.#clock, random: this.#random };
    await files.makeDirectory(path);
    await files.syncDirectory('/');
    const limits = { rowSegmentBytes: 16_384, walSegmentBytesMax: 20_000, diskReserveBytes: 2_048 };
    const store = await openStore({ ...shared, path, limits });
    const maintenance: Maintenance<Block> = new Maintenance<Block>(
      {
        ...shared,
        blocks: () => store.blocks(),
        openBlock: (id) => store.openBlock(id),
        replaceBlocks: (removed, added) => store.replaceBlocks(removed, added),
        rotate: () => store.rotate(),
        bucket: { isRemote: (id) => sync.isRemote(id), retire: (ids) => sync.retire(ids) },
      },
      {
        storagePath: path,
        retention: { timeNanos: 0n, sizeBytes: 0 },
        compactor: { compact: (request, signal) => compactBlocks(files, request, signal) },
      },
    );
    const { sync, stop } = await attachBucket(store, {
      ...shared,
      path,
      bucket,
      cacheBytesMax: 0,
      localBytesMax: 1,
      host: this.name,
      onLost: (error) => void (this.failure = error),
      isBusy: (id) => maintenance.isBusy(id),
      exclusive: (change) => maintenance.exclusive(change),
    });
    this.#running = { store, maintenance, sync, stopSync: stop };
  }

  get store(): Store {
    return this.#live.store;
  }

  get maintenance(): Maintenance<Block> {
    return this.#live.maintenance;
  }

  async ship(): Promise<void> {
    await this.#live.sync.pass(false);
  }

  /** Cuts the power; `start` then continues with the durable data. */
  kill(): void {
    this.#running = undefined;
    // From now on, the old process gets no answers.
    this.#life.isOver = true;
    this.#files.powerLoss();
  }

  async stop(): Promise<void> {
    const { store, maintenance, stopSync } = this.#live;
    this.#running = undefined;
    await stopSync();
    await maintenance.close();
    await store.close();
  }

  async look(question: Parameters<LiveServer['look']>[0]): Promise<PartsAnswer> {
    const { store, sync } = this.#live;
    const answer = await store.served.look(question);
    return { ...answer, gone: [...sync.retired] };
  }

  async readBlock(id: string, offset: number, length: number): Promise<Uint8Array> {
    return this.#live.store.served.readBlock(id, offset, length);
  }

  close(): void {
    // The fleet closes the store, so there is nothing to do.
  }

  get #live() {
    if (this.#running === undefined) throw new AppError('unavailable', 'connection refused');
    return this.#running;
  }
}

/** Wraps a bucket so that a process that has ended gets no answers. */
function mortal(bucket: Bucket, life: { readonly isOver: boolean }): Bucket {
  const whileAlive =
    <A extends unknown[], R>(method: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      life.isOver ? new Promise(() => undefined) : method(...args);
  return {
    name: bucket.name,
    list: whileAlive(bucket.list),
    folders: whileAlive(bucket.folders),
    size: whileAlive(bucket.size),
    readRange: whileAlive(bucket.readRange),
    put: whileAlive(bucket.put),
    putNew: whileAlive(bucket.putNew),
    remove: whileAlive(bucket.remove),
    close: whileAlive(bucket.close),
  };
}

export interface Fleet {
  readonly clock: FakeClock;
  readonly servers: readonly FleetServer[];
  readonly querier: ReadingStore;
  /**
   * Makes the query server's listings of the bucket fail with `error`; `undefined` makes them work
   * again.
   */
  failLists(error: AppError | undefined): void;
  /** Makes the query server list the bucket. */
  list(): Promise<void>;
  close(): Promise<void>;
}

/** Starts `count` servers with empty disks, and a query server. */
export async function startFleet(seed: number, count: number, millis: number): Promise<Fleet> {
  const random = seededRandom(seed);
  const clock = createFakeClock(millis);
  const bucketFiles = new MemoryFiles(random);
  const open = (prefix: string): Bucket =>
    createFilesystemBucket({ files: bucketFiles, directory: '/b', prefix });
  const servers = Array.from({ length: count }, (_, i) => {
    return new FleetServer(`server-${i}:7070`, open(`server-${i}`), clock, random);
  });
  for (const server of servers) await server.start();
  let failure: AppError | undefined;
  const openFailing = (prefix: string): Bucket => {
    const bucket = open(prefix);
    const list: Bucket['list'] = async (folder, isWanted) => {
      if (failure !== undefined) throw failure;
      return bucket.list(folder, isWanted);
    };
    return { ...bucket, list };
  };
  const folders = new BucketFolders(openFailing(''), async (name) => openFailing(name));
  const files = new MemoryFiles(random);
  const querier = new ReadingStore({
    ...machine,
    clock,
    random,
    folders,
    servers,
    memoryBytesMax: 2 ** 28,
    cache: await openPageCache({ ...machine, files, directory: '/cache', bytesMax: 2 ** 26 }),
  });
  await querier.start();
  return {
    clock,
    servers,
    querier,
    failLists: (error) => void (failure = error),
    list: () => folders.refresh(),
    async close() {
      await querier.close();
      for (const server of servers) await server.stop();
    },
  };
}
