// Benchmark of ingest workers, as ratios within one run. Measures CPU time per write when a worker
// processes only large profiles, and when it processes all profiles, each relative to no worker.
// Also measures writes per second with two workers, relative to one worker and to none. This
// process writes prepared requests, 32 at a time. All symbols are known, as in a server after its
// first minute.
import { MemoryFiles } from '../src/base/fake/memory-files.ts';
import { silentLogger } from '../src/base/logger.ts';
import { noMetrics } from '../src/base/metrics.ts';
import { createClock } from '../src/base/node/clock.ts';
import { seededRandom } from '../src/base/random.ts';
import { DecodePool, type DecodePoolOptions } from '../src/ingest/decode-pool.ts';
import { createLocalDecoder, createSplitDecoder } from '../src/ingest/decode-here.ts';
import type { Decoder } from '../src/ingest/decoder.ts';
import { createIngester } from '../src/ingest/ingester.ts';
import type { Ingester, ProfileUpload } from '../src/ingest/interface.ts';
import { openStore } from '../src/storage/store/open-store.ts';
import type { Storage } from '../src/storage/interface.ts';
import { generateFleet } from './fleet/fleet.ts';
import { median, reportRatio } from './measure.ts';

const turns = 9;
const warmUpTurns = 3;
const writesAtOnce = 32;

/** Decoders by name. */
const kinds = {
  none: () => createLocalDecoder(),
  'one for large writes': (machine) =>
    createSplitDecoder(new DecodePool({ ...machine, size: 1 }), machine.clock),
  one: (machine) => new DecodePool({ ...machine, size: 1 }),
  two: (machine) => new DecodePool({ ...machine, size: 2 }),
} satisfies Readonly<Record<string, (machine: Omit<DecodePoolOptions, 'size'>) => Decoder>>;

/** A write path with a given number of workers. */
interface Candidate {
  readonly name: string;
  readonly storage: Storage;
  readonly decoder: Decoder;
  readonly ingester: Ingester;
}

// The profiles have no times. Each write therefore makes a new profile, whose time is the time of
// its arrival.
const fleet = generateFleet({
  series: 100,
  profilesPerSeries: 10,
  startNanos: 0n,
  intervalNanos: 0n,
});
const uploads: ProfileUpload[] = Array.from(fleet, ({ labels, name, gzipped }) => ({
  labels: [...labels, { name: '__name__', value: name }],
  profile: gzipped,
}));
const candidates = await Promise.all(Object.entries(kinds).map(([name, kind]) => open(name, kind)));
const millis: number[][] = candidates.map(() => []);
const mainMillis: number[][] = candidates.map(() => []);
const allMillis: number[][] = candidates.map(() => []);
for (let turn = -warmUpTurns; turn < turns; turn += 1) {
  for (const [i, candidate] of candidates.entries()) {
    const started = performance.now();
    const cpu = process.threadCpuUsage();
    const allCpu = process.cpuUsage();
    await writeAll(candidate.ingester);
    const { user, system } = process.threadCpuUsage(cpu);
    const all = process.cpuUsage(allCpu);
    if (turn < 0) continue;
    millis[i].push(performance.now() - started);
    mainMillis[i].push((user + system) / 1000);
    allMillis[i].push((all.user + all.system) / 1000);
  }
}
for (const { storage, decoder } of candidates) {
  await decoder.close();
  await storage.close();
}

const micros = (values: readonly number[]): string =>
  ((median(values) * 1000) / uploads.length).toFixed(0);
for (const [i, { name }] of candidates.entries()) {
  const main = `of the main thread's CPU ${micros(mainMillis[i])} us`;
  const all = `of all threads' CPU ${micros(allMillis[i])} us`;
  console.log(`write, workers: ${name}: ${micros(millis[i])} us, ${main}, ${all}`);
}
const [none, , one, two] = millis;
reportRatio(
  'CPU, one worker for large writes / none',
  ratio(allMillis[1], allMillis[0]),
  1.05,
  false,
);
reportRatio(
  'CPU, one worker for all writes / none',
  ratio(allMillis[2], allMillis[0]),
  1.05,
  false,
);
reportRatio('writes a second, two workers / one', ratio(one, two), 1.7, true);
reportRatio('writes a second, two workers / none', ratio(none, two), 1.7, true);
reportRatio(
  "main thread's CPU, two workers / none",
  ratio(mainMillis[3], mainMillis[0]),
  0.3,
  false,
);

async function open(
  name: string,
  kind: (machine: Omit<DecodePoolOptions, 'size'>) => Decoder,
): Promise<Candidate> {
  const random = seededRandom(3);
  const shared = { clock: createClock(), logger: silentLogger, metrics: noMetrics, random };
  const storage = await openStore({ path: '/bench', files: new MemoryFiles(random), ...shared });
  const decoder = kind(shared);
  return {
    name,
    storage,
    decoder,
    ingester: createIngester({ ...shared, storage, decoder }),
  };
}

async function writeAll(ingester: Ingester): Promise<void> {
  const waiting = uploads.values();
  const writeNext = async (): Promise<void> => {
    for (const upload of waiting) await ingester.write([upload]);
  };
  await Promise.all(Array.from({ length: writesAtOnce }, writeNext));
}

/** Returns the median of `a` / `b` over all turns. */
function ratio(a: readonly number[], b: readonly number[]): number {
  return median(a.map((value, turn) => value / b[turn]));
}
