// Tests compactions in real threads on the real disk: they are completed, cancelled, or ended by
// the death of the thread.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createFakeClock } from '../../base/fake/clock.ts';
import { createFiles } from '../../base/node/files.ts';
import { seededRandom } from '../../base/random.ts';
import { randomRecipe } from '../fake/recipes.ts';
import { type CompactionRequest, createCompactionThreads } from './compactor.ts';
import { Maintenance } from './maintenance.ts';
import { sumsOfRecipes, sumsOfStore } from './testing/read-blocks.ts';
import { seeds, TestHost } from './testing/test-host.ts';

const script = new URL('../../../cmd/parca/workers/compaction-worker.ts', import.meta.url);
const range = { from: 0n, to: 2n ** 62n };
const { signal } = new AbortController();

async function temporaryDirectory(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'parca-compaction-'));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

function request(storagePath: string, rest: Partial<CompactionRequest> = {}): CompactionRequest {
  return {
    storagePath,
    seeds,
    id: 'new',
    level: 1,
    createdNanos: 1n,
    windowNanos: 0n,
    inputs: ['none'],
    sources: ['none'],
    hashesFromNanos: undefined,
    ...rest,
  };
}

test('a thread writes what this one would', async (t) => {
  const path = await temporaryDirectory(t);
  const clock = createFakeClock(5 * 86_400_000);
  const host = new TestHost(createFiles(), clock, seededRandom(1), path);
  await host.start();
  const random = seededRandom(1);
  const recipes = Array.from({ length: 100 }, (_, i) => {
    const timeNanos = BigInt(i) * 1_000_000_000n;
    return randomRecipe(random, {
      rows: 9,
      seriesCount: 3,
      functionCount: 5,
      timeNanos,
      mark: undefined,
    });
  });
  await host.addBlock(recipes.slice(0, 50));
  await host.addBlock(recipes.slice(50));
  const maintenance = new Maintenance(host, {
    storagePath: path,
    compactor: createCompactionThreads(script),
    retention: { timeNanos: 0n, sizeBytes: 0 },
  });
  await maintenance.runPass();
  assert.deepEqual(
    host.blocks().map(({ facts }) => facts.level),
    [2],
  );
  const query = { matchers: [], profileType: undefined, range };
  assert.deepEqual(await sumsOfStore(host.querier, query), sumsOfRecipes(recipes, range));
  for (const block of host.blocks()) await block.close();
});

test('a damaged input is an outcome, a full disk an error, as in this thread', async (t) => {
  const path = await temporaryDirectory(t);
  const threads = createCompactionThreads(script);
  const outcome = await threads.compact(request(path), signal);
  assert.ok(outcome.kind === 'unreadable');
  assert.equal(outcome.id, 'none');
  await assert.rejects(threads.compact(request(path, { inputs: [] }), signal), {
    code: 'not-found',
    message: /cannot open .*blocks\/new.block.tmp/,
  });
});

test('a compaction is cancelled before and while it runs', async (t) => {
  const path = await temporaryDirectory(t);
  const endless = join(path, 'endless.mjs');
  await writeFile(endless, 'setInterval(() => undefined, 1000);');
  const threads = createCompactionThreads(pathToFileURL(endless));
  const stop = new AbortController();
  const running = threads.compact(request(path), stop.signal);
  stop.abort();
  await assert.rejects(running, { code: 'cancelled' });
  await assert.rejects(threads.compact(request(path), stop.signal), { code: 'cancelled' });
});

test('a thread that dies fails only its own compaction', async (t) => {
  const path = await temporaryDirectory(t);
  const dying = join(path, 'dying.mjs');
  await writeFile(dying, 'throw new Error("out of luck");');
  const leaving = join(path, 'leaving.mjs');
  await writeFile(leaving, 'process.exit(3);');
  for (const [file, message] of [
    [dying, /the thread died: out of luck/],
    [leaving, /it exited with code 3/],
  ] as const) {
    const compacting = createCompactionThreads(pathToFileURL(file)).compact(request(path), signal);
    await assert.rejects(compacting, { code: 'internal', message });
  }
});
