// Benchmark of ingest workers, as ratios within one run: writes a second with two workers against
// one, and against none. This process writes prepared requests, 32 at a time. All symbols are
// known, as in a server after its first minute.
import { MemoryFiles } from '../src/base/fake/memory-files.ts';
import { silentLogger } from '../src/base/logger.ts';
import { noMetrics } from '../src/base/metrics.ts';
import { createClock } from '../src/base/node/clock.ts';
import { seededRandom } from '../src/base/random.ts';
import { DecodePool } from '../src/ingest/decode-pool.ts';
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

/** A write path with a number of workers. */
interface Candidate {
  readonly workers: number;
  readonly storage: Storage;
  readonly decoder: Decoder;
  readonly ingester: Ingester;
}

// Profiles without times: each write is a new profile, at the time of its arrival.
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
const candidates = await Promise.all([0, 1, 2].map(open));
const millis: number[][] = candidates.map(() => []);
const mainMillis: number[][] = candidates.map(() => []);
for (let turn = -warmUpTurns; turn < turns; turn += 1) {
  for (const [i, candidate] of candidates.entries()) {
    const started = performance.now();
    const cpu = process.threadCpuUsage();
    await writeAll(candidate.ingester);
    const { user, system } = process.threadCpuUsage(cpu);
    if (turn < 0) continue;
    millis[i].push(performance.now() - started);
    mainMillis[i].push((user + system) / 1000);
  }
}
for (const { storage, decoder } of candidates) {
  await decoder.close();
  await storage.close();
}

const micros = (values: readonly number[]): string =>
  ((median(values) * 1000) / uploads.length).toFixed(0);
for (const [i, { workers }] of candidates.entries()) {
  const main = `of the main thread's CPU ${micros(mainMillis[i])} us`;
  console.log(`write with ${workers} workers: ${micros(millis[i])} us, ${main}`);
}
const [none, one, two] = millis;
reportRatio('writes a second, two workers / one', ratio(one, two), 1.7, true);
reportRatio('writes a second, two workers / none', ratio(none, two), 1.7, true);
reportRatio(
  "main thread's CPU, two workers / none",
  ratio(mainMillis[2], mainMillis[0]),
  0.3,
  false,
);

async function open(workers: number): Promise<Candidate> {
  const random = seededRandom(3);
  const shared = { clock: createClock(), logger: silentLogger, metrics: noMetrics, random };
  const storage = await openStore({ path: '/bench', files: new MemoryFiles(random), ...shared });
  const decoder =
    workers === 0 ? createLocalDecoder() : new DecodePool({ ...shared, size: workers });
  return {
    workers,
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
