import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../base/errors.ts';
import { createLogger } from '../base/logger.ts';
import { noMetrics } from '../base/metrics.ts';
import type { Resolver, SourceFrame, SymbolSource } from './interface.ts';
import { Symbolizer } from './symbolizer.ts';

const silent = createLogger({
  level: 'error',
  format: 'logfmt',
  nowMillis: () => 0,
  write: () => undefined,
});

function frame(functionName: string): SourceFrame {
  return {
    ...{ functionName, systemName: functionName, fileName: 'a.c' },
    ...{ line: 3, startLine: 1, column: 0 },
  };
}

/** A file whose functions are told by a map. */
class FakeFile {
  source: SymbolSource | undefined;
  asked: number[][] = [];
  failure: AppError | undefined;
  readonly #names: Map<number, string>;

  constructor(names: Record<number, string>, generation = 1) {
    this.#names = new Map(Object.entries(names).map(([at, name]) => [Number(at), name]));
    this.source = { path: 'a', hasDwarf: true, hasGoLineTable: false, generation };
  }

  readonly resolver: Resolver = {
    resolve: async (_source, addresses) => {
      this.asked.push([...addresses]);
      if (this.failure) throw this.failure;
      return addresses.map((address) => {
        const name = this.#names.get(address);
        return name === undefined ? [] : [frame(name)];
      });
    },
  };
}

function symbolizerOf(file: FakeFile, ...others: FakeFile[]): Symbolizer {
  return new Symbolizer({
    findSource: () => file.source,
    resolvers: () => [file, ...others].map(({ resolver }) => resolver),
    logger: silent,
    metrics: noMetrics,
  });
}

const nameOf = (symbolizer: Symbolizer, address: number): string | undefined =>
  symbolizer.framesOf('b', address)?.[0]?.functionName;

test('an address is looked up once, all of a query together', async () => {
  const file = new FakeFile({ 16: 'main', 32: 'work' });
  const symbolizer = symbolizerOf(file);
  const before = symbolizer.generation;
  for (const address of [16, 32, 48]) assert.equal(nameOf(symbolizer, address), undefined);
  assert.equal(symbolizer.stateOf('b').pendingCount, 3);
  await symbolizer.settled();
  assert.deepEqual(
    [16, 32, 48].map((address) => nameOf(symbolizer, address)),
    ['main', 'work', undefined],
  );
  assert.deepEqual(symbolizer.framesOf('b', 48), []);
  assert.deepEqual(file.asked, [[16, 32, 48]]);
  assert.ok(symbolizer.generation > before);
  assert.deepEqual(symbolizer.stateOf('b'), { pendingCount: 0, reason: undefined });
});

test('what one resolver does not know the next one is asked', async () => {
  const dwarf = new FakeFile({ 16: 'by dwarf' });
  const tables = new FakeFile({ 16: 'by table', 32: 'by table' });
  const symbolizer = symbolizerOf(dwarf, tables);
  for (const address of [16, 32]) nameOf(symbolizer, address);
  await symbolizer.settled();
  assert.equal(nameOf(symbolizer, 16), 'by dwarf');
  assert.equal(nameOf(symbolizer, 32), 'by table');
  assert.deepEqual(tables.asked, [[32]]);
});

test('without a file nothing is looked up until there is one', async () => {
  const file = new FakeFile({ 16: 'main' });
  const { source } = file;
  file.source = undefined;
  const symbolizer = symbolizerOf(file);
  assert.equal(nameOf(symbolizer, 16), undefined);
  await symbolizer.settled();
  assert.deepEqual(file.asked, []);
  assert.match(symbolizer.stateOf('b').reason ?? '', /no debug information/);
  file.source = source;
  const before = symbolizer.generation;
  symbolizer.sourceChanged('b');
  assert.ok(symbolizer.generation > before);
  nameOf(symbolizer, 16);
  await symbolizer.settled();
  assert.equal(nameOf(symbolizer, 16), 'main');
});

test('a file that cannot be read is tried once, and again when it is another one', async () => {
  const file = new FakeFile({ 16: 'main' });
  file.failure = new AppError('invalid-argument', 'cannot read ELF: damaged');
  const symbolizer = symbolizerOf(file);
  nameOf(symbolizer, 16);
  await symbolizer.settled();
  assert.equal(nameOf(symbolizer, 16), undefined);
  assert.equal(nameOf(symbolizer, 32), undefined);
  assert.equal(file.asked.length, 1);
  assert.deepEqual(symbolizer.stateOf('b'), {
    pendingCount: 0,
    reason: 'cannot read ELF: damaged',
  });
  file.failure = undefined;
  symbolizer.sourceChanged('b');
  nameOf(symbolizer, 16);
  await symbolizer.settled();
  assert.equal(nameOf(symbolizer, 16), 'main');
});

test('names of a file that is no longer the best one are not kept', async () => {
  const file = new FakeFile({ 16: 'old' });
  const better = new FakeFile({ 16: 'new' }, 2);
  let current = file;
  const symbolizer = new Symbolizer({
    findSource: () => current.source,
    resolvers: () => [current.resolver],
    logger: silent,
    metrics: noMetrics,
  });
  nameOf(symbolizer, 16);
  await Promise.resolve();
  current = better;
  symbolizer.sourceChanged('b');
  await symbolizer.settled();
  nameOf(symbolizer, 16);
  await symbolizer.settled();
  assert.equal(nameOf(symbolizer, 16), 'new');
});
