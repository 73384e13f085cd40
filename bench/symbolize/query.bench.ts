// Benchmark of complete queries for the addresses of a service over an hour. Compares known names,
// unknown names, a store without names, and a store whose profiles were uploaded with names. Each
// turn uses a different range. Results are CPU times, because the differences are only a few
// milliseconds. They are lower quartiles, because other programs disturb the measurement.
import { createLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { seededRandom } from '../../src/base/random.ts';
import { areNamesPending } from '../../src/model/name-gaps.ts';
import type { LocationIndex } from '../../src/model/rows.ts';
import { cpuText, createEngine } from '../../src/query/testing/ask.ts';
import type { QueryEngine, Report } from '../../src/query/interface.ts';
import type { Querier } from '../../src/storage/interface.ts';
import { createMemoryStore } from '../../src/storage/tools/memory-store.ts';
import type { Resolver, SavedNames } from '../../src/symbolize/interface.ts';
import { NamingQuerier } from '../../src/symbolize/naming-querier.ts';
import { Symbolizer } from '../../src/symbolize/symbolizer.ts';
import { reportRatio } from '../measure.ts';

const [addressCount, stackCount, depth] = [10_000, 10_000, 24];
/** Approximate number of sampled addresses per function in a real program. */
const addressesPerFunction = 3;
const [warmUpTurns, turns] = [30, 200];
const [profileCount, rowCount] = [360, 2_000];
const secondNanos = 1_000_000_000n;
const pendingMillisMax = 5;
const buildIds = ['aa', 'bb', 'cc'].map((pair) => pair.repeat(20));
const random = seededRandom(8);

/**
 * Creates stacks of addresses like those of programs: neighbours share the frames near the root.
 */
function createStacks(): number[][] {
  const stack: number[] = [];
  return Array.from({ length: stackCount }, () => {
    stack.length = Math.min(stack.length, random.uint32() % depth);
    while (stack.length < depth) stack.push(random.uint32() % addressCount);
    return stack.toReversed();
  });
}
const callStacks = createStacks();
/** Rows of each profile: a subset of the stacks, each stack once. */
const rowsOfProfiles = Array.from({ length: profileCount }, () => {
  const first = random.uint32() % stackCount;
  return Array.from({ length: rowCount }, (_, i) => (first + 7 * i) % stackCount);
});

const testAddress = (index: number): number => 0x1000 + 16 * index;

/** Fills a store with the profiles; locations have lines if `isNamed` is true. */
async function createStore(isNamed: boolean): Promise<Querier> {
  const store = createMemoryStore(seededRandom(3));
  const appender = store.appender();
  const { strings, mappings, locations, functions, stacks } = appender.dictionary;
  const known = buildIds.map((id) => {
    const [path, buildId] = [strings.internText(`/app/${id}`), strings.internText(id)];
    return mappings.intern(0, 0, 0x100_0000, 0, 0, 0, path, buildId);
  });
  const file = strings.internText('a.c');
  const places: LocationIndex[] = [];
  for (let i = 0; i < addressCount; i += 1) {
    const address = testAddress(i);
    const place = locations.add(known[i % known.length], address, 0, isNamed ? 1 : 0);
    places.push(place);
    if (!isNamed) continue;
    const name = strings.internText(`function ${address}`);
    const called = functions.intern(name, strings.internText(`_Z${address}`), file, 1);
    locations.addLine(called, address, 0);
  }
  const rows = callStacks.map((stack, i) => {
    const path = stack.map((index) => places[index]);
    return stacks.add(Math.imul(i, 0x9e37_79b1), i, path);
  });
  for (const [i, own] of rowsOfProfiles.entries()) {
    appender.append({
      labels: [{ name: 'job', value: 'api' }],
      name: 'process_cpu',
      period: 1n,
      sampleTypes: [{ type: 'cpu', unit: 'nanoseconds' }],
      periodType: { type: 'cpu', unit: 'nanoseconds' },
      timeNanos: BigInt(10 * i + 1) * secondNanos,
      durationNanos: 10n * secondNanos,
      rowCount,
      sampleLabels: undefined,
      stacks: Uint32Array.from(own, (stack) => rows[stack]),
      values: [BigInt64Array.from(own, (stack) => BigInt(1 + (stack % 9)))],
      contentHash: BigInt(i + 1),
    });
  }
  await appender.commit();
  return store.querier;
}

interface Named {
  readonly querier: Querier;
  readonly symbolizer: Symbolizer;
}

const saved: SavedNames = {
  load: () => ({ frames: new Map(), notes: new Set() }),
  add: () => undefined,
};

/**
 * Creates the names of a candidate in a store of its own. With a shared store, other candidates
 * would read the same memory, which would then be in the CPU caches more often.
 */
async function createNaming(resolve: Resolver['resolve']): Promise<Named> {
  const logger = createLogger({
    level: 'error',
    format: 'logfmt',
    nowMillis: () => 0,
    write: () => undefined,
  });
  const symbolizer = new Symbolizer({
    saved,
    fetcher: { fetch: () => false, release: () => undefined },
    logger,
    metrics: noMetrics,
    findFiles: () => ({
      generation: 1,
      files: [{ path: 'a', hasDwarf: true, hasGoLineTable: false }],
      reason: '',
    }),
    resolvers: () => [{ resolve }],
  });
  return { querier: new NamingQuerier(await createStore(false), symbolizer), symbolizer };
}

/** Creates the names of a program that was sampled at `perFunction` addresses per function. */
function createWarm(perFunction: number): Promise<Named> {
  return createNaming(async (_source, addresses) =>
    addresses.map((address) => {
      const first = 0x1000 + 16 * perFunction * Math.floor((address - 0x1000) / (16 * perFunction));
      return [
        {
          functionName: `function ${first}`,
          systemName: `_Z${first}`,
          fileName: 'a.c',
          line: address,
          startLine: 1,
          column: 0,
        },
      ];
    }),
  );
}
const warmNames = await createWarm(1);
const warmFunctions = await createWarm(addressesPerFunction);
const pendingNames = await createNaming(() => new Promise(() => undefined));

/**
 * Creates a candidate's engine, which answers all of its queries: a server's engine lives as long
 * as the server, and keeps its memory for trees between queries.
 */
const engineFor = (querier: Querier): Candidate => ({ engine: createEngine(querier), millis: [] });

interface Candidate {
  readonly engine: QueryEngine;
  /** CPU time of each query. */
  readonly millis: number[];
}

/** Queries the hour except for a few profiles at its end, a different number in each turn. */
function ask({ engine }: Candidate, turn: number): Promise<Report> {
  const to = BigInt(10 * profileCount - turn) * secondNanos;
  const { signal } = new AbortController();
  return engine.report(
    {
      select: { mode: 'merge', query: cpuText, range: { from: 0n, to } },
      report: 'flame-graph',
      nodeTrimFraction: 0,
      rootTrimFraction: 0.0005,
      groupBy: [],
    },
    { signal },
  );
}

const alone = engineFor(await createStore(false));
const named = engineFor(await createStore(true));
const warm = engineFor(warmNames.querier);
const functions = engineFor(warmFunctions.querier);
const waiting = engineFor(pendingNames.querier);
const candidates = [alone, named, warm, functions, waiting];

for (const { querier, symbolizer } of [warmNames, warmFunctions]) {
  await ask(engineFor(querier), 0);
  await symbolizer.settled();
}
for (let turn = -warmUpTurns; turn < turns; turn += 1) {
  // The order changes from turn to turn, so that each candidate runs after each of the others.
  for (let at = 0; at < candidates.length; at += 1) {
    const i = (at * (1 + (turn & 3)) + turn + 5 * warmUpTurns) % candidates.length;
    const start = process.cpuUsage();
    const report = await ask(candidates[i], 1 + warmUpTurns + turn);
    const { user, system } = process.cpuUsage(start);
    if (turn >= 0) candidates[i].millis.push((user + system) / 1_000);
    const isRight = areNamesPending(report.nameGaps) === (candidates[i] === waiting);
    if (!isRight) throw new Error(`answer ${i}: ${JSON.stringify(report.nameGaps)}`);
  }
}

/** Returns the lower quartile, because other programs can only make a time longer. */
function lowerQuartile({ millis }: Candidate): number {
  return [...millis].sort((a, b) => a - b)[millis.length >> 2];
}
console.log(
  `${profileCount} profiles of ${rowCount} rows, ${stackCount} stacks of ${depth} frames, ` +
    `${addressCount} addresses, lower quartiles of ${turns} turns: ` +
    `${candidates.map((one) => lowerQuartile(one).toFixed(2)).join(', ')} ms ` +
    'of CPU without names, with names of the profile, with warm ones, with warm ones of ' +
    `${addressesPerFunction} addresses each, and with pending ones`,
);
const quartileRatio = (one: Candidate, base: Candidate): number =>
  lowerQuartile(one) / lowerQuartile(base);
// In `warm`, each address has its own function, which makes the report with names as large as
// possible.
reportRatio('warm names to addresses', quartileRatio(warm, alone), 1.05, false);
reportRatio(
  'warm names of few functions to addresses',
  quartileRatio(functions, alone),
  1.05,
  false,
);
// These two reports are equal.
reportRatio('warm names to names of the profile', quartileRatio(warm, named), 1.05, false);
const added = lowerQuartile(waiting) - lowerQuartile(alone);
const verdict = added <= pendingMillisMax ? 'ok' : 'NOT';
console.log(`pending names add ${added.toFixed(2)} ms, goal <= ${pendingMillisMax}, ${verdict}`);
