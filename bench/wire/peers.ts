// Compares this server with Parca and Pyroscope on this machine, in one run: pushes per second of
// server CPU time, and the time of queries for a service whose responses are not cached yet.
//
// node bench/wire/peers.ts PARCA PYROSCOPE
//
// PARCA and PYROSCOPE are the paths of their programs; `-` omits a program. The machine should be
// idle and have 16 GB of memory; the run takes about six minutes. BENCH_PROFILES_PER_SERIES is the
// number of profiles in each of the 1,000 series (4).
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '../../test/support/grpc-client.ts';
import { type ScratchDirectory, scratchDirectory, startServer } from '../../test/support/server.ts';
import { fleetDefaults } from '../fleet/fleet.ts';
import { cpuSeconds, memoryMegabytes } from '../figures.ts';
import { median } from '../measure.ts';
import { makeUploads, pushAll, makeQuestions } from './load.ts';
import {
  answering,
  type Contender,
  end,
  freePort,
  pushesAtOnce,
  questionNames,
  startProgram,
} from './peer-process.ts';
import { startPyroscope } from './pyroscope.ts';

const repeats = 5;

/**
 * Results of a server: pushes per second of CPU time, memory in megabytes, and milliseconds of each
 * query.
 */
interface Figures {
  readonly name: string;
  readonly pushRate: number;
  readonly megabytes: number;
  readonly millis: ReadonlyMap<string, number>;
}

const parcaName = 'Parca';
const [parca = '-', pyroscope = '-'] = process.argv.slice(2);
/** The profiles are recent, because Pyroscope refuses and hides old profiles. */
const startNanos = BigInt(Math.floor(Date.now() / 1_000) - 900) * 1_000_000_000n;
const uploads = makeUploads(Number(process.env['BENCH_PROFILES_PER_SERIES'] ?? 4), startNanos);
const scratch = await scratchDirectory();
try {
  const ours = await measure(await startOurs(scratch));
  const others = [];
  if (parca !== '-') others.push(await measure(await startParca(parca, scratch)));
  if (pyroscope !== '-')
    others.push(await measure(await startPyroscope(pyroscope, await pyroscopeFolder(), uploads)));
  for (const other of others) printRatios(ours, other);
} finally {
  await scratch.remove();
}

/** Measures a server, and stops it. */
async function measure(contender: Contender): Promise<Figures> {
  try {
    // The first round is not counted: its profiles contain all symbols, and the server's hot code
    // is compiled.
    await contender.push(0, fleetDefaults.series);
    const before = await cpuSeconds(contender.pid);
    await contender.push(fleetDefaults.series, uploads.length);
    const cpu = (await cpuSeconds(contender.pid)) - before;
    const { peak } = await memoryMegabytes(contender.pid);
    const millis = new Map<string, number>();
    for (const name of questionNames) millis.set(name, await measureTime(contender, name));
    const pushRate = (uploads.length - fleetDefaults.series) / cpu;
    console.log(
      `${contender.name}: ${pushRate.toFixed(0)} pushes a second of CPU, peak of ingest ` +
        `${peak.toFixed(0)} MB; ` +
        [...millis].map(([name, value]) => `${name} ${value.toFixed(1)} ms`).join('; '),
    );
    return { name: contender.name, pushRate, megabytes: peak, millis };
  } finally {
    await contender.stop();
  }
}

async function measureTime(contender: Contender, name: string): Promise<number> {
  const millis: number[] = [];
  for (let i = 0; i <= repeats; i += 1) {
    const start = performance.now();
    // Each query has a different range, so that no response comes from a cache.
    await contender.ask(name, i * 1_000);
    if (i > 0) millis.push(performance.now() - start);
  }
  return median(millis);
}

function printRatios(ours: Figures, other: Figures): void {
  const ratios = questionNames.map((name) => {
    const ratio = (other.millis.get(name) ?? NaN) / (ours.millis.get(name) ?? NaN);
    return `${name} ${ratio.toFixed(1)}`;
  });
  const pushes = (ours.pushRate / other.pushRate).toFixed(1);
  const memory = (other.megabytes / ours.megabytes).toFixed(1);
  console.log(`${other.name} to ours: pushes ${pushes}, memory ${memory}, ${ratios.join(', ')}`);
}

async function pyroscopeFolder(): Promise<string> {
  const folder = join(scratch.path, 'pyroscope');
  await mkdir(folder);
  return folder;
}

async function startOurs({ path }: ScratchDirectory): Promise<Contender> {
  const server = await startServer({ storagePath: join(path, 'data') });
  return overGrpc('this server', server.pid, server.address, () => server.stop());
}

async function startParca(program: string, { path }: ScratchDirectory): Promise<Contender> {
  const config = join(path, 'peer.yaml');
  const bucket = join(path, 'parca');
  await writeFile(
    config,
    `object_storage:\n  bucket:\n    type: FILESYSTEM\n    config:\n      directory: ${bucket}\n`,
  );
  const port = await freePort();
  const child = startProgram(program, [
    `--config-path=${config}`,
    `--http-address=127.0.0.1:${port}`,
    // Without this flag, old profiles are dropped when memory is full.
    '--storage-active-memory=12000000000',
  ]);
  await answering(`http://127.0.0.1:${port}/ready`, child);
  return overGrpc(parcaName, child.pid ?? 0, `127.0.0.1:${port}`, () => end(child));
}

/** Queries through Parca's API, which this server implements, too. */
function overGrpc(
  name: string,
  pid: number,
  address: string,
  stop: () => Promise<unknown>,
): Contender {
  const clients = Array.from({ length: pushesAtOnce }, () => connect(address));
  const questions = makeQuestions(clients[0], uploads, name === parcaName);
  return {
    name,
    pid,
    push: (first, last) => pushAll(clients, uploads, first, last),
    ask: async (wanted, leadMillis) => {
      await questions.find((one) => one.name === wanted)?.ask(leadMillis);
    },
    stop: () => {
      for (const client of clients) client.close();
      return stop();
    },
  };
}
