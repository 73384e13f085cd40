import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../base/errors.ts';
import { createFakeClock } from '../base/fake/clock.ts';
import { MemoryFiles } from '../base/fake/memory-files.ts';
import { createLogger } from '../base/logger.ts';
import { noMetrics } from '../base/metrics.ts';
import { seededRandom } from '../base/random.ts';
import type { BuildFiles, BuildNames, Resolver, SavedNames, SourceFrame } from './interface.ts';
import { NameFiles } from './name-files.ts';
import { Symbolizer } from './symbolizer.ts';

const silent = createLogger({
  level: 'error',
  format: 'logfmt',
  nowMillis: () => 0,
  write: () => undefined,
});

function frame(functionName: string): SourceFrame {
  return {
    functionName,
    systemName: functionName,
    fileName: 'a.c',
    line: 3,
    startLine: 1,
    column: 0,
  };
}

/** A file with functions from a map. */
class FakeFile {
  found: BuildFiles;
  asked: number[][] = [];
  failure: AppError | undefined;
  note = '';
  readonly #names: Map<number, string>;

  constructor(names: Record<number, string>, generation = 1) {
    this.#names = new Map(Object.entries(names).map(([at, name]) => [Number(at), name]));
    const files = [{ path: 'a', hasDwarf: true, hasGoLineTable: false }];
    this.found = { generation, files, reason: '' };
  }

  readonly resolver: Resolver = {
    resolve: async (_source, addresses, _signal, note) => {
      if (this.note !== '') note?.(this.note);
      this.asked.push([...addresses]);
      if (this.failure) throw this.failure;
      return addresses.map((address) => {
        const name = this.#names.get(address);
        return name === undefined ? [] : [frame(name)];
      });
    },
  };
}

const nothing: BuildFiles = { generation: 0, files: [], reason: 'nothing was uploaded' };
const unsaved: SavedNames = {
  load: () => ({ frames: new Map(), notes: new Set() }),
  add: () => undefined,
};

function createSymbolizer(file: FakeFile, ...others: FakeFile[]): Symbolizer {
  return new Symbolizer({
    saved: unsaved,
    fetcher: { fetch: () => false, release: () => undefined },
    logger: silent,
    metrics: noMetrics,
    findFiles: () => file.found,
    resolvers: () => [file, ...others].map(({ resolver }) => resolver),
  });
}

const findName = (symbolizer: Symbolizer, address: number): string | undefined =>
  symbolizer.findFrames('b', address)?.[0]?.functionName;

test('an address is looked up once, all of a query together', async () => {
  const file = new FakeFile({ 16: 'main', 32: 'work' });
  const symbolizer = createSymbolizer(file);
  const before = symbolizer.generation;
  for (const address of [16, 32, 48]) assert.equal(findName(symbolizer, address), undefined);
  assert.equal(symbolizer.whyUnnamed('b', 16), undefined);
  await symbolizer.settled();
  assert.deepEqual(
    [16, 32, 48].map((address) => findName(symbolizer, address)),
    ['main', 'work', undefined],
  );
  assert.deepEqual(symbolizer.findFrames('b', 48), []);
  assert.deepEqual(file.asked, [[16, 32, 48]]);
  assert.ok(symbolizer.generation > before);
  assert.equal(symbolizer.whyUnnamed('b', 48), 'its debug information has no function there');
});

test('the time of the last change is that of the own build', async () => {
  const file = new FakeFile({ 16: 'main' });
  const symbolizer = createSymbolizer(file);
  const ask = async (buildId: string): Promise<void> => {
    symbolizer.findFrames(buildId, 16);
    await symbolizer.settled();
  };
  await ask('b');
  const before = symbolizer.changedAt('b');
  assert.equal(before, symbolizer.generation);
  await ask('c');
  assert.ok(symbolizer.changedAt('c') > before);
  assert.equal(symbolizer.changedAt('b'), before);
  symbolizer.filesChanged('b');
  assert.equal(symbolizer.changedAt('b'), symbolizer.generation);
  await ask('b');
  assert.equal(symbolizer.changedAt('b'), symbolizer.generation);
  symbolizer.readAgain();
  for (const buildId of ['b', 'c']) assert.ok(symbolizer.changedAt(buildId) > before);
});

test('the next resolver is asked about addresses that one does not know', async () => {
  const dwarf = new FakeFile({ 16: 'by dwarf' });
  const tables = new FakeFile({ 16: 'by table', 32: 'by table' });
  const symbolizer = createSymbolizer(dwarf, tables);
  for (const address of [16, 32]) findName(symbolizer, address);
  await symbolizer.settled();
  assert.equal(findName(symbolizer, 16), 'by dwarf');
  assert.equal(findName(symbolizer, 32), 'by table');
  assert.deepEqual(tables.asked, [[32]]);
});

test('a file that failed is not read again after a restart, until there is another one', async () => {
  const files = new MemoryFiles(seededRandom(1));
  const start = async (file: FakeFile, other: FakeFile): Promise<[Symbolizer, NameFiles]> => {
    const saved = await NameFiles.open({
      path: '/names',
      files,
      clock: createFakeClock(1_000),
      logger: silent,
      metrics: noMetrics,
      digest: (text: string) => text,
      tag: '',
    });
    const symbolizer = new Symbolizer({
      saved,
      fetcher: { fetch: () => false, release: () => undefined },
      logger: silent,
      metrics: noMetrics,
      findFiles: () => file.found,
      resolvers: () => [file.resolver, other.resolver],
    });
    return [symbolizer, saved];
  };
  const look = async (file: FakeFile, other: FakeFile, address: number): Promise<string> => {
    const [symbolizer, saved] = await start(file, other);
    findName(symbolizer, address);
    await symbolizer.settled();
    const said = findName(symbolizer, address) ?? symbolizer.whyUnnamed('b', address) ?? 'pending';
    await saved.stop();
    return said;
  };
  const hostile = (generation: number): FakeFile => {
    const file = new FakeFile({}, generation);
    file.failure = new AppError('resource-exhausted', 'its limits were reached');
    return file;
  };
  const tables = new FakeFile({ 16: 'main', 32: 'work' });
  assert.equal(await look(hostile(1), tables, 16), 'main');
  const again = hostile(1);
  assert.equal(await look(again, tables, 32), 'work');
  assert.deepEqual(again.asked, []);

  assert.equal(await look(hostile(2), hostile(2), 16), 'its limits were reached');
  const both = [hostile(2), hostile(2)];
  assert.equal(await look(both[0], both[1], 48), 'its limits were reached');
  assert.deepEqual([both[0].asked, both[1].asked], [[], []]);
  assert.equal(await look(new FakeFile({ 16: 'better' }, 3), tables, 16), 'better');

  const absent = new FakeFile({}, 4);
  absent.failure = new AppError('unavailable', 'it cannot be started');
  assert.equal(await look(absent, absent, 16), 'it cannot be started');
  assert.equal(await look(new FakeFile({ 16: 'there' }, 4), tables, 16), 'there');
});

test('a file that ends one resolver at its limits is left to the others', async () => {
  const dwarf = new FakeFile({});
  dwarf.failure = new AppError('resource-exhausted', 'its limits were reached');
  const tables = new FakeFile({ 16: 'main', 32: 'other' });
  const symbolizer = createSymbolizer(dwarf, tables);
  for (const [address, name] of [
    [16, 'main'],
    [32, 'other'],
  ] as const) {
    findName(symbolizer, address);
    await symbolizer.settled();
    assert.equal(findName(symbolizer, address), name);
  }
  assert.deepEqual(dwarf.asked, [[16]]);
  assert.deepEqual([...symbolizer.readNotes('b')], ['its limits were reached']);
});

test('without a file nothing is looked up until there is one', async () => {
  const file = new FakeFile({ 16: 'main' });
  const { found } = file;
  file.found = nothing;
  const symbolizer = createSymbolizer(file);
  assert.equal(findName(symbolizer, 16), undefined);
  await symbolizer.settled();
  assert.deepEqual(file.asked, []);
  assert.equal(symbolizer.whyUnnamed('b', 16), 'nothing was uploaded');
  file.found = found;
  const before = symbolizer.generation;
  symbolizer.filesChanged('b');
  assert.ok(symbolizer.generation > before);
  findName(symbolizer, 16);
  await symbolizer.settled();
  assert.equal(findName(symbolizer, 16), 'main');
});

test('a file that cannot be read is tried once, and again when it is another one', async () => {
  const file = new FakeFile({ 16: 'main' });
  file.failure = new AppError('invalid-argument', 'cannot read ELF: damaged');
  const symbolizer = createSymbolizer(file);
  findName(symbolizer, 16);
  await symbolizer.settled();
  assert.equal(findName(symbolizer, 16), undefined);
  assert.equal(findName(symbolizer, 32), undefined);
  assert.equal(file.asked.length, 1);
  assert.equal(symbolizer.whyUnnamed('b', 32), 'cannot read ELF: damaged');
  file.failure = undefined;
  symbolizer.filesChanged('b');
  findName(symbolizer, 16);
  await symbolizer.settled();
  assert.equal(findName(symbolizer, 16), 'main');
});

test('names of a file that is no longer the best one are not kept', async () => {
  const file = new FakeFile({ 16: 'old' });
  const better = new FakeFile({ 16: 'new' }, 2);
  let current = file;
  const symbolizer = new Symbolizer({
    saved: unsaved,
    fetcher: { fetch: () => false, release: () => undefined },
    logger: silent,
    metrics: noMetrics,
    findFiles: () => current.found,
    resolvers: () => [current.resolver],
  });
  findName(symbolizer, 16);
  await Promise.resolve();
  current = better;
  symbolizer.filesChanged('b');
  await symbolizer.settled();
  findName(symbolizer, 16);
  await symbolizer.settled();
  assert.equal(findName(symbolizer, 16), 'new');
});

test('the second file is asked about addresses that the first one does not know', async () => {
  const asked: (readonly [string, readonly number[]])[] = [];
  const file = new FakeFile({});
  const [first] = file.found.files;
  const symbolizer = new Symbolizer({
    saved: unsaved,
    fetcher: { fetch: () => false, release: () => undefined },
    logger: silent,
    metrics: noMetrics,
    findFiles: () => ({ ...file.found, files: [first, { ...first, path: 'b' }] }),
    resolvers: () => [
      {
        resolve: async ({ path }, addresses) => {
          asked.push([path, addresses]);
          return addresses.map((address) => (address === 16 || path === 'b' ? [frame(path)] : []));
        },
      },
    ],
  });
  for (const address of [16, 32]) findName(symbolizer, address);
  await symbolizer.settled();
  assert.deepEqual([findName(symbolizer, 16), findName(symbolizer, 32)], ['a', 'b']);
  assert.deepEqual(asked, [
    ['a', [16, 32]],
    ['b', [32]],
  ]);
});

test('an address waits while its file is fetched, and has a reason when there is none', async () => {
  const file = new FakeFile({ 16: 'main' });
  const { found } = file;
  file.found = nothing;
  const fetched: string[] = [];
  let isFetching = true;
  const symbolizer = new Symbolizer({
    saved: unsaved,
    logger: silent,
    metrics: noMetrics,
    findFiles: () => file.found,
    fetcher: {
      fetch: (buildId) => fetched.push(buildId) > 0 && isFetching,
      release: () => undefined,
    },
    resolvers: () => [file.resolver],
  });
  for (const address of [16, 32]) findName(symbolizer, address);
  assert.deepEqual(fetched, ['b']);
  assert.equal(symbolizer.whyUnnamed('b', 16), undefined);
  isFetching = false;
  symbolizer.filesChanged('b');
  assert.equal(symbolizer.whyUnnamed('b', 16), 'nothing was uploaded');
  file.found = found;
  symbolizer.filesChanged('b');
  findName(symbolizer, 16);
  await symbolizer.settled();
  assert.equal(findName(symbolizer, 16), 'main');
  assert.deepEqual(fetched, ['b', 'b'], 'not for a file with lines');
});

test('notes of a file are there with its names, and after a restart', async () => {
  const file = new FakeFile({ 16: 'main' });
  file.note = 'its lines are elsewhere';
  const kept: Parameters<SavedNames['add']>[] = [];
  const saved: SavedNames = {
    load: (_buildId, generation) => {
      const own = kept.filter((batch) => batch[1] === generation);
      return {
        frames: new Map(
          own.flatMap(([, , addresses, frames]) => addresses.map((at, i) => [at, frames[i]])),
        ),
        notes: new Set(own.flatMap(([, , , , notes]) => [...notes])),
      };
    },
    add: (...batch) => void kept.push(batch),
  };
  for (const round of ['before', 'after']) {
    const symbolizer = new Symbolizer({
      saved,
      fetcher: { fetch: () => false, release: () => undefined },
      logger: silent,
      metrics: noMetrics,
      findFiles: () => file.found,
      resolvers: () => [file.resolver],
    });
    if (round === 'before') {
      findName(symbolizer, 16);
      await symbolizer.settled();
    }
    assert.equal(findName(symbolizer, 16), 'main', round);
    assert.deepEqual([...symbolizer.readNotes('b')], ['its lines are elsewhere'], round);
  }
  assert.equal(file.asked.length, 1);
});

/**
 * Creates a symbolizer with saved names for address 16. Reading them ends when `read` is called.
 */
function createLoading(file: FakeFile) {
  const { promise, resolve } = Promise.withResolvers<BuildNames>();
  const symbolizer = new Symbolizer({
    saved: { load: () => promise, add: () => undefined },
    fetcher: { fetch: () => false, release: () => undefined },
    logger: silent,
    metrics: noMetrics,
    findFiles: () => file.found,
    resolvers: () => [file.resolver],
  });
  const frames = new Map([[16, [frame('saved')]]]);
  const read = (): void => resolve({ frames, notes: new Set(['a note']) });
  return { symbolizer, read };
}

test('addresses wait for saved names that take long to read, and only others are looked up', async () => {
  const file = new FakeFile({ 16: 'main', 32: 'other' });
  const { symbolizer, read } = createLoading(file);
  assert.equal(findName(symbolizer, 16), undefined);
  assert.equal(findName(symbolizer, 32), undefined);
  assert.equal(symbolizer.whyUnnamed('b', 16), undefined, 'its name is coming');
  assert.equal(symbolizer.states().get('b')?.state, 'pending');
  const settled = symbolizer.settle(new Map([['b', [16, 32]]]), new AbortController().signal);
  assert.deepEqual(file.asked, []);
  const { generation } = symbolizer;
  read();
  await settled;
  assert.equal(findName(symbolizer, 16), 'saved');
  assert.equal(findName(symbolizer, 32), 'other');
  assert.deepEqual(file.asked, [[32]]);
  assert.deepEqual([...symbolizer.readNotes('b')], ['a note']);
  assert.ok(symbolizer.generation > generation, 'answers are made again');
  assert.equal(symbolizer.addressCount, 3);
});

test('saved names that were read for files which are no longer those of the build are dropped', async () => {
  const file = new FakeFile({ 16: 'main' });
  const { symbolizer, read } = createLoading(file);
  assert.equal(findName(symbolizer, 16), undefined);
  symbolizer.filesChanged('b');
  read();
  await symbolizer.settled();
  assert.equal(symbolizer.addressCount, 0);
});

test('names ahead of questions are looked up when the saved ones are read', async () => {
  const file = new FakeFile({ 16: 'main', 32: 'other' });
  const { symbolizer, read } = createLoading(file);
  const ahead = symbolizer.lookAhead('b', [16, 32]);
  read();
  await ahead;
  assert.deepEqual(file.asked, [[32]]);
  assert.equal(findName(symbolizer, 16), 'saved');
});

test('build ids whose names were asked for are told once, and again after the next question', () => {
  const symbolizer = createSymbolizer(new FakeFile({ 16: 'main' }));
  findName(symbolizer, 16);
  findName(symbolizer, 16);
  assert.deepEqual([...symbolizer.takeUsed()], ['b']);
  assert.deepEqual([...symbolizer.takeUsed()], []);
  findName(symbolizer, 16);
  assert.deepEqual([...symbolizer.takeUsed()], ['b']);
});
