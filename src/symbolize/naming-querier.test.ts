// Tests that a cached dictionary gives the same results as a new dictionary while names arrive one
// by one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../base/random.ts';
import { nameGapSentences } from '../model/name-gaps.ts';
import type { SourceFrame } from './interface.ts';
import type { LoadedRange } from './file-addresses.ts';
import type { LocationIndex, StringIndex } from '../model/rows.ts';
import { cpuText, createEngine, flameGraph, merge } from '../query/testing/ask.ts';
import { createMemoryStore } from '../storage/tools/memory-store.ts';
import { type Names, NamingQuerier } from './naming-querier.ts';

const [addressCount, stackCount, depth] = [60, 150, 8];
const buildIds = ['aa', 'bb'].map((pair) => pair.repeat(20));
/** Address at which a process has its binaries. */
const loadedAt = 0x7f00_0000_0000;
const pickBuildId = (address: number): string => buildIds[address % 2];

/** Names that a test sets. */
class GivenNames implements Names {
  generation = 0;
  hasNotes = false;
  /** Build ids that were looked up, in order. */
  asked: string[] = [];
  readonly #lines = new Map<number, readonly SourceFrame[]>();
  readonly #changedAt = new Map<string, number>();
  readonly #placed = new Set<string>();

  give(address: number, names: readonly string[]): void {
    const line = { fileName: 'a.c', line: 1, startLine: 1, column: 0 };
    const lines = names.map((name) => ({ functionName: name, systemName: name, ...line }));
    if (names.length === 0) this.#lines.delete(address);
    else this.#lines.set(address, lines);
    this.generation += 1;
    this.#changedAt.set(pickBuildId(address), this.generation);
  }

  changedAt(buildId: string): number {
    return this.#changedAt.get(buildId) ?? 0;
  }

  findFrames(buildId: string, address: number): readonly SourceFrame[] | undefined {
    assert.equal(buildId, pickBuildId(address));
    this.asked.push(buildId);
    return this.#lines.get(address);
  }

  /** Adds or removes the file of a build. Without the file, its load address is unknown. */
  place(buildId: string, isThere: boolean): void {
    if (isThere) this.#placed.add(buildId);
    else this.#placed.delete(buildId);
    this.generation += 1;
    this.#changedAt.set(buildId, this.generation);
  }

  findBias(buildId: string, { start }: LoadedRange): number {
    return this.#placed.has(buildId) ? start : 0;
  }

  hasNames(): boolean {
    return this.#lines.size > 0;
  }

  whyUnnamed(buildId: string, address: number): string | undefined {
    this.asked.push(buildId);
    return this.#lines.has(address) ? undefined : 'no file has them';
  }

  readNotes(): Set<string> {
    return new Set();
  }

  async settle(): Promise<void> {}

  promise(): void {}
}

/**
 * Creates a store with stacks of addresses, some of which were pushed with names. Half of the
 * addresses are run-time addresses, as earlier versions stored them.
 */
async function createStore(random: ReturnType<typeof seededRandom>) {
  const store = createMemoryStore(random);
  const appender = store.appender();
  const { strings, mappings, locations, functions, stacks } = appender.dictionary;
  const internMapping = (buildId: string, high: number) => {
    const id = [strings.internText('/app/server'), strings.internText(buildId)] as const;
    return mappings.intern(0, high, 0x100_0000, high, 0, 0, ...id);
  };
  const places: LocationIndex[] = [];
  for (let address = 1; address <= addressCount; address += 1) {
    const isNamed = address % 10 === 0;
    const high = random.uint32() % 2 === 0 ? 0 : loadedAt / 2 ** 32;
    const mapping = internMapping(pickBuildId(address), high);
    places.push(locations.add(mapping, address, high, isNamed ? 1 : 0));
    const name = strings.internText(`came ${address}`);
    if (isNamed) locations.addLine(functions.intern(name, name, name, 1), 1, 0);
  }
  const rows = Array.from({ length: stackCount }, (_, i) => {
    const path = Array.from({ length: depth }, () => places[random.uint32() % addressCount]);
    return stacks.add(i, i, path);
  });
  appender.append({
    labels: [{ name: 'job', value: 'api' }],
    name: 'process_cpu',
    period: 1n,
    sampleTypes: [{ type: 'cpu', unit: 'nanoseconds' }],
    periodType: { type: 'cpu', unit: 'nanoseconds' },
    timeNanos: 1_000n,
    durationNanos: 1_000n,
    rowCount: stackCount,
    sampleLabels: undefined,
    contentHash: 1n,
    stacks: Uint32Array.from(rows),
    values: [BigInt64Array.from(rows, () => BigInt(1 + (random.uint32() % 50)))],
  });
  await appender.commit();
  return store.querier;
}

/** Returns the rows of the flame graph as strings, and the response's sentences about names. */
async function answerText(querier: NamingQuerier, query: string): Promise<string> {
  const report = await merge(querier, { query });
  const graph = flameGraph(report);
  const { strings, rowCount, parent, frames, frame, cumulative } = graph;
  const rows: string[] = [];
  for (let i = 0; i < rowCount; i += 1) {
    const shown = frames.functionName[frame[i]];
    const address = `0x${frames.addressLow[frame[i]]}`;
    const name = shown === -1 ? address : strings.text(shown as StringIndex);
    rows.push(`${parent[i]} ${name} ${cumulative[i]}`);
  }
  return [...rows, ...report.missing, ...nameGapSentences(report.nameGaps)].join('\n');
}

async function rangeText(querier: NamingQuerier): Promise<string> {
  const range = { from: 0n, to: 1_000_000n };
  const { signal } = new AbortController();
  const query = `${cpuText} | focus "f1"`;
  const asked = { query, range, stepNanos: 1_000_000n, limit: 0, sumBy: [] };
  const { series, missing } = await createEngine(querier).queryRange(asked, { signal });
  return JSON.stringify([series, missing], (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

for (const seed of [1, 2, 3]) {
  test(`names that come, change and go in any order are those of a new dictionary (${seed})`, async () => {
    const random = seededRandom(seed);
    const store = await createStore(random);
    const names = new GivenNames();
    const kept = new NamingQuerier(store, names);
    for (let round = 0; round < 40; round += 1) {
      for (let count = random.uint32() % 4; count >= 0; count -= 1) {
        const address = 1 + (random.uint32() % addressCount);
        const given = Array.from({ length: random.uint32() % 3 }, () => `f${random.uint32() % 12}`);
        names.give(address, given);
      }
      if (round % 4 === 3) names.place(buildIds[random.uint32() % 2], random.uint32() % 4 > 0);
      // Some queries do not select all stacks.
      const query = round % 3 === 0 ? `${cpuText} | focus "f1"` : cpuText;
      const fresh = new NamingQuerier(store, names);
      assert.equal(await answerText(kept, query), await answerText(fresh, query), `round ${round}`);
      if (round % 5 === 0) assert.equal(await rangeText(kept), await rangeText(fresh));
    }
  });
}

test('names of one build do not change the addresses of another', async () => {
  const store = await createStore(seededRandom(4));
  const names = new GivenNames();
  names.give(1, ['odd']);
  const querier = new NamingQuerier(store, names);
  await answerText(querier, cpuText);
  for (const [address, buildId] of [
    [2, pickBuildId(2)],
    [3, pickBuildId(3)],
  ] as const) {
    names.asked = [];
    names.give(address, ['new']);
    assert.match(await answerText(querier, cpuText), / new /);
    assert.deepEqual(new Set(names.asked), new Set([buildId]));
  }
});

test('addresses of processes get the names of their file, and its addresses, when it comes', async () => {
  const store = await createStore(seededRandom(5));
  const names = new GivenNames();
  const querier = new NamingQuerier(store, names);
  for (let address = 1; address <= addressCount; address += 1) names.give(address, [`f${address}`]);
  const high = async (): Promise<boolean> => {
    const { frames } = flameGraph(await merge(querier, { query: cpuText }));
    return frames.addressHigh.some((word) => word !== 0);
  };
  assert.match(await answerText(querier, cpuText), / 0x[1-9]/);
  assert.equal(await high(), true);
  for (const buildId of buildIds) names.place(buildId, true);
  assert.doesNotMatch(await answerText(querier, cpuText), / 0x[1-9]|missing/);
  assert.equal(await high(), false);
});

test('a store that cannot tell whether its data changed has no state', () => {
  const querier = createMemoryStore(seededRandom(1)).querier;
  const range = { from: 0n, to: 1n };
  const names = new GivenNames();
  assert.equal(typeof new NamingQuerier(querier, names).state(range), 'string');
  const stateless = new NamingQuerier({ ...querier, state: () => undefined }, names);
  assert.equal(stateless.state(range), undefined);
});
