// How long writes take to be acknowledged by the real server, alone and while heavy queries run,
// until each kind of them was answered.
//
// BENCH_ROWS: rows that are stored before, 10 million by default. All queries ask for all of them,
// from another time each, so that none gets the answer of an earlier one.
import { join } from 'node:path';
import { seededRandom } from '../../src/base/random.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../../test/support/grpc-client.ts';
import { scratchDirectory, startServer } from '../../test/support/server.ts';
import { createUniverse } from '../fleet/universe.ts';
import { writeCpuProfile } from '../fleet/write-profile.ts';
import { startHeavyQueries } from './heavy-queries.ts';

const rowsWanted = Number(process.env['BENCH_ROWS'] ?? 10_000_000);
const writesTimedMin = 300;
/** Where a round of heavy queries takes as long. */
const writesTimedMax = 3_000;
const writePauseMillis = 20;
const delayGoalMillis = 50;
const startNanos = 1_760_000_000_000_000_000n;
const stepNanos = 10_000_000_000n;

/** Profiles with all stacks of a program each: as many rows as there can be in an upload. */
const universe = createUniverse(seededRandom(1));
const profiles = universe.programs.map((program) => {
  const counts = new Map(program.stacks.map((_, stack) => [stack, 1 + (stack % 9)]));
  const meta = { timeNanos: startNanos, durationNanos: stepNanos, periodNanos: 10_000_000n };
  return { rows: counts.size, plain: writeCpuProfile(universe.runtime, program, counts, meta) };
});

const scratch = await scratchDirectory();
const server = await startServer({
  storagePath: join(scratch.path, 'data'),
  flags: ['--query-timeout=0', '--http-write-timeout=10m'],
});
const client = connect(server.address);
let uploads = 0;

/** The next upload, at a time of its own: the last of several time fields of a message counts. */
function nextUpload(): { readonly rows: number; readonly request: Uint8Array } {
  const service = uploads % profiles.length;
  const { rows, plain } = profiles[service];
  const timed = [...varintField(9, startNanos + BigInt(uploads) * stepNanos)];
  const labels = { __name__: 'process_cpu', job: `service-${service}` };
  uploads += 1;
  return { rows, request: writeRawRequest(labels, Buffer.concat([plain, Buffer.from(timed)])) };
}

function* varintField(field: number, value: bigint): Generator<number> {
  yield field << 3;
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) yield Number(rest & 0x7fn) | 0x80;
  yield Number(rest);
}

/** Milliseconds from sending a write to its acknowledgement, ascending. */
async function timeWrites(isEnough: () => boolean): Promise<number[]> {
  const millis: number[] = [];
  while (millis.length < writesTimedMin || (millis.length < writesTimedMax && !isEnough())) {
    const { request } = nextUpload();
    const sent = performance.now();
    await unary(client, writeRawPath, request);
    millis.push(performance.now() - sent);
    await new Promise((resolve) => setTimeout(resolve, writePauseMillis));
  }
  return millis.sort((a, b) => a - b);
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

try {
  let rows = 0;
  while (rows < rowsWanted) {
    const batch = Array.from({ length: 4 }, nextUpload);
    await Promise.all(batch.map(({ request }) => unary(client, writeRawPath, request)));
    for (const upload of batch) rows += upload.rows;
  }
  const alone = await timeWrites(() => true);
  const queries = startHeavyQueries({
    ...{ address: server.address, url: server.url, fromNanos: startNanos },
    toNanos: startNanos + BigInt(uploads + writesTimedMax) * stepNanos,
  });
  const beside = await timeWrites(() => queries.isRoundOver());
  const count = await queries.stop();
  for (const [name, millis] of [
    ['alone', alone],
    [`beside ${count} queries of ${rows} rows`, beside],
  ] as const) {
    const [p50, p99, most] = [0.5, 0.99, 1].map((share) => at(millis, share).toFixed(1));
    console.log(`acknowledged ${name}: p50 ${p50} ms, p99 ${p99} ms, longest ${most} ms`);
  }
  const delay = at(beside, 0.99) - at(alone, 0.99);
  const verdict = delay <= delayGoalMillis ? 'ok' : 'NOT';
  console.log(`p99 is ${delay.toFixed(1)} ms longer, goal <= ${delayGoalMillis}, ${verdict}`);
} finally {
  client.close();
  await server.stop();
  await scratch.remove();
}
