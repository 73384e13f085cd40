// Tests that the stored profiles are the union of all uploads, and that no two functions are
// confused: in the head, in blocks, in compacted blocks and after restarts, with and without
// workers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../base/fake/clock.ts';
import { MemoryFiles } from '../base/fake/memory-files.ts';
import { silentLogger } from '../base/logger.ts';
import { noMetrics } from '../base/metrics.ts';
import { seededRandom } from '../base/random.ts';
import { rounds } from '../base/testing/rounds.ts';
import { PprofWriter } from '../formats/pprof/writer.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { StringIndex } from '../model/rows.ts';
import type { Block } from '../storage/block/block.ts';
import { freeContext } from '../storage/free-context.ts';
import { Maintenance } from '../storage/maintenance/maintenance.ts';
import { inlineCompactor } from '../storage/maintenance/testing/test-host.ts';
import { openStore } from '../storage/store/open-store.ts';
import type { Store } from '../storage/store/store.ts';
import { DecodePool } from './decode-pool.ts';
import { startDecoderInPlace } from './fake/decoder-in-place.ts';
import { createIngester } from './ingester.ts';

/** A line of a location: its function and its line number. */
interface Call {
  readonly name: string;
  readonly systemName: string;
  readonly file: string;
  readonly startLine: number;
  readonly line: number;
}

interface Place {
  readonly buildId: string;
  readonly address: number;
  readonly calls: readonly Call[];
}

interface Sample {
  readonly stack: readonly Place[];
  readonly value: number;
}

/** Fields have only a few possible values, so that locations often differ in a single field. */
const calls: fc.Arbitrary<Call> = fc.record({
  name: fc.constantFrom('f', 'g', ''),
  systemName: fc.constantFrom('_f', '_g'),
  file: fc.constantFrom('', 'a.c'),
  startLine: fc.constantFrom(0, 3),
  line: fc.constantFrom(0, 7),
});
const places: fc.Arbitrary<Place> = fc.record({
  buildId: fc.constantFrom('', 'ab'),
  address: fc.constantFrom(0, 16),
  calls: fc.array(calls, { minLength: 1, maxLength: 2 }),
});
const samples: fc.Arbitrary<Sample> = fc.record({
  stack: fc.array(places, { minLength: 1, maxLength: 2 }),
  value: fc.integer({ min: 1, max: 9 }),
});
const profiles = fc.array(fc.array(samples, { minLength: 1, maxLength: 8 }), {
  minLength: 2,
  maxLength: 4,
});

const startMillis = Date.UTC(2026, 0, 1);
const hourMillis = 3_600_000;
const path = '/disk/data';

function encode(profile: readonly Sample[], i: number): Uint8Array {
  const writer = new PprofWriter();
  for (const { stack, value } of profile) {
    const locations = stack.map(({ buildId, address, calls: lines }) => {
      const mapping = writer.mapping({ file: '/app', buildId });
      const written = lines.map(({ name, systemName, file, startLine, line }) => {
        return [writer.function(name, systemName, file, startLine), line, 0] as const;
      });
      return writer.location(mapping, BigInt(address), written);
    });
    writer.sample(locations, [BigInt(value)]);
  }
  const timeNanos = BigInt(startMillis + i) * 1_000_000n;
  return writer.finish({ sampleTypes: [{ type: 'cpu', unit: 'count' }], timeNanos });
}

function printPlace(place: Place): string {
  const lines = place.calls.map(({ name, systemName, file, startLine, line }) =>
    // If there is no name, the system name is stored as the name, as for agents that do not
    // demangle.
    [name || systemName, systemName, file, startLine, line].join(','),
  );
  return `${place.buildId}@${place.address} ${lines.join(' < ')}`;
}

/**
 * Returns the sum of the values of each stack. A stack is described by the strings of its frames.
 */
function uniteSamples(all: readonly (readonly Sample[])[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { stack, value } of all.flat()) {
    const text = stack.map((place) => printPlace(place)).join('; ');
    sums[text] = (sums[text] ?? 0) + value;
  }
  return sums;
}

async function read(store: Store): Promise<Record<string, number>> {
  const range = { from: 0n, to: 2n ** 62n };
  using found = await store.querier.select({ matchers: [], profileType: undefined, range });
  const sum = { timesPeriod: false, steps: undefined };
  const question = { ...sum, groupBy: [], byTime: false };
  const { dictionary, groups } = await found.merge(question, freeContext);
  const sums: Record<string, number> = {};
  for (const { merged } of groups) {
    merged.stacks.forEach((stack, i) => {
      assert.ok(dictionary);
      const text = stackText(dictionary, stack);
      assert.equal(sums[text], undefined, 'a stack is one row');
      sums[text] = Number(merged.values[i]);
    });
  }
  return sums;
}

function stackText(dictionary: Dictionary, stack: number): string {
  const { stacks, locations, functions, mappings, strings } = dictionary;
  const text = (row: number): string => strings.text(row as StringIndex);
  const frames: string[] = [];
  for (let node: number = stacks.leaf[stack]; node !== 0; node = stacks.nodeParent[node]) {
    const at = stacks.nodeLocation[node];
    const found: Call[] = [];
    for (let line = locations.lineStart[at]; line < locations.lineStart[at + 1]; line += 1) {
      const called = locations.lineFunction[line];
      found.push({
        name: text(functions.name[called]),
        systemName: text(functions.systemName[called]),
        file: text(functions.fileName[called]),
        startLine: functions.startLine[called],
        line: locations.lineNumber[line],
      });
    }
    const buildId = text(mappings.buildId[locations.mapping[at]]);
    frames.push(printPlace({ buildId, address: locations.addressLow[at], calls: found }));
  }
  return frames.join('; ');
}

async function check(all: readonly (readonly Sample[])[], workers: number): Promise<void> {
  const random = seededRandom(1);
  const disk = new MemoryFiles(random);
  const clock = createFakeClock(startMillis);
  await disk.makeDirectory('/disk');
  const machine = () => {
    const files = disk.forProcess();
    return { files, clock, random, logger: silentLogger, metrics: noMetrics };
  };
  const open = (): Promise<Store> => openStore({ ...machine(), path });
  const write = async (store: Store, first: number, end: number): Promise<void> => {
    const pool = { ...machine(), size: workers, startDecoder: startDecoderInPlace };
    const decoder = workers === 0 ? undefined : new DecodePool(pool);
    const ingester = createIngester({ ...machine(), storage: store, decoder });
    const labels = [{ name: '__name__', value: 'process_cpu' }];
    for (let i = first; i < end; i += 1) {
      await ingester.write([{ labels, profile: encode(all[i], i) }]);
    }
  };
  let store = await open();
  await write(store, 0, 1);
  assert.deepEqual(await read(store), uniteSamples(all.slice(0, 1)), 'one profile');
  disk.kill();
  store = await open();
  await write(store, 1, 2);
  assert.deepEqual(await read(store), uniteSamples(all.slice(0, 2)), 'two, one before a restart');
  await inTime(store.rotate());
  assert.deepEqual(await read(store), uniteSamples(all.slice(0, 2)), 'of a block');
  await write(store, 2, all.length);
  assert.deepEqual(await read(store), uniteSamples(all), 'of a block and the head');
  await inTime(store.rotate());
  const maintenance = new Maintenance<Block>(
    {
      ...machine(),
      blocks: () => store.blocks(),
      openBlock: (id) => store.openBlock(id),
      replaceBlocks: (removed, added) => store.replaceBlocks(removed, added),
      rotate: () => store.rotate(),
    },
    {
      storagePath: path,
      compactor: inlineCompactor(disk.forProcess()),
      retention: { timeNanos: 0n, sizeBytes: 0 },
    },
  );
  clock.setWallMillis(startMillis + 48 * hourMillis);
  await inTime(maintenance.runPass());
  assert.equal(store.blocks().length, 1);
  assert.deepEqual(await read(store), uniteSamples(all), 'of a compacted block');
  await maintenance.close();
  await inTime(store.close());
  store = await open();
  assert.deepEqual(await read(store), uniteSamples(all), 'after another restart');
  await inTime(store.close());

  /** Waits until work has ended, and lets time pass meanwhile. */
  async function inTime(work: Promise<unknown>): Promise<void> {
    let isOver = false;
    const end = work.finally(() => {
      isOver = true;
    });
    while (!isOver) await clock.advance(10);
    await end;
  }
}

for (const workers of [0, 2]) {
  test(`profiles stored together are the union of what went in, ${workers} workers`, async () => {
    await fc.assert(
      fc.asyncProperty(profiles, (all) => check(all, workers)),
      { numRuns: rounds(25, 400) },
    );
  });
}
