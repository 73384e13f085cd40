import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { AppError } from '../base/errors.ts';
import { createFakeClock, type FakeClock } from '../base/fake/clock.ts';
import { MemoryFiles } from '../base/fake/memory-files.ts';
import { createLogger } from '../base/logger.ts';
import { noMetrics } from '../base/metrics.ts';
import { seededRandom } from '../base/random.ts';
import { makeElf, makeNote, makeSymbols, type SectionToBe } from '../symbolize/testing/make-elf.ts';
import { makeDurableFolder } from '../base/durable-files.ts';
import { DebuginfoStore } from './debuginfo-store.ts';
import type { UploadOffer } from './interface.ts';
import { Uploads } from './uploads.ts';

/** Signal of a caller that never disconnects. */
const unending = new AbortController().signal;

const silent = createLogger({
  level: 'error',
  format: 'logfmt',
  nowMillis: () => 0,
  write: () => undefined,
});

const buildId = 'abababababababababababababababababababab';
const note: SectionToBe = {
  name: '.note.gnu.build-id',
  type: 7,
  content: makeNote('GNU', 3, new Uint8Array(20).fill(0xab)),
};
const dwarf: SectionToBe = { name: '.debug_info', type: 1, content: new Uint8Array(40) };
const stripped = makeElf([
  note,
  ...makeSymbols('.dynsym', 2, [{ name: 'open', address: 16, size: 4 }]),
]);
const withSymbols = makeElf([
  note,
  ...makeSymbols('.symtab', 2, [{ name: 'main', address: 16, size: 4 }]),
]);
const withDwarf = makeElf([note, dwarf]);

interface Opened {
  readonly store: DebuginfoStore;
  readonly uploads: Uploads;
}

async function openStore(
  files: MemoryFiles,
  clock: FakeClock = createFakeClock(1_000),
  limits = { bytesMax: 0, ageMillisMax: 0 },
  isElsewhere: (id: string) => Promise<boolean> = async () => false,
): Promise<Opened> {
  const machine = { files, clock, logger: silent, metrics: noMetrics };
  const store = await DebuginfoStore.open({
    ...machine,
    path: '/data/debuginfo',
    random: seededRandom(1),
    digest: (text) => hash('sha256', text),
    fileBytesMax: 10_000,
    limits,
  });
  const uploads = new Uploads({
    ...machine,
    store,
    checkSourceMap: async () => undefined,
    isElsewhere,
    bytesMax: 10_000,
    millisMax: 60_000,
  });
  return { store, uploads };
}

function makeOffer(fields: Partial<UploadOffer> = {}): UploadOffer {
  const rest = { hash: 'h', force: false };
  return { buildId, buildIdType: 'gnu', type: 'debuginfo', ...rest, ...fields };
}

async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100);
}

async function upload(
  uploads: Uploads,
  bytes: Uint8Array,
  fields: Partial<UploadOffer> = {},
): Promise<void> {
  const offer = makeOffer({ hash: hash('md5', bytes), ...fields });
  const ticket = { ...offer, uploadId: await uploads.begin(offer, bytes.length) };
  await uploads.receive(ticket, inChunks(bytes), unending);
  await uploads.finish(ticket);
}

const refuses =
  (code: string, message: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof AppError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };

test('an uploaded file is found, after a restart too', async () => {
  const files = new MemoryFiles(seededRandom(1));
  const { store, uploads } = await openStore(files);
  assert.equal((await uploads.decide(makeOffer())).isWanted, true);
  await upload(uploads, withSymbols);
  for (const opened of [{ store, uploads }, await openStore(files)]) {
    const found = opened.store.find(buildId, 'debuginfo');
    assert.ok(found);
    assert.deepEqual(files.peek(found.path), withSymbols);
    assert.equal(found.quality.hasSymbols, true);
    assert.equal(opened.store.find(buildId, 'executable'), undefined);
    assert.equal(
      (await opened.uploads.decide(makeOffer({ hash: hash('md5', withSymbols) }))).isWanted,
      false,
    );
  }
});

test('the better file stays, whichever comes first', async () => {
  for (const order of [
    [stripped, withSymbols, withDwarf],
    [withDwarf, stripped, withSymbols],
    [withSymbols, withDwarf, stripped],
  ]) {
    const files = new MemoryFiles(seededRandom(1));
    const { store, uploads } = await openStore(files);
    for (const bytes of order) await upload(uploads, bytes, { force: true });
    const found = store.find(buildId, 'debuginfo');
    assert.ok(found);
    assert.deepEqual(files.peek(found.path), withDwarf);
    const kept = files.paths().filter((path) => path.startsWith('/data/debuginfo/'));
    assert.equal(kept.length, 2, 'a file and its entry');
  }
});

test('a file with lines is asked for once more, one that is no better only once', async () => {
  const { uploads } = await openStore(new MemoryFiles(seededRandom(1)));
  await upload(uploads, withSymbols, { hash: 'first' });
  assert.equal((await uploads.decide(makeOffer({ hash: 'first' }))).isWanted, false);
  assert.equal((await uploads.decide(makeOffer({ hash: '' }))).isWanted, false);
  assert.equal((await uploads.decide(makeOffer({ hash: 'second' }))).isWanted, true);
  await upload(uploads, stripped, { hash: 'second' });
  assert.equal((await uploads.decide(makeOffer({ hash: 'second' }))).isWanted, false);
  await upload(uploads, withDwarf, { hash: 'third' });
  assert.equal((await uploads.decide(makeOffer({ hash: 'fourth' }))).isWanted, false);
  assert.equal((await uploads.decide(makeOffer({ hash: 'fourth', force: true }))).isWanted, true);
});

test('a file of another build is refused, and not asked for again', async () => {
  const files = new MemoryFiles(seededRandom(1));
  const { store, uploads } = await openStore(files);
  const other = makeElf([{ ...note, content: makeNote('GNU', 3, new Uint8Array(20)) }]);
  const message = /cannot keep the file for build id abab.*: its own is 0000/;
  await assert.rejects(
    upload(uploads, other, { hash: 'other' }),
    refuses('invalid-argument', message),
  );
  const text = new TextEncoder().encode('no ELF at all');
  await assert.rejects(
    upload(uploads, text, { hash: 'text' }),
    refuses('invalid-argument', /magic bytes of ELF/),
  );
  for (const opened of [{ store, uploads }, await openStore(files)]) {
    assert.match(
      (await opened.uploads.decide(makeOffer({ hash: 'text' }))).reason,
      /refused before: .*magic/,
    );
    assert.equal((await opened.uploads.decide(makeOffer({ hash: 'new' }))).isWanted, true);
    await assert.rejects(
      opened.uploads.begin(makeOffer({ hash: 'text' }), 5),
      refuses('already-exists', /refused before/),
    );
  }
  assert.deepEqual(
    files.paths().filter((path) => path.endsWith('.upload')),
    [],
  );
});

test('bytes are counted, not believed', async () => {
  const { uploads } = await openStore(new MemoryFiles(seededRandom(1)));
  const send = async (declared: number): Promise<void> => {
    const uploadId = await uploads.begin(makeOffer(), declared);
    await uploads.receive({ ...makeOffer(), uploadId }, inChunks(withDwarf), unending);
  };
  const check = (declared: number, message: RegExp): Promise<void> =>
    assert.rejects(send(declared), refuses('invalid-argument', message));
  await check(10, /more than the 10 bytes/);
  await check(9_000, /of the 9000 bytes that were declared arrived/);
  await check(10_001, /10001 bytes, limit 10000/);
  await check(0, /0 bytes cannot be uploaded/);
});

test('an upload is of one client until it is stale', async () => {
  const clock = createFakeClock(1_000);
  const { store, uploads } = await openStore(new MemoryFiles(seededRandom(1)), clock);
  const offer = makeOffer();
  const first = await uploads.begin(offer, withDwarf.length);
  assert.equal((await uploads.decide(offer)).isWanted, false);
  assert.equal((await uploads.decide(makeOffer({ force: true }))).isWanted, true);
  // The reason must be exactly this string, because Parca's agent compares it.
  const { reason } = await uploads.decide(offer);
  assert.equal(
    reason,
    'A previous upload is still in-progress and not stale yet (only stale uploads can be retried).',
  );
  await assert.rejects(uploads.begin(offer, 5), refuses('failed-precondition', /in-progress/));
  await clock.advance(60_000 + 120_001);
  assert.equal((await uploads.decide(offer)).isWanted, true);
  const second = await uploads.begin(offer, withDwarf.length);
  await assert.rejects(
    uploads.receive({ ...offer, uploadId: first }, inChunks(withDwarf), unending),
    refuses('invalid-argument', /is not the upload/),
  );
  await assert.rejects(
    uploads.finish({ ...offer, uploadId: second }),
    refuses('failed-precondition', /did not arrive/),
  );
  await uploads.receive({ ...offer, uploadId: second }, inChunks(withDwarf), unending);
  await uploads.finish({ ...offer, uploadId: second });
  assert.ok(store.find(buildId, 'debuginfo'));
  await assert.rejects(
    uploads.finish({ ...offer, uploadId: second }),
    refuses('not-found', /none is under way/),
  );
});

test('of two clients that begin at once one may upload', async () => {
  const { uploads } = await openStore(new MemoryFiles(seededRandom(1)));
  const begun = await Promise.allSettled([
    uploads.begin(makeOffer(), 5),
    uploads.begin(makeOffer(), 5),
  ]);
  assert.deepEqual(begun.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

test("servers are asked for a new build id, which is GNU's or of an unknown kind", async () => {
  const asked: string[] = [];
  const isElsewhere = async (id: string): Promise<boolean> => asked.push(id) > 0 && id === buildId;
  const { uploads } = await openStore(
    new MemoryFiles(seededRandom(1)),
    undefined,
    undefined,
    isElsewhere,
  );
  for (const buildIdType of ['gnu', 'unknown'] as const) {
    const offer = makeOffer({ buildIdType });
    const reason = 'a debuginfod server has it';
    assert.deepEqual(await uploads.decide(offer), { isWanted: false, reason });
    await assert.rejects(uploads.begin(offer, 5), refuses('failed-precondition', /debuginfod/));
  }
  assert.equal((await uploads.decide(makeOffer({ buildId: 'other' }))).isWanted, true);
  assert.deepEqual(asked, [buildId, buildId, buildId, buildId, 'other']);
  for (const fields of [
    { buildIdType: 'go' },
    { buildIdType: 'hash' },
    { force: true },
    { type: 'sources' },
  ] as const) {
    assert.equal((await uploads.decide(makeOffer(fields))).isWanted, true, JSON.stringify(fields));
  }
  await upload(uploads, withSymbols, { force: true });
  assert.equal((await uploads.decide(makeOffer({ hash: '' }))).isWanted, false);
  assert.equal(asked.length, 5);
});

test('build ids with path characters stay inside the folder', async () => {
  const files = new MemoryFiles(seededRandom(1));
  const { store, uploads } = await openStore(files);
  for (const bad of ['../../etc/passwd', 'a/b/c', 'nul\0nul', '..%2f..%2fx']) {
    await upload(uploads, withDwarf, { buildId: bad, buildIdType: 'hash' });
    assert.ok(store.find(bad, 'debuginfo'));
  }
  for (const path of files.paths()) {
    assert.match(path, /^\/data\/debuginfo\/[0-9a-f]{64}\.debuginfo\.(1|json)$/);
  }
  await assert.rejects(
    uploads.decide(makeOffer({ buildId: 'ab' })),
    refuses('invalid-argument', /short/),
  );
});

test('past the limits of the folder, unused files are removed; their generation goes on', async () => {
  const files = new MemoryFiles(seededRandom(1));
  const clock = createFakeClock(1_000);
  const size = withSymbols.length;
  const { store, uploads } = await openStore(files, clock, { bytesMax: 2 * size, ageMillisMax: 0 });
  for (const id of ['first', 'second', 'third']) {
    await clock.advance(1_000);
    if (id === 'third') assert.equal(store.useFiles('first').files.length, 1);
    await upload(uploads, withSymbols, { buildId: id, buildIdType: 'hash' });
  }
  const opened = await openStore(files, clock, { bytesMax: 2 * size, ageMillisMax: 86_400_000 });
  for (const one of [store, opened.store]) {
    assert.deepEqual(one.useFiles('second'), {
      generation: 1,
      files: [],
      reason: 'its debug information was removed',
    });
    for (const id of ['first', 'third']) assert.equal(one.useFiles(id).files.length, 1);
  }
  assert.equal(
    (await opened.uploads.decide(makeOffer({ buildId: 'second', hash: 'h' }))).isWanted,
    true,
  );
  await clock.advance(86_400_001);
  await opened.store.applyLimits();
  assert.deepEqual(
    [opened.store.useFiles('first').files, opened.store.useFiles('third').files],
    [[], []],
  );
  await upload(opened.uploads, withSymbols, { buildId: 'second', buildIdType: 'hash' });
  assert.equal(opened.store.useFiles('second').generation, 2);
  await opened.store.stop();
  await store.stop();
});

test('a start gives notice of what is over the limit, and removes it a minute later', async () => {
  const files = new MemoryFiles(seededRandom(1));
  const clock = createFakeClock(1_000);
  const size = withSymbols.length;
  const first = await openStore(files, clock);
  for (const id of ['old', 'used', 'new']) {
    await clock.advance(1_000);
    await upload(first.uploads, withSymbols, { buildId: id, buildIdType: 'hash' });
  }
  first.store.useFiles('used');
  await first.store.stop();
  const limited = { bytesMax: size, ageMillisMax: 0 };
  const { store, uploads } = await openStore(files, clock, limited);
  store.start();
  await clock.advance(59_999);
  await store.applyLimits();
  const kept = (): string[] => [...store.kept().keys()];
  assert.deepEqual(kept(), ['new', 'old', 'used']);
  await clock.advance(1);
  await store.applyLimits();
  assert.deepEqual(kept(), ['used']);
  await assert.rejects(
    upload(uploads, withSymbols, { buildId: 'another', buildIdType: 'hash' }),
    refuses('resource-exhausted', /named profiles of the last day/),
  );
  await clock.advance(86_400_000);
  await upload(uploads, withSymbols, { buildId: 'another', buildIdType: 'hash' });
  assert.deepEqual(kept(), ['another']);
  await store.stop();
});

test('of several files the best one is asked first: by DWARF, by sender, by content', async () => {
  const { store, uploads } = await openStore(new MemoryFiles(seededRandom(1)));
  const ranked = (): string[] =>
    store.useFiles(buildId).files.map(({ path }) => path.replace(/^.*[0-9a-f]{64}\./, ''));
  await upload(uploads, withSymbols, { type: 'executable' });
  await upload(uploads, stripped);
  assert.deepEqual(ranked(), ['executable.1', 'debuginfo.1']);
  await store.addFetched(buildId, inChunks(withSymbols));
  assert.deepEqual(ranked(), ['debuginfod.1', 'executable.1', 'debuginfo.1']);
  await upload(uploads, withDwarf, { hash: 'dwarf' });
  assert.deepEqual(ranked(), ['debuginfo.2', 'debuginfod.1', 'executable.1']);
  assert.equal(
    (await uploads.decide(makeOffer({ hash: 'new', type: 'executable' }))).isWanted,
    true,
  );
  await store.addFetched(buildId, inChunks(withDwarf));
  // If a debuginfod server has the file, an upload is accepted from a person, but not from an
  // agent.
  for (const type of ['debuginfo', 'executable'] as const) {
    assert.deepEqual(await uploads.decide(makeOffer({ hash: 'new', type })), {
      isWanted: false,
      reason: 'a debuginfod server has it',
    });
    assert.equal(
      (await uploads.decide(makeOffer({ hash: 'new', type, force: true }))).isWanted,
      true,
    );
  }
  assert.equal((await uploads.decide(makeOffer({ hash: 'new', type: 'sources' }))).isWanted, true);
  assert.deepEqual(ranked(), ['debuginfod.2', 'debuginfo.2', 'executable.1']);
  await upload(uploads, withDwarf, { hash: 'explicit', force: true });
  assert.deepEqual(ranked(), ['debuginfo.3', 'debuginfod.2', 'executable.1']);
  assert.equal(store.useFiles(buildId).generation, 6);
});

test('a build id without a file says why', async () => {
  const { store, uploads } = await openStore(new MemoryFiles(seededRandom(1)));
  assert.deepEqual(store.useFiles(buildId), {
    generation: 0,
    files: [],
    reason: 'no debug information was uploaded',
  });
  const text = new TextEncoder().encode('no ELF at all');
  await assert.rejects(upload(uploads, text));
  assert.match(store.useFiles(buildId).reason, /^the file that was uploaded was refused: .*magic/);
});

test('a power loss at any step leaves the old file or the new one, whole', async () => {
  let losses = 0;
  for (let step = 1; ; step += 1) {
    const files = new MemoryFiles(seededRandom(step));
    await makeDurableFolder(files, '/data', '/');
    const { uploads } = await openStore(files);
    await upload(uploads, withSymbols);
    files.cutPowerAfter(step);
    const done = upload(uploads, withDwarf).then(() => true);
    const isDone = await Promise.race([done, files.untilPowerIsOff().then(() => false)]);
    if (!isDone) losses += 1;
    files.powerLoss();
    const found = (await openStore(files)).store.find(buildId, 'debuginfo');
    assert.ok(found, `step ${step}`);
    const wanted = isDone || found.quality.hasDwarf ? withDwarf : withSymbols;
    assert.deepEqual(files.peek(found.path), wanted, `step ${step}`);
    if (isDone) break;
  }
  assert.ok(losses > 5, `${losses} power losses`);
});
