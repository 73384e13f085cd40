import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../base/fake/clock.ts';
import {
  lookAheadAddressesMax,
  lookAheadBuildMillis,
  lookAheadBurstMillis,
  lookAheadMillis,
  lookAheadShare,
} from './limits.ts';
import { silentLogger } from '../base/logger.ts';
import { noMetrics } from '../base/metrics.ts';
import { Dictionary } from '../model/dictionary.ts';
import type { Resolver } from './interface.ts';
import { BinaryPaths } from './binary-paths.ts';
import { LookAhead } from './look-ahead.ts';
import { Symbolizer } from './symbolizer.ts';

const [one, two] = ['aa', 'bb'].map((pair) => pair.repeat(20));

/**
 * Creates a symbolizer that finds names for all addresses of existing files. Each run takes
 * `runMillis`.
 */
function createBench({ runMillis = 10 } = {}) {
  const clock = createFakeClock();
  const withFile = new Set<string>();
  const runs: { readonly addresses: readonly number[]; readonly isAhead: boolean }[] = [];
  const fetched: string[] = [];
  const resolve: Resolver['resolve'] = async (_source, addresses, _signal, _note, isAhead) => {
    runs.push({ addresses, isAhead: isAhead === true });
    await new Promise<void>((done) => clock.setTimer(runMillis, done));
    return addresses.map((address) => [
      {
        functionName: `f${address}`,
        systemName: '',
        fileName: 'a.c',
        line: 1,
        startLine: 1,
        column: 0,
      },
    ]);
  };
  const files = [{ path: 'a', hasDwarf: false, hasGoLineTable: false }];
  const symbolizer = new Symbolizer({
    findFiles: (buildId) =>
      withFile.has(buildId)
        ? { generation: 1, files, reason: '' }
        : { generation: 0, files: [], reason: 'nothing was uploaded' },
    fetcher: { fetch: (buildId) => fetched.push(buildId) > 0, release: () => undefined },
    saved: { load: () => ({ frames: new Map(), notes: new Set() }), add: () => undefined },
    resolvers: () => [{ resolve }],
    logger: silentLogger,
    metrics: noMetrics,
  });
  const paths = new BinaryPaths();
  const hasFile = (buildId: string): boolean => withFile.has(buildId);
  const ahead = new LookAhead({ symbolizer, hasFile, paths, clock, metrics: noMetrics });
  const upload = (buildId: string): void => {
    withFile.add(buildId);
    symbolizer.filesChanged(buildId);
    ahead.filesChanged(buildId);
  };
  const asked = (): readonly (readonly number[])[] => runs.map(({ addresses }) => addresses);
  return { clock, symbolizer, ahead, paths, upload, runs, asked, fetched };
}

function add(dictionary: Dictionary, buildId: string, addresses: readonly number[]): void {
  const { strings, mappings, locations } = dictionary;
  const texts = [strings.internText('/app/server'), strings.internText(buildId)] as const;
  const mapping = mappings.intern(0, 0, 0, 0, 0, 0, ...texts);
  for (const address of addresses) locations.add(mapping, address, 0, 0);
}

test('arriving addresses of files that are there are looked up before anybody asks', async () => {
  const { clock, symbolizer, ahead, paths, upload, runs, asked, fetched } = createBench();
  const dictionary = new Dictionary([1, 2, 3]);
  ahead.start(() => dictionary);
  upload(one);
  add(dictionary, one, [16, 32]);
  add(dictionary, two, [48]);
  const { generation } = symbolizer;
  await clock.advance(lookAheadMillis + 100);
  assert.deepEqual(runs, [{ addresses: [16, 32], isAhead: true }]);
  assert.deepEqual(
    [one, two].map((id) => paths.findPath(id)),
    ['/app/server', '/app/server'],
  );
  assert.equal(symbolizer.generation, generation, 'kept answers stay');
  assert.equal(symbolizer.findFrames(one, 16)?.[0].functionName, 'f16');
  // The file of the other binary arrives later, with the addresses that were seen before.
  upload(two);
  await clock.advance(2 * lookAheadMillis);
  assert.deepEqual(asked(), [[16, 32], [48]]);
  // New addresses of one binary are looked up together.
  add(dictionary, one, [64]);
  await clock.advance(lookAheadMillis);
  add(dictionary, one, [80]);
  await clock.advance(2 * lookAheadBuildMillis);
  assert.deepEqual(asked(), [[16, 32], [48], [64, 80]]);
  assert.deepEqual(fetched, [one], 'files with lines are fetched for questions alone');
  await ahead.stop();
});

test('many locations are looked through in slices', async () => {
  const { clock, ahead, upload, symbolizer } = createBench();
  let [pauses, now] = [0, 0];
  // With this clock, a slice ends each time the clock is read.
  const impatient = {
    ...clock,
    monotonicMillis: () => (now += 5),
    setTimer: (delayMillis: number, fire: () => void) => {
      if (delayMillis === 0) pauses += 1;
      return clock.setTimer(delayMillis, fire);
    },
  };
  const hasFile = (): boolean => true;
  const parts = { symbolizer, hasFile, paths: new BinaryPaths(), metrics: noMetrics };
  const looking = new LookAhead({ ...parts, clock: impatient });
  upload(one);
  const dictionary = new Dictionary([1, 2, 3]);
  add(
    dictionary,
    one,
    Array.from({ length: 50_000 }, (_, i) => i),
  );
  looking.start(() => dictionary);
  await clock.advance(2 * lookAheadMillis);
  assert.ok(pauses >= 40, `${pauses} pauses`);
  await Promise.all([looking.stop(), ahead.stop()]);
});

test('addresses of the next dictionary are new, and read again when names are read otherwise', async () => {
  const { clock, ahead, upload, symbolizer, asked } = createBench();
  let dictionary = new Dictionary([1, 2, 3]);
  ahead.start(() => dictionary);
  upload(one);
  add(dictionary, one, [16]);
  await clock.advance(2 * lookAheadMillis);
  dictionary = new Dictionary([1, 2, 3]);
  add(dictionary, one, [16, 32]);
  await clock.advance(2 * lookAheadBuildMillis);
  assert.deepEqual(asked(), [[16], [32]], 'what is known is not looked up');
  symbolizer.readAgain();
  ahead.readAgain();
  await clock.advance(2 * lookAheadBuildMillis);
  assert.deepEqual(asked(), [[16], [32], [16, 32]]);
  await ahead.stop();
});

test('questions come first, and do not wait for it', async () => {
  const { clock, symbolizer, ahead, upload, runs } = createBench({ runMillis: 3_000 });
  const dictionary = new Dictionary([1, 2, 3]);
  ahead.start(() => dictionary);
  upload(one);
  upload(two);
  symbolizer.findFrames(one, 16);
  add(dictionary, two, [32]);
  await clock.advance(lookAheadMillis + 500);
  assert.deepEqual(runs, [{ addresses: [16], isAhead: false }]);
  await clock.advance(3_000);
  assert.deepEqual(runs.at(-1), { addresses: [32], isAhead: true });
  symbolizer.findFrames(two, 48);
  await clock.advance(0);
  assert.deepEqual(runs.at(-1), { addresses: [48], isAhead: false }, 'of the same file, too');
  await clock.advance(3_000);
  assert.deepEqual(
    [32, 48].map((address) => symbolizer.findFrames(two, address)?.[0].functionName),
    ['f32', 'f48'],
  );
  await ahead.stop();
});

test('it takes a share of the time, and a limited number of addresses', async () => {
  const runMillis = 5_000;
  const { clock, ahead, upload, runs } = createBench({ runMillis });
  const dictionary = new Dictionary([1, 2, 3]);
  ahead.start(() => dictionary);
  for (let i = 0; i < 1_000; i += 1) {
    const buildId = String(i).padStart(40, '0');
    upload(buildId);
    add(dictionary, buildId, [16]);
  }
  const hours = 1;
  await clock.advance(hours * 3_600_000);
  const millis = runs.length * runMillis;
  const most = lookAheadBurstMillis + lookAheadShare * hours * 3_600_000 + runMillis;
  assert.ok(millis <= most && millis > 0.9 * most, `${millis} of ${most}`);
  await ahead.stop();
});

test('addresses that there is no room for are found again', async () => {
  const { clock, ahead, upload, asked } = createBench({ runMillis: 0 });
  const dictionary = new Dictionary([1, 2, 3]);
  ahead.start(() => dictionary);
  upload(one);
  const count = lookAheadAddressesMax + 1_000;
  add(
    dictionary,
    one,
    Array.from({ length: count }, (_, i) => 16 * (i + 1)),
  );
  for (let i = 0; i < 20; i += 1) await clock.advance(lookAheadMillis);
  assert.equal(new Set(asked().flat()).size, count);
  await ahead.stop();
});
