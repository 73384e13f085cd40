// Tests of files that lack a part of their DWARF, and of the files that contain that part.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import {
  sharedBuildId,
  sharedFile,
  sharingFile,
  splitFile,
} from '../../test/support/hostile/split-elf.ts';
import { createFakeClock } from '../base/fake/clock.ts';
import { MemoryFiles } from '../base/fake/memory-files.ts';
import { silentLogger } from '../base/logger.ts';
import { noMetrics } from '../base/metrics.ts';
import { seededRandom } from '../base/random.ts';
import { DebuginfoStore } from './debuginfo-store.ts';
import type { UploadOffer } from './interface.ts';
import { Uploads } from './uploads.ts';

/** Signal of a caller that never disconnects. */
const unending = new AbortController().signal;

const buildId = 'abababab';

async function openStore(files = new MemoryFiles(seededRandom(1))): Promise<{
  readonly store: DebuginfoStore;
  readonly uploads: Uploads;
  readonly changed: string[];
}> {
  const changed: string[] = [];
  const machine = { files, clock: createFakeClock(1_000), logger: silentLogger };
  const store = await DebuginfoStore.open({
    ...machine,
    metrics: noMetrics,
    path: '/data/debuginfo',
    random: seededRandom(1),
    digest: (text) => hash('sha256', text),
    fileBytesMax: 100_000,
    limits: { bytesMax: 0, ageMillisMax: 0 },
    onChange: (id) => changed.push(id),
  });
  const uploads = new Uploads({
    ...machine,
    metrics: noMetrics,
    store,
    checkSourceMap: async () => undefined,
    isElsewhere: async () => false,
    bytesMax: 100_000,
    millisMax: 60_000,
  });
  return { store, uploads, changed };
}

async function upload(uploads: Uploads, id: string, bytes: Uint8Array): Promise<void> {
  const offer: UploadOffer = {
    buildId: id,
    buildIdType: 'gnu',
    type: 'debuginfo',
    hash: hash('md5', bytes),
    force: false,
  };
  const ticket = { ...offer, uploadId: await uploads.begin(offer, bytes.length) };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  await uploads.receive(ticket, chunks(), unending);
  await uploads.finish(ticket);
}

test('a program whose split DWARF is missing makes way for one that has it, not the other way', async () => {
  const { store, uploads } = await openStore();
  // Renaming the section with the package's index removes the index.
  const text = Buffer.from(splitFile()).toString('latin1').replace('cu_index', 'no_index');
  await upload(uploads, buildId, new Uint8Array(Buffer.from(text, 'latin1')));
  assert.equal(store.find(buildId, 'debuginfo')?.quality.lacksSplit, true);
  await upload(uploads, buildId, splitFile());
  assert.equal(store.find(buildId, 'debuginfo')?.quality.lacksSplit, false);
  const again = upload(uploads, buildId, new Uint8Array(Buffer.from(text, 'latin1')));
  await assert.rejects(again, /a file is there already/);
});

test('a file that another one shares DWARF with changes its names, after a restart too', async () => {
  const files = new MemoryFiles(seededRandom(1));
  const { store, uploads, changed } = await openStore(files);
  await upload(uploads, buildId, sharingFile());
  const before = store.useFiles(buildId);
  const link = { name: 'common.debug', buildId: sharedBuildId };
  assert.deepEqual(before.files[0].alternate, { ...link, path: undefined });
  changed.length = 0;
  await upload(uploads, sharedBuildId, sharedFile());
  assert.deepEqual(changed, [sharedBuildId, buildId]);
  const { store: reopened } = await openStore(files);
  for (const one of [store, reopened]) {
    const { generation, files: sources } = one.useFiles(buildId);
    assert.equal(generation, before.generation + 1);
    assert.deepEqual(sources[0].alternate, {
      ...link,
      path: one.find(sharedBuildId, 'debuginfo')?.path,
    });
  }
});
