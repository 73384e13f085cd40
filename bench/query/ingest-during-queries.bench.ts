// Benchmark of writes during heavy queries: how long the real server takes to acknowledge a write.
// Turns with queries alternate with turns without queries. A turn with queries lasts until each
// type of query has been answered. The benchmark runs once with the data in memory, where only the
// server delays a write, and once on disk, where syncs delay writes, too.
//
// BENCH_ROWS is the number of rows stored in advance, 10 million by default. Each query selects all
// rows, but from a different start time, so no response comes from the cache.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../src/base/random.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../../test/support/grpc-client.ts';
import { scratchDirectory, startServer, type TestServer } from '../../test/support/server.ts';
import { createUniverse } from '../fleet/universe.ts';
import { writeCpuProfile } from '../fleet/write-profile.ts';
import { startHeavyQueries } from './heavy-queries.ts';

const rowsWanted = Number(process.env['BENCH_ROWS'] ?? 10_000_000);
const turns = 2;
const writesTimedMin = 200;
/** Maximum number of writes to time if a round of heavy queries is slow. */
const writesTimedMax = 3_000;
const writePauseMillis = 20;
const delayGoalMillis = 50;
const startNanos = 1_760_000_000_000_000_000n;
const stepNanos = 10_000_000_000n;
const uploadsMax = 1_000_000n;
const places = [
  { name: 'in memory', parent: '/dev/shm' },
  { name: 'on the disk', parent: tmpdir() },
];

/** Profiles that contain all stacks of a program, and therefore have as many rows as possible. */
const universe = createUniverse(seededRandom(1));
const profiles = universe.programs.map((program) => {
  const counts = new Map(program.stacks.map((_, stack) => [stack, 1 + (stack % 9)]));
  const meta = { timeNanos: startNanos, durationNanos: stepNanos, periodNanos: 10_000_000n };
  return { rows: counts.size, plain: writeCpuProfile(universe.runtime, program, counts, meta) };
});

/** Writes profiles to a server. */
class Writer {
  rows = 0;
  #uploads = 0;
  readonly #client: ReturnType<typeof connect>;

  constructor({ address }: TestServer) {
    this.#client = connect(address);
  }

  /** Stores at least this number of rows. */
  async fill(rows: number): Promise<void> {
    while (this.rows < rows) await Promise.all(Array.from({ length: 4 }, () => this.#write()));
  }

  /**
   * Returns the milliseconds from sending each write to its acknowledgement, one write at a time.
   */
  async time(isEnough: () => boolean): Promise<number[]> {
    const millis: number[] = [];
    while (millis.length < writesTimedMin || (millis.length < writesTimedMax && !isEnough())) {
      const sent = performance.now();
      await this.#write();
      millis.push(performance.now() - sent);
      await new Promise((resolve) => setTimeout(resolve, writePauseMillis));
    }
    return millis;
  }

  close(): void {
    this.#client.close();
  }

  /**
   * Sends a profile with a new time. The time is appended to the message, because decoders use the
   * last time field of a message.
   */
  async #write(): Promise<void> {
    const service = this.#uploads % profiles.length;
    const { rows, plain } = profiles[service];
    const timed = [...varintField(9, startNanos + BigInt(this.#uploads) * stepNanos)];
    const labels = { __name__: 'process_cpu', job: `service-${service}` };
    this.#uploads += 1;
    this.rows += rows;
    const request = writeRawRequest(labels, Buffer.concat([plain, Buffer.from(timed)]));
    await unary(this.#client, writeRawPath, request);
  }
}

function* varintField(field: number, value: bigint): Generator<number> {
  yield field << 3;
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) yield Number(rest & 0x7fn) | 0x80;
  yield Number(rest);
}

for (const { name, parent } of places) {
  const scratch = await scratchDirectory(parent);
  const server = await startServer({
    storagePath: join(scratch.path, 'data'),
    flags: ['--query-timeout=0', '--http-write-timeout=10m'],
  });
  try {
    console.log(`data ${name}:`);
    await measure(server);
  } finally {
    await server.stop();
    await scratch.remove();
  }
}

async function measure(server: TestServer): Promise<void> {
  const writer = new Writer(server);
  await writer.fill(rowsWanted);
  const alone: number[] = [];
  const during: number[] = [];
  let answers = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    alone.push(...(await writer.time(() => true)));
    const queries = startHeavyQueries({
      address: server.address,
      url: server.url,
      fromNanos: startNanos - BigInt(turn) * stepNanos,
      toNanos: startNanos + uploadsMax * stepNanos,
    });
    during.push(...(await writer.time(() => queries.isRoundOver())));
    answers += await queries.stop();
  }
  writer.close();
  print('alone', alone);
  print(`during ${answers} queries of ${writer.rows} rows`, during);
  const delay = quantile(during, 0.99) - quantile(alone, 0.99);
  const verdict = delay <= delayGoalMillis ? 'ok' : 'NOT';
  console.log(`p99 is ${delay.toFixed(1)} ms longer, goal <= ${delayGoalMillis}, ${verdict}`);
}

function print(name: string, millis: readonly number[]): void {
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) => quantile(millis, share).toFixed(1));
  console.log(`acknowledged ${name}: p50 ${p50} ms, p99 ${p99} ms, longest ${most} ms`);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
