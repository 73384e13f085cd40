// Prints bytes per row of real Go profiles for each part of a block. The profiles come from
// go-workload, a program that profiles itself.
//
// Usage: node bench/storage/go-profiles.ts [<millis of a CPU profile> [<profiles>]]; needs Go and
// ten minutes. Profiles are taken one right after another, but stored as if they were ten seconds
// apart. Two seconds on two cores at 250 samples a second give as many samples as ten seconds on
// one busy core at Go's default of 100 samples a second. Also prints the lower bound: the order-0
// entropy of the stacks and values of a profile.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MemoryFiles } from '../../src/base/fake/memory-files.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { seededRandom } from '../../src/base/random.ts';
import { createIngester } from '../../src/ingest/ingester.ts';
import { BlockCache } from '../../src/storage/block/block-cache.ts';
import { BlockContent } from '../../src/storage/block/block-content.ts';
import { BlockFile } from '../../src/storage/block/block-file.ts';
import type { Piece } from '../../src/storage/block/bytes/piece.ts';
import { openStore } from '../../src/storage/store/open-store.ts';
import type { Appender } from '../../src/storage/interface.ts';
import { compactBlocks } from '../../src/storage/maintenance/compact.ts';
import { publishFile } from '../../src/base/durable-files.ts';
import type { Store } from '../../src/storage/store/store.ts';
import { dayNanos, windowNanos } from '../../src/storage/block/block-facts.ts';
import { reportRatio } from '../measure.ts';
import { RowFrequencies } from './row-frequencies.ts';

const run = promisify(execFile);
const workload = new URL('go-workload/', import.meta.url).pathname;
/** Start time. It is a multiple of two hours, so that all profiles are in one window. */
const startNanos = 1_760_054_400_000_000_000n;
const stepNanos = 10_000_000_000n;
/** Levels of compaction, with goals in bytes per row. */
const ages = [
  { id: 'hot', level: 1, nanos: windowNanos, age: 'two hours', goal: 2.3 },
  { id: 'cold', level: 2, nanos: dayNanos, age: 'a day', goal: 1 },
] as const;
const storagePath = '/store';
/** See go-workload/main.go. */
const works = ['service', 'compiler'];
const kinds = [
  { kind: 'cpu', name: 'process_cpu' },
  { kind: 'heap', name: 'memory' },
] as const;

const [millis = '2000', count = '150'] = process.argv.slice(2);
const scratch = await mkdtemp(join(tmpdir(), 'go-profiles-'));
try {
  const program = join(scratch, 'workload');
  await run(process.env['TEST_GO'] ?? 'go', ['build', '-o', program, '.'], { cwd: workload });
  for (const work of works) {
    const out = await mkdtemp(join(scratch, 'profiles-'));
    const asked = { work, out, count, millis };
    await run(
      program,
      Object.entries(asked).map(([flag, value]) => `--${flag}=${value}`),
    );
    await report(work, out);
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}

async function report(work: string, folder: string): Promise<void> {
  for (const { kind, name } of kinds) {
    const names = (await readdir(folder)).filter((file) => file.startsWith(`${kind}-`)).sort();
    const uploads = await Promise.all(names.map((file) => readFile(join(folder, file))));
    const frequencies = new RowFrequencies();
    const files = await fillStore(name, uploads, frequencies);
    console.log(`${work} ${kind}: ${frequencies.text()}`);
    await reportBlocks(`${work} ${kind}`, files);
  }
}

/** Returns the files of a store with these profiles in one block. */
async function fillStore(
  name: string,
  uploads: readonly Uint8Array[],
  frequencies: RowFrequencies,
): Promise<MemoryFiles> {
  const random = seededRandom(1);
  const files = new MemoryFiles(random);
  const given = { files, random, clock: createClock(), logger: silentLogger, metrics: noMetrics };
  const store = await openStore({ ...given, path: storagePath });
  const ingester = createIngester({ ...given, storage: spreadInTime(store, frequencies) });
  for (const profile of uploads) {
    await ingester.write([{ labels: [{ name: '__name__', value: name }], profile }]);
  }
  await store.close();
  return files;
}

/** Spaces the profiles ten seconds apart, with the jitter of real timers. */
function spreadInTime(store: Store, frequencies: RowFrequencies): Pick<Store, 'appender'> {
  let next = startNanos;
  return {
    appender: (): Appender => {
      const appender = store.appender();
      return {
        dictionary: appender.dictionary,
        commit: () => appender.commit(),
        append: (profile) => {
          frequencies.add(appender.dictionary, profile);
          const timeNanos = next + (profile.timeNanos % 2_000_000n);
          appender.append({ ...profile, timeNanos });
          next += stepNanos;
        },
      };
    },
  };
}

/** Prints the size of the blocks when new, after two hours, and after a day. */
async function reportBlocks(kind: string, files: MemoryFiles): Promise<void> {
  const blocks = `${storagePath}/blocks`;
  const cut = (await files.list(blocks)).map((name) => name.replace('.block', ''));
  await reportBytes(`${kind}, as cut`, files, cut);
  for (const { id, level, nanos, age, goal } of ages) {
    await compactBlocks(
      files,
      {
        storagePath,
        seeds: [1, 2, 3],
        id,
        level,
        createdNanos: 0n,
        windowNanos: nanos,
        inputs: cut,
        sources: cut,
        hashesFromNanos: startNanos + nanos,
      },
      new AbortController().signal,
    );
    await publishFile(files, `${blocks}/${id}.block`);
    await reportBytes(`${kind}, ${age} old`, files, [id], goal);
  }
}

async function reportBytes(
  name: string,
  files: MemoryFiles,
  ids: readonly string[],
  goal?: number,
): Promise<void> {
  const counts = { profiles: 0, chunks: 0, rows: 0 };
  const bytes = { profiles: 0, stacks: 0, rows: 0, index: 0, sums: 0, symbols: 0 };
  for (const id of ids) {
    const path = `${storagePath}/blocks/${id}.block`;
    const file = await BlockFile.open(await files.open(path, { create: false }));
    const cache = new BlockCache(1 << 24);
    const noteCorruption = (): void => undefined;
    const content = new BlockContent({ file, cache, noteCorruption, clock: undefined });
    const [profiles, stacks, rows, ...sums] = (await content.pages()).map(storedBytes);
    const ofSums = sums.reduce((sum, of) => sum + of, 0);
    const symbols = storedBytes(file.tables.symbols.flat());
    counts.profiles += file.facts.profileCount;
    counts.chunks += file.facts.chunkCount;
    counts.rows += file.facts.rowCount;
    bytes.profiles += profiles;
    bytes.stacks += stacks;
    bytes.rows += rows;
    bytes.symbols += symbols;
    bytes.sums += ofSums;
    bytes.index += file.fileBytes - profiles - stacks - rows - ofSums - symbols;
    await content.close();
  }
  const perRow = Object.entries(bytes).map(([part, of]) => [part, of / counts.rows] as const);
  const all = perRow.reduce((sum, [, share]) => sum + share, 0);
  console.log(
    `${name}: ${counts.profiles} profiles, ${counts.chunks} chunks, ${counts.rows} rows; ` +
      perRow.map(([part, share]) => `${part} ${share.toFixed(3)}`).join(', '),
  );
  console.log(`${name}: ${all.toFixed(2)} bytes a row in all`);
  const alone = all - (bytes.symbols + bytes.sums) / counts.rows;
  const what = `${name}: bytes a row without symbols and sums over windows`;
  if (goal === undefined) console.log(`${what}: ${alone.toFixed(2)}`);
  else reportRatio(what, alone, goal, false);
}

function storedBytes(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + piece.storedBytes, 0);
}
