// Tests of ingest workers: they decode the same profiles as the main thread, even if workers die or
// are replaced.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { finishAtOnce } from '../base/pacer.ts';
import { AppError } from '../base/errors.ts';
import { decodeSlotBytes, ingestForgetMillis } from './limits.ts';
import { silentLogger } from '../base/logger.ts';
import { noMetrics } from '../base/metrics.ts';
import type { Clock, Timer } from '../base/clock.ts';
import { createClock } from '../base/node/clock.ts';
import { createCollector } from '../base/node/memory.ts';
import { seededRandom } from '../base/random.ts';
import { runningThreads } from '../base/threads/thread.ts';
import { PprofWriter } from '../formats/pprof/writer.ts';
import { Dictionary } from '../model/dictionary.ts';
import { DecodePool, usualIngestWorkers, type DecodePoolOptions } from './decode-pool.ts';
import { createIngester } from './ingester.ts';
import type { DecodedBatch } from './decoder.ts';
import { startDecoderThread, type DecoderEvents, type DecoderThread } from './decode-thread.ts';
import { startDecoderInPlace } from './fake/decoder-in-place.ts';
import { createTestIngester, setUpWith } from './testing/write-path.ts';
import { encode, upload, type TestSample } from './testing/uploads.ts';
import type { StringIndex } from '../model/rows.ts';
import type { IncomingProfile } from '../storage/interface.ts';
import type { SeriesUpload } from './upload-reader.ts';

const head = new Dictionary([1, 2, 3]);
const shared = {
  size: 2,
  clock: createClock(),
  random: seededRandom(1),
  logger: silentLogger,
  metrics: noMetrics,
};

function seriesUpload(instance: string, profile: Uint8Array): SeriesUpload {
  const series = { name: 'process_cpu', labels: [{ name: 'instance', value: instance }] };
  const limits = { samplesMax: 0, contentBytesMax: 0 };
  return {
    series,
    profile,
    keepSampleTypes: [],
    receivedNanos: 7n,
    timeNanos: undefined,
    areFileAddresses: false,
    ...limits,
  };
}

function makeSample(...stack: string[]): TestSample {
  return { stack, values: [1n] };
}

/** Returns the profiles of a batch as copies. */
async function takeProfiles(batch: DecodedBatch): Promise<IncomingProfile[]> {
  const profiles: IncomingProfile[] = [];
  assert.equal(await batch.carry?.(() => true), true);
  finishAtOnce(batch.appendTo((profile) => profiles.push(profile)));
  return profiles;
}

async function takeStacks(batch: DecodedBatch): Promise<number[]> {
  return (await takeProfiles(batch)).flatMap(({ stacks }) => [...stacks]);
}

function realUploads() {
  const testdata = new URL('../formats/pprof/testdata/', import.meta.url);
  return ['go-cpu', 'go-heap'].map((name) =>
    upload(readFileSync(new URL(`${name}.pb.gz`, testdata))),
  );
}

test('half of the cores decode by default, and one below four cores', () => {
  assert.deepEqual([1, 2, 3, 4, 5, 8, 64].map(usualIngestWorkers), [1, 1, 1, 2, 2, 4, 4]);
});

test('threads decode as the main thread does', async () => {
  const alone = setUpWith(2);
  const threaded = setUpWith(0);
  const pool = new DecodePool(shared);
  const ingester = createTestIngester(threaded.storage, threaded.metrics, pool);
  try {
    const small = upload({ samples: [makeSample('leaf', 'main')] });
    const samples = Array.from({ length: 6_000 }, (_, i) => makeSample(`leaf${i}`, 'main'));
    const large = upload({ samples });
    assert.ok(large.profile.length > decodeSlotBytes, 'no slot of shared memory has room for it');
    const long = [{ name: 'job', value: 'v'.repeat(3_000) }, ...small.labels.slice(1)];
    const uploads = [...realUploads(), small, large, { ...small, labels: long }];
    await Promise.all([uploads, uploads, uploads].map((batch) => ingester.write(batch)));
    for (const batch of [uploads, uploads, uploads]) await alone.ingester.write(batch);
    assert.deepEqual(threaded.storage.profiles, alone.storage.profiles);
    // The pool must not have taken the memory of the uploads from their caller.
    assert.ok(uploads.every(({ profile }) => profile.length > 0));
    await assert.rejects(ingester.write([...uploads, upload(new Uint8Array(3))]), {
      code: 'invalid-argument',
    });
  } finally {
    await pool.close();
  }
});

test('the store cannot tell profiles of workers from profiles decoded without them', async () => {
  const { storage, metrics, ingester } = setUpWith(0);
  const pool = new DecodePool({ ...shared, startDecoder: startDecoderInPlace });
  const byWorkers = createTestIngester(storage, metrics, pool);
  const labels = [['span', 'a'] as const, ['bytes', 7, 'kB'] as const];
  const known = realUploads();
  const uploads = [
    ...known,
    upload({ samples: [{ ...makeSample('leaf', 'main'), labels }], buildId: 'b' }),
    upload({ samples: [{ ...makeSample('other', 'main'), labels }] }),
  ];
  // Each of the two decoders must recognize the symbols that the other has added.
  await ingester.write(known);
  await byWorkers.write(uploads);
  await ingester.write(uploads);
  const { profiles } = storage;
  assert.equal(profiles.length, 10);
  assert.deepEqual(profiles.slice(2, 4), profiles.slice(0, 2));
  assert.deepEqual(profiles.slice(6), profiles.slice(2, 6));
  assert.equal(
    metrics.counts.get('parca_ingest_new_stacks_total'),
    storage.dictionary.stacks.length - 1,
  );
});

test('a series has one worker; the workers share the series', async () => {
  const seen: string[][] = [];
  const startDecoder = (
    seeds: readonly [number, number, number],
    events: DecoderEvents,
  ): DecoderThread => {
    const decoder = startDecoderInPlace(seeds, events);
    const series: string[] = [];
    seen.push(series);
    return {
      ...decoder,
      send(request) {
        for (const one of request.uploads) series.push(one.series.labels[0].value);
        decoder.send(request);
      },
    };
  };
  const pool = new DecodePool({ ...shared, startDecoder });
  const profile = encode({ samples: [makeSample('main')] });
  const batch = Array.from({ length: 100 }, (_, i) => seriesUpload(`host-${i}`, profile));
  for (let round = 0; round < 3; round += 1) {
    const profiles = await takeProfiles(await pool.decode(batch, () => head));
    assert.deepEqual(
      profiles.map(({ rowCount }) => rowCount),
      batch.map(() => 1),
    );
  }
  assert.equal(seen.length, 2);
  const owned = seen.map((series) => new Set(series));
  assert.equal(owned[0].size + owned[1].size, 100);
  assert.ok(
    owned.every(({ size }) => size > 25),
    'each has its share',
  );
});

test('a worker that forgets its symbols sends them again; earlier profiles keep theirs', async () => {
  const bounded: DecodePoolOptions = {
    ...shared,
    size: 1,
    // Each reply exceeds this limit, so the worker starts a new dictionary after each reply.
    startDecoder: (seeds, events) => startDecoderInPlace(seeds, events, 1),
  };
  const pool = new DecodePool(bounded);
  const batches = [
    [seriesUpload('a', encode({ samples: [makeSample('leaf', 'main'), makeSample('main')] }))],
    [seriesUpload('a', encode({ samples: [makeSample('other', 'main')] }))],
    [seriesUpload('a', encode({ samples: [makeSample('leaf', 'main')] }))],
  ];
  const target = new Dictionary([4, 5, 6]);
  const decoded = await Promise.all(batches.map((batch) => pool.decode(batch, () => target)));
  const stacks: number[][] = [];
  for (const batch of decoded.toReversed()) stacks.push(await takeStacks(batch));
  // Stacks are numbered in the order of appending: leaf;main, other;main, then both stacks of the
  // first batch.
  assert.deepEqual(stacks, [[1], [2], [1, 3]]);
});

test('each head gets the symbols of its own uploads, also while two take turns', async () => {
  const pool = new DecodePool({ ...shared, startDecoder: startDecoderInPlace });
  const named = (name: string): SeriesUpload[] => {
    const places = { addressOf: () => 16, lineOf: () => 7 };
    return [seriesUpload('a', encode({ samples: [makeSample(name)], buildId: 'b', ...places }))];
  };
  const heads = [new Dictionary([1, 2, 3]), new Dictionary([1, 2, 3])];
  // If one address has two different names, both are kept.
  const decoded = await Promise.all([
    pool.decode(named('first'), () => heads[0]),
    pool.decode(named('second'), () => heads[0]),
    pool.decode(named('third'), () => heads[1]),
    pool.decode(named('fourth'), () => heads[1]),
  ]);
  const stacks: number[][] = [];
  for (const batch of decoded) stacks.push(await takeStacks(batch));
  assert.deepEqual(stacks, [[1], [2], [1], [2]]);
  const functionNames = ({ strings, functions }: Dictionary): string[] =>
    Array.from(functions.name.subarray(1, functions.length), (row) =>
      strings.text(row as StringIndex),
    );
  assert.deepEqual(heads.map(functionNames), [
    ['first', 'second'],
    ['third', 'fourth'],
  ]);
});

test('profiles whose head is gone when they are decoded are decoded for the next one', async () => {
  const { storage, metrics } = setUpWith(0);
  let requests = 0;
  const pool = new DecodePool({
    ...shared,
    startDecoder: (seeds, events) => {
      const decoder = startDecoderInPlace(seeds, events);
      return {
        ...decoder,
        send(request) {
          requests += 1;
          decoder.send(request);
        },
      };
    },
  });
  const writing = createTestIngester(storage, metrics, pool).write(realUploads().slice(0, 1));
  while (requests === 0) await Promise.resolve();
  storage.dictionary = new Dictionary([4, 5, 6]);
  await writing;
  assert.equal(requests, 2);
  const known = metrics.counts.get('parca_ingest_new_stacks_total');
  assert.equal(known, storage.dictionary.stacks.length - 1);
});

test('a large write is appended in slices; a head that is cut between two gets none of it', async () => {
  const { storage, metrics } = setUpWith(0);
  const pool = new DecodePool({ ...shared, startDecoder: startDecoderInPlace });
  let millis = 0;
  // Each time the clock is read, 10 ms pass, so that a slice ends.
  const clock = { ...createClock(), monotonicMillis: () => (millis += 10) };
  const counted = { storage, clock, metrics, logger: silentLogger, decoder: pool };
  const appended: number[] = [];
  const heads = new Set<Dictionary>();
  const ingester = createIngester({
    ...counted,
    storage: {
      appender: () => {
        const { append, ...appender } = storage.appender();
        const one = (profile: IncomingProfile): void => {
          heads.add(appender.dictionary);
          appended.push(turns);
          append(profile);
        };
        return { ...appender, append: one };
      },
    },
  });
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (appended.length === 20) storage.dictionary = new Dictionary([11, 12, 13]);
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const samples = [makeSample('leaf', 'main')];
  const uploads = Array.from({ length: 50 }, (_, i) => {
    const { labels, profile } = upload({ samples });
    return { profile, labels: [...labels, { name: 'pod', value: `p${i}` }] };
  });
  await ingester.write(uploads);
  isDone = true;
  assert.ok(new Set(appended).size > 40, `appended in ${new Set(appended).size} turns`);
  assert.equal(heads.size, 2);
  assert.equal(storage.commits, 1);
  const pods = storage.profiles.map(({ labels }) => labels[1].value);
  assert.deepEqual(pods.sort(), uploads.map((_, i) => `p${i}`).sort());
});

test('a worker that has nothing to do forgets the head and its symbols', async () => {
  const real = createClock();
  const fires: (() => void)[] = [];
  const clock: Clock = Object.assign(Object.create(real) as Clock, {
    setTimer: (delayMillis: number, fire: () => void): Timer => {
      if (delayMillis !== ingestForgetMillis) return real.setTimer(delayMillis, fire);
      fires.push(fire);
      return { cancel: () => undefined };
    },
  });
  const requests: boolean[] = [];
  const pool = new DecodePool({
    ...shared,
    size: 1,
    clock,
    startDecoder: (seeds, events) => {
      const decoder = startDecoderInPlace(seeds, events);
      return {
        close: () => decoder.close(),
        send(request) {
          requests.push(request.isNewHead);
          decoder.send(request);
        },
      };
    },
  });
  const uploads = [seriesUpload('a', encode({ samples: [makeSample('main')] }))];
  // A separate function is needed, because variables of the test would keep the head in memory.
  const decodeOnce = async (): Promise<WeakRef<Dictionary>> => {
    const cut = new Dictionary([1, 2, 3]);
    assert.deepEqual(await takeStacks(await pool.decode(uploads, () => cut)), [1]);
    assert.deepEqual(await takeStacks(await pool.decode(uploads, () => cut)), [1]);
    return new WeakRef(cut);
  };
  const cut = await decodeOnce();
  const collect = createCollector(0);
  await new Promise((resolve) => setImmediate(resolve));
  collect(1);
  assert.notEqual(cut.deref(), undefined);
  fires.at(-1)?.();
  await new Promise((resolve) => setImmediate(resolve));
  collect(2);
  assert.equal(cut.deref(), undefined);
  assert.deepEqual(await takeStacks(await pool.decode(uploads, () => head)), [1]);
  assert.deepEqual(requests, [true, false, true]);
});

test('a worker that dies fails its requests, and is replaced', async () => {
  const deaths: ((why: string) => void)[] = [];
  const pool = new DecodePool({
    ...shared,
    size: 1,
    startDecoder: (seeds, events) => {
      deaths.push((why) => events.onDeath(why, 'unavailable'));
      return startDecoderInPlace(seeds, events);
    },
  });
  const uploads = [seriesUpload('a', encode({ samples: [makeSample('main')] }))];
  await pool.decode(uploads, () => head);
  const failing = pool.decode(uploads, () => head);
  deaths[0]('out of memory');
  await assert.rejects(failing, { code: 'unavailable', message: /worker died: out of memory/ });
  assert.deepEqual(await takeStacks(await pool.decode(uploads, () => head)), [1]);
  assert.equal(deaths.length, 2);
});

test('a worker gives back the memory of a large upload when it has decoded it', async () => {
  // The profile has 1.6 million new frames, which take 100 MB in columns and in a dictionary.
  const writer = new PprofWriter();
  const frames = Array.from({ length: 2_000 }, (_, i) => writer.frame({ name: `f${i}` }));
  for (let i = 0; i < 800; i += 1) {
    writer.sample([...frames.slice(i), ...frames.slice(0, i)], [1n], []);
  }
  const count = { type: 'samples', unit: 'count' };
  const header = { timeNanos: 1n, durationNanos: 1n, period: 1n, periodType: count };
  const profile = writer.finish({ sampleTypes: [count], ...header });
  const pool = new DecodePool({ ...shared, size: 1 });
  try {
    await pool.decode([seriesUpload('a', profile)], () => head);
    const [worker] = [...runningThreads()].filter(({ name }) => name === 'ingest');
    const { external_memory: bytes } = await worker.getHeapStatistics();
    assert.ok(bytes < 32 * 2 ** 20, `${bytes} bytes`);
  } finally {
    await pool.close();
  }
});

test('a thread that ends by itself is noticed', async () => {
  const died = new Promise<string>((resolve) => {
    const thread = startDecoderThread([1, 2, 3], { onReply: () => undefined, onDeath: resolve });
    void thread.close();
  });
  assert.match(await died, /^it exited with code \d$/);
});

test('requests past the limit are refused; a closed pool takes none', async () => {
  const profile = encode({ samples: [makeSample('main')] });
  const pool = new DecodePool({
    ...shared,
    startDecoder: startDecoderInPlace,
    pendingBytesMax: 2 * profile.length,
  });
  const uploads = [seriesUpload('a', profile), seriesUpload('b', profile)];
  const first = pool.decode(uploads, () => head);
  await assert.rejects(
    pool.decode(uploads, () => head),
    {
      code: 'resource-exhausted',
      message: /cannot decode profiles: more than \d+ bytes wait for ingest workers/,
    },
  );
  await first;
  await pool.decode(uploads, () => head);
  const last = pool.decode(uploads, () => head);
  await pool.close();
  await assert.rejects(last, { code: 'unavailable' });
  await assert.rejects(
    pool.decode(uploads, () => head),
    (error: unknown) => {
      return error instanceof AppError && error.message.includes('the server is stopping');
    },
  );
});

test("a large upload is copied for its worker in slices, and stays the caller's", async () => {
  const owned: number[] = [];
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  const pool = new DecodePool({
    ...shared,
    startDecoder: (seeds, events) => {
      const decoder = startDecoderInPlace(seeds, events);
      return {
        send: (request) => {
          owned.push(request.isOwn.size);
          isOver = true;
          decoder.send(request);
        },
        close: () => decoder.close(),
      };
    },
  });
  // The upload is not a valid profile, so that only copying it takes long.
  const large = new Uint8Array(20 << 20);
  const small = new Uint8Array(1_000);
  setImmediate(count);
  await assert.rejects(
    pool.decode([seriesUpload('a', large), seriesUpload('a', small)], () => head),
  );
  await pool.close();
  assert.ok(turns >= 8, `${turns} turns`);
  assert.deepEqual(owned, [1]);
  assert.equal(large.length, 20 << 20);
});
