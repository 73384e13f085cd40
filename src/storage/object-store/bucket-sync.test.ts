// Tests of bucket synchronization. Blocks are short strings here;
// test/interop/bucket-history.test.ts uses real blocks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { createFakeClock } from '../../base/fake/clock.ts';
import { MemoryFiles } from '../../base/fake/memory-files.ts';
import type { Files } from '../../base/files.ts';
import { objectRemoveDelayMillis, objectSettledMillis, objectSyncMillis } from '../limits.ts';
import { silentLogger } from '../../base/logger.ts';
import { noMetrics } from '../../base/metrics.ts';
import { seededRandom } from '../../base/random.ts';
import { BucketSync } from './bucket-sync.ts';
import type { BlockList } from './remote-blocks.ts';
import type { Bucket } from './bucket.ts';
import { makeSource } from './fake/bucket-cases.ts';
import { createFilesystemBucket } from './filesystem-bucket.ts';
import { LostParts } from '../lost-parts.ts';
import { openPageCache } from './page-cache.ts';
import type { BlockSummary } from './ship-plan.ts';

interface TestBlock extends BlockSummary {
  readonly isRemote: boolean;
  /**
   * Content of the file with the deletions of the block, at the time at which the block was opened.
   */
  readonly deletions: string;
}

class List implements BlockList<TestBlock> {
  readonly lost = new LostParts();
  #current: readonly TestBlock[] = [];

  blocks(): readonly TestBlock[] {
    return this.#current;
  }

  replaceBlocks(removed: readonly TestBlock[], added: readonly TestBlock[]): void {
    for (const block of removed) assert.ok(this.#current.includes(block), `${block.id} is listed`);
    this.#current = [...this.#current.filter((it) => !removed.includes(it)), ...added];
  }
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A server with its own disk. Several servers share a bucket. */
class Server {
  readonly files: Files;
  readonly clock = createFakeClock(objectSettledMillis * 10);
  readonly list = new List();
  readonly bucket: Bucket;
  readonly busy = new Set<string>();
  readonly released: string[] = [];
  localBytesMax = 0;
  sync: BucketSync<TestBlock> | undefined;
  failure: AppError | undefined;

  constructor(
    bucketFiles: Files = new MemoryFiles(seededRandom(1)),
    files: Files = new MemoryFiles(seededRandom(2)),
  ) {
    this.files = files;
    const bucket = createFilesystemBucket({ files: bucketFiles, directory: '/b', prefix: '' });
    const orFail = async <T>(work: () => Promise<T>): Promise<T> => {
      if (this.failure !== undefined) throw this.failure;
      return work();
    };
    this.bucket = {
      ...bucket,
      list: (folder, isWanted) => orFail(() => bucket.list(folder, isWanted)),
      put: (key, source) => orFail(() => bucket.put(key, source)),
    };
  }

  async start(): Promise<void> {
    const { bucket, files, list, clock, localBytesMax } = this;
    await files.makeDirectory('/data/blocks');
    this.sync = new BucketSync<TestBlock>({
      bucket,
      files,
      list,
      clock,
      localBytesMax,
      logger: silentLogger,
      metrics: noMetrics,
      cache: await openPageCache({
        files,
        directory: '/data/cache',
        bytesMax: 10_000,
        logger: silentLogger,
        metrics: noMetrics,
      }),
      blocksPath: '/data/blocks',
      summarize: (block) => block,
      open: async (file, id) => {
        const bytes = new Uint8Array(await file.size());
        await file.read(bytes, 0);
        const [level, sources, maxNanos] = new TextDecoder().decode(bytes).split('|');
        if (maxNanos === undefined) throw new AppError('data-loss', `cannot read block ${id}`);
        const deleted = `/data/blocks/${id}.deleted`;
        const isDeleted = await files.exists(deleted);
        return {
          id,
          level: Number(level),
          maxNanos: BigInt(maxNanos),
          isRemote: true,
          sources: sources.split(',').filter((source) => source !== ''),
          deletions: isDeleted ? new TextDecoder().decode(await files.read(deleted)) : '',
          fileBytes: bytes.length,
        };
      },
      release: ({ id }) => void this.released.push(id),
      removeLocal: ({ id }) => files.remove(`/data/blocks/${id}.block`),
      isBusy: (id) => this.busy.has(id),
      mayChange: () => true,
      exclusive: (change) => change(),
    });
    await this.sync.start();
  }

  /** Creates a local block and adds it to the list, in place of the blocks that it replaces. */
  async add(id: string, level = 1, sources: readonly string[] = [], maxNanos = 0n): Promise<void> {
    const content = encode(`${level}|${sources.join(',')}|${maxNanos}`);
    await this.write(`${id}.block`, content);
    const removed = this.list.blocks().filter((block) => sources.includes(block.id));
    const fileBytes = content.length;
    const block = { id, level, sources, maxNanos, fileBytes, isRemote: false, deletions: '' };
    this.list.replaceBlocks(removed, [block]);
    for (const old of removed) await this.files.remove(`/data/blocks/${old.id}.block`);
  }

  async write(name: string, content: Uint8Array): Promise<void> {
    const file = await this.files.open(`/data/blocks/${name}`, { create: true });
    await file.truncate(0);
    await file.append(content);
    await file.sync();
    await file.close();
  }

  /** Adds a block to the list. The file of the block already exists. */
  adopt(id: string, content: Uint8Array): void {
    const [level, sources, maxNanos] = new TextDecoder().decode(content).split('|');
    const fileBytes = content.length;
    const facts = { id, level: Number(level), sources: [sources], maxNanos: BigInt(maxNanos) };
    this.list.replaceBlocks([], [{ ...facts, fileBytes, isRemote: false, deletions: '' }]);
  }

  /** Runs another pass. */
  pass(): Promise<number> {
    return this.sync?.pass(false) ?? Promise.reject(new Error('not started'));
  }

  async objects(): Promise<string> {
    const failure = this.failure;
    this.failure = undefined;
    const found = await this.bucket.list('blocks', () => true);
    this.failure = failure;
    return found.map(({ name }) => name).join(' ');
  }

  /** Ids in the list; a star marks blocks that are only in the bucket. */
  listed(): string {
    const names = this.list.blocks().map(({ id, isRemote }) => (isRemote ? `${id}*` : id));
    for (const { id, isRemote } of this.list.blocks()) {
      assert.equal(this.sync?.isRemote(id), isRemote);
    }
    return names.sort().join(' ');
  }
}

test('blocks are shipped, and what they replace is removed afterwards', async () => {
  const server = new Server();
  await server.start();
  await server.add('a');
  await server.add('b', 0);
  await server.pass();
  assert.equal(await server.objects(), 'a.block b.block');
  await server.add('c', 2, ['a', 'b']);
  await server.pass();
  // Other servers may still read these objects.
  assert.equal(await server.objects(), 'a.block b.block c.block');
  await server.clock.advance(objectRemoveDelayMillis);
  await server.pass();
  assert.equal(await server.objects(), 'c.block');
  assert.equal(server.listed(), 'c');
  await server.sync?.stop();
});

test('an empty disk and a filled bucket serve what the first disk did', async () => {
  const bucketFiles = new MemoryFiles(seededRandom(1));
  const first = new Server(bucketFiles);
  await first.start();
  await first.add('a');
  await first.add('b');
  await first.write('b.deleted', encode('some of b'));
  await first.pass();
  // These objects are left over from a server that died before it removed them.
  await first.bucket.put('blocks/old.block', makeSource(encode('0||0')));
  await first.bucket.put('blocks/new.block', makeSource(encode('1|old|0')));
  await first.bucket.put('blocks/broken.block', makeSource(encode('nonsense')));
  await first.sync?.stop();

  const second = new Server(bucketFiles);
  await second.start();
  assert.equal(second.listed(), 'a* b* new*');
  const whole = { from: 0n, to: 1n };
  const [broken, ...more] = second.list.lost.sentencesIn(whole);
  assert.match(broken, /^cannot read block broken of the bucket: /);
  assert.deepEqual(more, []);
  assert.equal(second.list.blocks().find(({ id }) => id === 'b')?.deletions, 'some of b');
  assert.deepEqual(second.released, ['old']);
  await second.pass();
  await second.clock.advance(objectRemoveDelayMillis);
  await second.pass();
  assert.equal(await second.objects(), 'a.block b.block b.deleted broken.block new.block');

  // Now more profiles are deleted, and blocks are retired.
  await second.write('a.deleted', encode('some of a'));
  second.sync?.retire(['b']);
  assert.equal(second.listed(), 'a* new*');
  await second.pass();
  assert.equal(await second.objects(), 'a.block a.deleted broken.block new.block');
  assert.deepEqual(await second.files.list('/data/blocks'), ['a.deleted']);
  assert.equal(second.listed(), 'a* new*');

  // Now somebody else empties the bucket.
  await second.bucket.remove('blocks/a.block');
  await second.bucket.remove('blocks/broken.block');
  await second.pass();
  assert.deepEqual(second.list.lost.sentencesIn(whole), []);
  assert.equal(second.listed(), 'new*');
  await second.sync?.stop();
});

test('an outage delays shipping with growing pauses, and is over when it is over', async () => {
  const server = new Server();
  server.failure = new AppError('unavailable', 'cannot list: refused');
  const startNanos = server.clock.nowNanos();
  await server.start();
  await server.add('a');
  assert.deepEqual([await server.pass(), await server.pass()], [10_000, 20_000]);
  // It is unknown which blocks are only in the bucket. They may be missing from answers about times
  // before the start.
  const lacking = (from: bigint): string[] => server.list.lost.sentencesIn({ from, to: from });
  assert.deepEqual(lacking(startNanos), [
    `cannot read the blocks of bucket ${server.bucket.name}: cannot list: refused`,
  ]);
  assert.deepEqual(lacking(startNanos + 1n), []);
  server.failure = undefined;
  assert.equal(await server.pass(), objectSyncMillis);
  assert.deepEqual(lacking(startNanos), []);
  assert.equal(await server.objects(), 'a.block');
  await server.sync?.stop();
});

test('passes come by themselves', async () => {
  const server = new Server();
  await server.start();
  await server.add('a');
  await server.clock.advance(2 * objectSyncMillis);
  assert.equal(await server.objects(), 'a.block');
  await server.sync?.stop();
  assert.equal(server.clock.pendingTimers(), 0);
});

test('shipped blocks leave a full disk, the oldest first, and stay readable', async () => {
  const server = new Server();
  server.localBytesMax = 10;
  await server.start();
  const recent = server.clock.nowNanos();
  await server.add('a', 2, [], 1n);
  await server.add('b', 2, [], 2n);
  await server.add('c', 2, [], 3n);
  await server.add('d', 1, [], recent);
  server.busy.add('a');
  await server.pass();
  assert.equal(server.listed(), 'a b* c* d');
  assert.deepEqual(await server.files.list('/data/blocks'), ['a.block', 'd.block']);
  assert.equal(await server.objects(), 'a.block b.block c.block d.block');
  await server.sync?.stop();
});

test('whenever the power goes, every block is on the disk or in the bucket, whole', async () => {
  const ids = ['a', 'b', 'c', 'd'];
  let crashes = 0;
  for (let seed = 1; seed < 600; seed += 1) {
    const calls = seed % 100;
    // The bucket is a folder on the same disk, so a crash also loses its unsynced bytes.
    const disk = new MemoryFiles(seededRandom(seed));
    // Calls of a dead server have no effect.
    const own = disk.forProcess();
    const server = new Server(own, own);
    server.localBytesMax = 1;
    await disk.makeDirectory('/data/blocks');
    for (const id of ids) await server.add(id, 2);
    for (const path of ['/', '/data', '/data/blocks']) await disk.syncDirectory(path);
    disk.cutPowerAfter(calls);
    const isOver = await Promise.race([
      server
        .start()
        .then(() => server.pass())
        .then(() => true),
      disk.untilPowerIsOff().then(() => false),
    ]);
    disk.powerLoss();
    const its = disk.forProcess();
    const next = new Server(its, its);
    for (const name of await disk.list('/data/blocks')) {
      const id = name.replace('.block', '');
      if (name.endsWith('.block')) next.adopt(id, await disk.read(`/data/blocks/${name}`));
    }
    await next.start();
    const listed = next.list.blocks().map(({ id, level }) => `${id} ${level}`);
    assert.deepEqual(
      listed.sort(),
      ids.map((id) => `${id} 2`),
      `seed ${seed}`,
    );
    if (!isOver) crashes += 1;
  }
  assert.ok(crashes > 200, `${crashes} crashes`);
});

test('a block that cannot be read locally does not hold up the others', async () => {
  const server = new Server();
  await server.start();
  await server.add('a');
  await server.add('b');
  await server.files.remove('/data/blocks/a.block');
  assert.equal(await server.pass(), objectSyncMillis);
  assert.equal(await server.objects(), 'b.block');
  await server.sync?.stop();
});
