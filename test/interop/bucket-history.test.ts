// Tests what a server with an empty disk serves from blocks in a bucket: of a real S3 server, and
// of a folder.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { createRandom } from '../../src/base/node/random.ts';
import { randomBelow, seededRandom } from '../../src/base/random.ts';
import type { ObjectStorageConfig } from '../../src/config/bucket-config.ts';
import { Dictionary } from '../../src/model/dictionary.ts';
import { labelValue } from '../../src/model/labels.ts';
import { BlockCache } from '../../src/storage/block/block-cache.ts';
import { openBlock, type Block } from '../../src/storage/block/block.ts';
import { openBlockAt, writeHeadBlock } from '../../src/storage/block/testing/block-files.ts';
import { readDeletions, writeDeletions, type Deletion } from '../../src/storage/files/deletions.ts';
import { readSelection, type ReadSeries } from '../../src/storage/fake/read-selection.ts';
import { query } from '../../src/storage/fake/short-profiles.ts';
import { internStack } from '../../src/storage/fake/intern.ts';
import { Head } from '../../src/storage/head/head.ts';
import {
  attachBucket,
  type AttachedBucket,
  type BucketHost,
} from '../../src/storage/object-store/attach.ts';
import { loadTestSdk } from '../../src/storage/object-store/fake/bucket-defaults.ts';
import { openBucket } from '../../src/storage/object-store/open/open-bucket.ts';
import { LostParts } from '../../src/storage/lost-parts.ts';
import { PartList } from '../../src/storage/store/part-list.ts';
import { PartsQuerier } from '../../src/storage/store/parts-querier.ts';
import { applyProfile } from '../../src/storage/testing/fill-head.ts';
import { startFailingProxy, type FailingProxy } from '../support/hostile/failing-proxy.ts';
import { startMinio, type Minio } from '../support/minio.ts';
import { until } from '../support/until.ts';

const hour = 3_600_000_000_000n;
const blockCount = 6;
const machine = {
  files: createFiles(),
  clock: createClock(),
  random: createRandom(),
  logger: silentLogger,
  metrics: noMetrics,
};

let minio: Minio;
/** All servers that tests have started. */
const servers: Server[] = [];
const proxies: FailingProxy[] = [];
let scratch: string;
before(async () => {
  minio = await startMinio();
  scratch = await mkdtemp(join(tmpdir(), 'parca-test-'));
});
after(async () => {
  for (const server of servers) await server.stop();
  for (const proxy of proxies) proxy.close();
  await minio.remove();
  await rm(scratch, { recursive: true });
});

/** A server's blocks, without the rest of the server. */
class Server implements BucketHost {
  readonly lost = new LostParts();
  readonly path: string;
  readonly parts = new PartList<Block>();
  readonly querier = new PartsQuerier({
    parts: this.parts,
    lost: this.lost,
    onMissing: () => undefined,
  });
  /** Empty, because no server is killed: each gives up its lease. */
  readonly lockName = '';
  #attached: AttachedBucket | undefined;
  /** The cache has almost no memory, so that everything requested is read. */
  readonly #cache = new BlockCache(1);

  constructor(name: string) {
    this.path = join(scratch, name);
    servers.push(this);
  }

  blocks(): readonly Block[] {
    return this.parts.blocks;
  }

  replaceBlocks(removed: readonly Block[], added: readonly Block[]): void {
    this.parts.replaceBlocks(removed, added);
    for (const block of removed) void block.close();
  }

  async openBlockFile(id: string, file: Parameters<typeof openBlock>[0]['file']): Promise<Block> {
    const block = await openBlock({ ...machine, file, cache: this.#cache });
    block.setDeletions(await readDeletions(machine.files, `${this.path}/blocks/${id}.block`));
    return block;
  }

  async attach(
    config: ObjectStorageConfig,
    cacheBytesMax = 1 << 24,
    localBytesMax = 0,
  ): Promise<void> {
    await machine.files.makeDirectory(`${this.path}/blocks`);
    this.#attached = await attachBucket(this, {
      ...machine,
      host: 'test',
      onLost: () => undefined,
      bucket: await openBucket({ config, loadSdk: loadTestSdk, ...machine }),
      path: this.path,
      cacheBytesMax,
      localBytesMax,
      isBusy: () => false,
      exclusive: (change) => change(),
    });
  }

  get sync(): AttachedBucket['sync'] | undefined {
    return this.#attached?.sync;
  }

  /** Returns everything as plain values. */
  async answer(type?: string): Promise<{ series: ReadSeries[]; missing: readonly string[] }> {
    using selection = await this.querier.select(query(type === undefined ? {} : { type }));
    const series = await readSelection(selection);
    return { series, missing: selection.missing };
  }

  /**
   * Returns the numbers of rows of each job that can be read without symbols, and what cannot be
   * read.
   */
  async readable(): Promise<{ rows: Record<string, number>; missing: readonly string[] }> {
    using selection = await this.querier.select(query({}));
    const rows: Record<string, number> = {};
    for (const { labels, slices } of selection.series) {
      const job = labelValue(labels, 'job');
      for (const slice of slices) {
        for (const source of await slice.rows(false)) {
          assert.ok(source.kind === 'chunk');
          rows[job] = (rows[job] ?? 0) + source.rowCount;
        }
      }
    }
    return { rows, missing: selection.missing };
  }

  async stop(): Promise<void> {
    await this.#attached?.stop();
    for (const block of this.parts.blocks) await block.close();
  }
}

/** Writes and opens blocks of two hours each, one of them with deletions. */
async function fill(server: Server): Promise<void> {
  const random = seededRandom(5);
  await machine.files.makeDirectory(`${server.path}/blocks`);
  for (let i = 0; i < blockCount; i += 1) {
    const head = new Head(new Dictionary([1, 2, 3]), 1 << 20);
    for (let profile = 0; profile < 200; profile += 1) {
      const names = new Set(Array.from({ length: 300 }, () => `f${randomBelow(random, 5_000)}`));
      const rows = [...names].map((name) => {
        return [internStack(head.dictionary, [name, 'main']), 0, BigInt(random.uint32())] as const;
      });
      const labels = { job: `job-${profile % 3}`, block: `block-${i}` };
      const time = BigInt(i) * 2n * hour + BigInt(profile + 1) * 10_000_000_000n;
      applyProfile(head, { labels, time, rows, hash: BigInt(profile + 1) });
    }
    const path = `${server.path}/blocks/block-${i}.block`;
    await writeHeadBlock(machine.files, path, head, { id: `block-${i}` });
    const block = await openBlockAt(machine.files, path);
    if (i === 1) {
      const deletion: Deletion = {
        matchers: [],
        profileType: undefined,
        range: { from: 0n, to: 2n * hour + 1_000_000_000_000n },
      };
      await writeDeletions(machine.files, path, [deletion]);
      block.setDeletions([deletion]);
    }
    server.parts.replaceBlocks([], [block]);
  }
}

/** Kinds of buckets, each with a function that returns its config. */
const configs: readonly (readonly [string, () => ObjectStorageConfig])[] = [
  ['S3', () => ({ prefix: 'a', bucket: minio.config })],
  [
    'FILESYSTEM',
    () => ({ prefix: 'a', bucket: { type: 'FILESYSTEM', directory: join(scratch, 'bucket') } }),
  ],
];

for (const [name, configOf] of configs) {
  test(`${name}: an empty disk serves what was shipped`, async () => {
    const first = new Server(`${name}-first`);
    await fill(first);
    const want = await first.answer();
    assert.equal(want.series.length, 3 * blockCount);
    assert.deepEqual(want.missing, []);
    await first.attach(configOf());
    const listed = await openBucket({
      config: configOf(),
      loadSdk: loadTestSdk,
      ...machine,
    });
    await until(async () => (await listed.list('blocks', () => true)).length > blockCount);
    await first.stop();

    const second = new Server(`${name}-second`);
    await second.attach(configOf());
    assert.equal(second.parts.blocks.length, blockCount);
    assert.deepEqual(await second.answer(), want);
    assert.deepEqual(await readdir(`${second.path}/blocks`), ['block-1.deleted']);
    await second.stop();

    // If the disk is too small, blocks are removed from it, but the answers stay the same.
    const third = new Server(`${name}-third`);
    await fill(third);
    await third.attach(configOf(), 1 << 20, 1);
    await until(async () => (await readdir(`${third.path}/blocks`)).length === 1);
    assert.deepEqual(await third.answer(), want);
    third.sync?.retire(['block-0', 'block-1']);
    assert.equal(third.parts.blocks.length, blockCount - 2);
    await third.sync?.pass(false);
    assert.equal((await listed.list('blocks', () => true)).length, blockCount - 2);
    await third.stop();
    await listed.close();
  });
}

test('a narrow question reads a small part of the bucket, and none of it again', async () => {
  const proxy = await startFailingProxy(minio.endpoint);
  proxies.push(proxy);
  const first = new Server('narrow-first');
  await fill(first);
  const config: ObjectStorageConfig = {
    prefix: 'narrow',
    bucket: { ...minio.config, endpoint: proxy.endpoint },
  };
  await first.attach(config);
  const listed = await openBucket({ config, loadSdk: loadTestSdk, ...machine });
  await until(async () => (await listed.list('blocks', () => true)).length > blockCount);
  await listed.close();
  await first.stop();
  const bytes = first.parts.blocks.reduce((sum, { fileBytes }) => sum + fileBytes, 0);

  const second = new Server('narrow-second');
  await second.attach(config);
  const opened = proxy.bytesRead;
  const narrow = { ...query({ matchers: [['block', '=', 'block-3']] }) };
  const ask = async (): Promise<number> => {
    using selection = await second.querier.select(narrow);
    return (await readSelection(selection)).length;
  };
  assert.equal(await ask(), 3);
  const read = proxy.bytesRead - opened;
  assert.ok(read > 0 && read < bytes / 2, `${read} of ${bytes} bytes`);
  assert.equal(await ask(), 3);
  assert.equal(proxy.bytesRead - opened, read);
  await second.stop();

  // After a restart, the block is on the disk.
  const third = new Server('narrow-second');
  await third.attach(config);
  const before = proxy.bytesRead;
  using selection = await third.querier.select(narrow);
  await readSelection(selection);
  assert.equal(proxy.bytesRead, before);
  await third.stop();
});

test('throttling only makes it slower', async () => {
  const proxy = await startFailingProxy(minio.endpoint);
  proxies.push(proxy);
  const config: ObjectStorageConfig = {
    prefix: 'throttled',
    bucket: { ...minio.config, endpoint: proxy.endpoint },
  };
  proxy.throttleEach = 3;
  const first = new Server('throttled-first');
  await fill(first);
  const want = await first.answer();
  await first.attach(config);
  const plain = await openBucket({
    loadSdk: loadTestSdk,
    config: { ...config, bucket: minio.config },
    ...machine,
  });
  await until(async () => (await plain.list('blocks', () => true)).length > blockCount);
  await plain.close();
  await first.stop();
  const second = new Server('throttled-second');
  await second.attach(config, 0);
  assert.deepEqual(await second.answer(), want);
  await second.stop();
});

test('in an outage answers are partial and say so; afterwards they are whole', async () => {
  const config = { prefix: 'outage', bucket: minio.config };
  const first = new Server('outage-first');
  await fill(first);
  const want = await first.answer();
  await first.attach(config);
  const listed = await openBucket({ config, loadSdk: loadTestSdk, ...machine });
  await until(async () => (await listed.list('blocks', () => true)).length > blockCount);
  await listed.close();
  await first.stop();

  const second = new Server('outage-second');
  await second.attach(config, 0);
  // Makes a block that is only on its server's disk.
  const local = new Server('outage-second');
  await machine.files.makeDirectory(`${local.path}/blocks`);
  const head = new Head(new Dictionary([1, 2, 3]), 1 << 20);
  const stack = internStack(head.dictionary, ['leaf', 'main']);
  applyProfile(head, { labels: { job: 'local' }, time: 1n, rows: [[stack, 0, 1n]] });
  const path = `${local.path}/blocks/local.block`;
  await writeHeadBlock(machine.files, path, head, { id: 'local' });
  second.parts.replaceBlocks([], [await openBlockAt(machine.files, path)]);

  await minio.stop();
  const partial = await second.readable();
  assert.ok(partial.missing.length > 0);
  for (const sentence of partial.missing) assert.match(sentence, /block-\d/);
  assert.equal(partial.rows['local'], 1);

  await minio.start();
  await until(async () => (await second.readable()).missing.length === 0);
  const whole = await second.readable();
  assert.ok((partial.rows['job-0'] ?? 0) < whole.rows['job-0']);
  const answer = await second.answer();
  assert.deepEqual(answer.missing, []);
  const isLocal = ({ labels }: ReadSeries): boolean => labelValue(labels, 'job') === 'local';
  assert.deepEqual(
    answer.series.filter((one) => !isLocal(one)),
    want.series,
  );
  await second.stop();
});
