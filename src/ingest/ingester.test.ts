// Tests of the write path with a store that keeps the appended profiles.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test as nodeTest } from 'node:test';
import { gzipSync } from 'node:zlib';
import { AppError, type ErrorCode } from '../base/errors.ts';
import { rounds } from '../base/testing/rounds.ts';
import { randomBelow, seededRandom } from '../base/random.ts';
import { openContent } from '../formats/gzip.ts';
import type { Dictionary } from '../model/dictionary.ts';
import { mixHash } from '../model/hash-index.ts';
import type { Label } from '../model/labels.ts';
import type { SampleLabelsIndex, StackIndex, StringIndex } from '../model/rows.ts';
import type { IncomingProfile } from '../storage/interface.ts';
import type { ProfileUpload } from './interface.ts';
import { encode, upload, type TestProfile, type TestSample } from './testing/uploads.ts';
import {
  nowMillis,
  setUpWith,
  type Setup,
  type SetUp,
  type TestStorage,
} from './testing/write-path.ts';

/** Declares a test of the write path. It runs once without workers and once with two workers. */
function test(name: string, check: (setUp: SetUp) => void | Promise<void>): void {
  nodeTest(name, () => check((labels) => setUpWith(0, labels)));
  nodeTest(`workers: ${name}`, () => check((labels) => setUpWith(2, labels)));
}

/**
 * Prints each row: the names of its stack (leaf first), its values, and the row of its label set.
 */
function printRows({ dictionary }: TestStorage, profile: IncomingProfile): string[] {
  const { stacks, locations, functions, strings } = dictionary;
  const rows = Array.from({ length: profile.rowCount }, (_, row) => {
    const names: string[] = [];
    const stack = profile.stacks[row] as StackIndex;
    for (let node = stacks.leaf[stack]; node !== 0; node = stacks.nodeParent[node]) {
      const line = locations.lineStart[stacks.nodeLocation[node]];
      names.push(strings.text(functions.name[locations.lineFunction[line]] as StringIndex));
    }
    const labels = printLabels(dictionary, profile.sampleLabels?.[row] ?? 0);
    return `${names.join(';')} ${profile.values.map((column) => column[row]).join(',')}${labels}`;
  });
  return rows.sort();
}

function printLabels({ sampleLabels, strings }: Dictionary, row: number): string {
  const index = row as SampleLabelsIndex;
  const entries: string[] = [];
  for (let i = sampleLabels.entryStart[index]; i < sampleLabels.entryStart[index + 1]; i += 1) {
    const [key, text, unit] = [sampleLabels.key[i], sampleLabels.text[i], sampleLabels.unit[i]].map(
      (string) => strings.text(string as StringIndex),
    );
    entries.push(`${key}=${text === '' ? `${sampleLabels.number[i]}${unit}` : text}`);
  }
  return entries.length === 0 ? '' : ` {${entries.sort().join(',')}}`;
}

async function checkFails(
  setup: Setup,
  uploads: readonly ProfileUpload[],
  code: ErrorCode,
  message: RegExp,
): Promise<void> {
  await assert.rejects(setup.ingester.write(uploads), (error: unknown) => {
    assert.ok(error instanceof AppError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  });
}

test('a profile becomes rows; equal samples are one row, zeros none, no stack is root', async (setUp) => {
  const { storage, ingester } = setUp();
  const samples = [
    { stack: ['leaf', 'main'], values: [1n, 10n] },
    { stack: ['main'], values: [0n, 0n] },
    { stack: ['main'], values: [0n, 7n] },
    { stack: ['leaf', 'main'], values: [2n ** 61n, 5n] },
    { stack: [], values: [3n, 3n] },
  ];
  await ingester.write([upload({ samples, types: ['samples', 'cpu'], timeNanos: 42n })]);
  const [profile] = storage.profiles;
  assert.deepEqual(printRows(storage, profile), [
    ' 3,3',
    `leaf;main ${2n ** 61n + 1n},15`,
    'main 0,7',
  ]);
  assert.equal(profile.name, 'process_cpu');
  assert.deepEqual(profile.labels, [{ name: 'job', value: 'api' }]);
  assert.deepEqual(profile.sampleTypes, [
    { type: 'samples', unit: 'count' },
    { type: 'cpu', unit: 'count' },
  ]);
  assert.deepEqual(profile.periodType, { type: '', unit: '' });
  assert.equal(profile.timeNanos, 42n);
  assert.equal(profile.durationNanos, 5n);
  assert.equal(profile.period, 100n);
  assert.equal(profile.sampleLabels, undefined);
});

test('a profile without a time gets the time of its arrival; equal bytes have equal hashes', async (setUp) => {
  const { storage, ingester } = setUp();
  const bytes = encode({ samples: [{ stack: ['main'], values: [1n] }] });
  await ingester.write([upload(bytes), upload(gzipSync(bytes))]);
  const [plain, gzipped] = storage.profiles;
  assert.equal(plain.timeNanos, BigInt(nowMillis) * 1_000_000n);
  assert.equal(plain.contentHash, gzipped.contentHash);
  assert.deepEqual(plain.stacks, gzipped.stacks);
});

test('sample labels are kept as they are sent: names, numbers with units; collisions are renamed', async (setUp) => {
  const { storage, ingester } = setUp();
  const labelled = (labels: TestSample['labels']): TestSample => ({
    stack: ['main'],
    values: [1n],
    ...(labels === undefined ? {} : { labels }),
  });
  const samples = [
    labelled([
      ['span.id', 'a'],
      ['job', 'x'],
    ]),
    labelled([
      ['job', 'x'],
      ['span.id', 'a'],
    ]),
    labelled([['bytes', 512, 'bytes']]),
    labelled([['bytes', 512, 'kB']]),
    labelled([['1st', 'v']]),
    labelled([['__name__', 'v']]),
    labelled([
      ['process-description', 'a'],
      ['process.description', 'b'],
      ['Weird Name', 'c'],
    ]),
    labelled([
      ['job', 'y'],
      ['exported_job', 'z'],
    ]),
    labelled([['lat', 1, 'millisecond']]),
    labelled([['lat', 1, 'second']]),
    labelled([['lat', 3, 'bytes']]),
    labelled([['lat', 1, '']]),
    labelled(undefined),
  ];
  await ingester.write([upload({ samples })]);
  assert.deepEqual(printRows(storage, storage.profiles[0]), [
    'main 1',
    'main 1 {1st=v}',
    'main 1 {Weird Name=c,process-description=a,process.description=b}',
    'main 1 {bytes=512 bytes}',
    'main 1 {bytes=512 kB}',
    'main 1 {exported___name__=v}',
    'main 1 {exported_exported_job=y,exported_job=z}',
    'main 1 {lat=1 millisecond}',
    'main 1 {lat=1 second}',
    'main 1 {lat=1}',
    'main 1 {lat=3 bytes}',
    'main 2 {exported_exported_job=x,span.id=a}',
  ]);
});

test('locations of one build are one by address; without a build their lines decide', async (setUp) => {
  const sample = (name: string): TestSample => ({ stack: [name], values: [1n] });
  const check = async (
    a: Omit<TestProfile, 'samples'>,
    b: Omit<TestProfile, 'samples'>,
    nameOfB: string,
    want: number,
  ): Promise<void> => {
    const { storage, ingester } = setUp();
    await ingester.write([upload({ ...a, samples: [sample('f')] })]);
    await ingester.write([upload({ ...b, samples: [sample(nameOfB)] })]);
    assert.equal(storage.dictionary.locations.length - 1, want);
  };
  const givenAddress = (): number => 0x1000;
  const givenLine = (): number => 5;
  const built = { buildId: 'abcd', addressOf: givenAddress, lineOf: givenLine };
  await check(built, built, 'f', 1);
  await check(built, { ...built, buildId: 'other' }, 'f', 2);
  await check(built, { ...built, lineOf: () => 6 }, 'f', 2);
  const bare = { addressOf: givenAddress, lineOf: givenLine };
  await check(bare, bare, 'f', 1);
  await check(bare, bare, 'g', 2);
  // Encoders without addresses write 0 for all addresses. Such locations are different, even if
  // they have the same build id.
  const zeros = { buildId: 'abcd', addressOf: () => 0, lineOf: givenLine };
  await check(zeros, zeros, 'g', 2);
});

test('functions without addresses whose lines have one hash stay apart', async (setUp) => {
  const { storage, ingester } = setUp();
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  // Functions get the rows 1, 2, ...; the hash of a single line starts from 1.
  const hashes = names.map((_, i) => mixHash(1, i + 1));
  const pairs = names.flatMap((_, i) => names.slice(0, i).map((_, j) => [i, j] as const));
  const found = pairs.find(([i, j]) => (hashes[i] ^ hashes[j]) >= 0);
  assert.ok(found);
  const [one, other] = found;
  const lines = names.map((_, i) => 1_000 + i);
  lines[one] = 5;
  lines[other] = 5 ^ hashes[one] ^ hashes[other];
  const places = {
    addressOf: () => 0,
    lineOf: (name: string) => lines[names.indexOf(name)],
  };
  const samples = names.map((name) => ({ stack: [name], values: [1n] }));
  const profile = encode({ samples, ...places });
  await ingester.write([upload(profile)]);
  await ingester.write([upload(profile)]);
  const want = names.map((name) => `${name} 1`);
  for (const stored of storage.profiles) assert.deepEqual(printRows(storage, stored), want);
});

test('keepSampleTypes keeps those columns only', async (setUp) => {
  const { storage, ingester } = setUp();
  const types = ['alloc', 'inuse'];
  const samples = [
    { stack: ['a'], values: [5n, 0n] },
    { stack: ['b'], values: [5n, 2n] },
  ];
  const keep = (type: string) => ({
    ...upload({ samples, types }),
    keepSampleTypes: [{ type, unit: 'count' }],
  });
  await ingester.write([keep('inuse'), keep('nothing of the kind')]);
  assert.equal(storage.profiles.length, 1);
  assert.deepEqual(printRows(storage, storage.profiles[0]), ['b 2']);
});

test('uploads have limits and a time of their own', async (setUp) => {
  const setup = setUp();
  const { storage, ingester } = setup;
  const samples = ['a', 'b'].map((name) => ({ stack: [name], values: [1n] }));
  const sent = upload({ samples, timeNanos: 5n });
  const limited = (limits: ProfileUpload['limits'], profile = sent.profile): ProfileUpload => ({
    ...sent,
    profile,
    timeNanos: 9n,
    ...(limits === undefined ? {} : { limits }),
  });
  await ingester.write([sent, limited(undefined), limited({ samples: 2, profileBytes: 1_000 })]);
  assert.deepEqual(
    storage.profiles.map(({ timeNanos }) => timeNanos),
    [5n, 9n, 9n],
  );
  const few = limited({ samples: 1, profileBytes: 0 });
  await checkFails(setup, [few], 'resource-exhausted', /it has 2 samples, the limit is 1$/);
  const small = limited({ samples: 0, profileBytes: 9 }, gzipSync(sent.profile));
  await checkFails(setup, [small], 'resource-exhausted', /bytes decompressed, the limit is 9$/);
});

test('labels are refused in Parca’s words', async (setUp) => {
  const setup = setUp();
  const good = encode({ samples: [{ stack: ['a'], values: [1n] }] });
  const check = (labels: readonly Label[], message: RegExp): Promise<void> =>
    checkFails(setup, [upload(good, labels)], 'invalid-argument', message);
  const name = { name: '__name__', value: 'cpu' };
  await check([{ name: 'job', value: 'x' }], /^missing __name__ label$/);
  await check([{ name: '__name__', value: '' }], /^missing __name__ label$/);
  await check([name, { name: 'not-ok', value: 'x' }], /^invalid label name: not-ok$/);
  await check([name, { name: '', value: 'x' }], /^invalid label name: $/);
  const twice = { name: 'job', value: 'x' };
  await check([name, twice, twice], /^duplicate label name: job$/);
  await check([{ name: '__name__', value: 'a:b' }], /invalid __name__ label/);
  const many = Array.from({ length: 65 }, (_, i) => ({ name: `l${i}`, value: 'x' }));
  await checkFails(setup, [upload(good, [name, ...many])], 'resource-exhausted', /limit is 64/);
  const long = { name: 'job', value: 'x'.repeat(5_000) };
  await checkFails(setup, [upload(good, [name, long])], 'resource-exhausted', /limit is 4096/);
  assert.equal(setup.metrics.counts.get('parca_ingest_rejected_total invalid-argument'), 6);
  assert.equal(setup.metrics.counts.get('parca_ingest_rejected_total resource-exhausted'), 2);
});

test('a profile may have many names of sample labels, to a limit', async (setUp) => {
  const setup = setUp();
  const withNames = (count: number): Uint8Array =>
    encode({
      samples: Array.from({ length: count }, (_, i) => ({
        stack: ['main'],
        values: [1n],
        labels: [[`name${i}`, 'x']],
      })),
    });
  await setup.ingester.write([upload(withNames(10_000))]);
  const tooMany = [upload(withNames(10_001))];
  await checkFails(setup, tooMany, 'resource-exhausted', /more than 10000 names of labels/);
});

test('one bad upload leaves nothing of its batch, also of what came before', async (setUp) => {
  const setup = setUp();
  const good = upload({ samples: [{ stack: ['a'], values: [1n] }] });
  await checkFails(
    setup,
    [good, upload(Buffer.from('<html>'))],
    'invalid-argument',
    /parse profile/,
  );
  const empty = upload(new Uint8Array(0));
  await checkFails(setup, [good, empty], 'invalid-argument', /parse profile: it is empty/);
  assert.equal(setup.storage.commits, 0);
  assert.equal(setup.storage.profiles.length, 0);
  await setup.ingester.write([good]);
  assert.equal(setup.storage.profiles.length, 1);
  setup.storage.failure = new AppError('resource-exhausted', 'disk full');
  await checkFails(setup, [good], 'resource-exhausted', /disk full/);
});

test('a profile without values is accepted and nothing is stored', async (setUp) => {
  const { storage, ingester, metrics } = setUp();
  await ingester.write([
    upload({ samples: [{ stack: ['a'], values: [0n] }] }),
    upload({ samples: [] }),
  ]);
  await ingester.write([]);
  assert.equal(storage.profiles.length, 0);
  assert.equal(storage.commits, 0);
  assert.equal(metrics.counts.get('parca_ingest_empty_profiles_total'), 2);
});

test('a write that waited while its head was cut goes into the next head, once', async (setUp) => {
  const { storage, ingester } = setUp();
  await ingester.write([
    upload({ samples: [{ stack: ['other'], values: [7n] }], types: ['samples'] }),
  ]);
  storage.cutsNext = true;
  const samples = [{ stack: ['leaf', 'main'], values: [2n] }];
  const stored: object[] = [];
  const onStored = (rows: ReadonlyMap<string, number>): void => void stored.push([...rows]);
  await ingester.write([upload({ samples, types: ['samples'] })], { onStored });
  assert.deepEqual(stored, [[[storage.profiles[1].name, 1]]]);
  assert.equal(storage.commits, 2);
  assert.deepEqual(printRows(storage, storage.profiles[1]), ['leaf;main 2']);
});

nodeTest('writes with many new symbols are stored one after the other', async () => {
  const { storage, ingester } = setUpWith(1);
  storage.cutsAfterEach = true;
  const uploads = Array.from({ length: 4 }, (_, i) => {
    const names = Array.from({ length: 300 }, (__, name) => `f${i}.${name}`);
    const samples = Array.from({ length: 300 }, (__, first) => ({
      stack: [...names.slice(first), ...names.slice(0, first)],
      values: [1n],
    }));
    return upload({ samples, types: ['samples'] });
  });
  await Promise.all(uploads.map((one) => ingester.write([one])));
  assert.equal(storage.profiles.length, 4);
  assert.equal(storage.openBatchesMax, 1);
});

test('external labels fill in what an upload does not have', async (setUp) => {
  const { storage, ingester } = setUp([
    { name: 'job', value: 'default' },
    { name: 'zone', value: 'a' },
  ]);
  await ingester.write([upload({ samples: [{ stack: ['a'], values: [1n] }] })]);
  assert.deepEqual(storage.profiles[0].labels, [
    { name: 'job', value: 'api' },
    { name: 'zone', value: 'a' },
  ]);
});

test('real Go profiles keep their sums; the second time nothing is new', async (setUp) => {
  const { storage, ingester, metrics } = setUp();
  const testdata = new URL('../formats/pprof/testdata/', import.meta.url);
  const uploads = ['go-cpu', 'go-heap'].map((name) =>
    upload(readFileSync(new URL(`${name}.pb.gz`, testdata))),
  );
  await ingester.write(uploads);
  const { dictionary } = storage;
  const lengths = (): number[] => [
    dictionary.strings.length,
    dictionary.locations.length,
    dictionary.stacks.length,
    dictionary.sampleLabels.length,
  ];
  const known = lengths();
  await ingester.write(uploads);
  assert.deepEqual(lengths(), known);
  const [cpu, heap, cpuAgain] = storage.profiles;
  assert.deepEqual(cpuAgain, cpu);
  assert.deepEqual(
    cpu.values.map((column) => column.reduce((sum, value) => sum + value, 0n)),
    goCpuSums,
  );
  assert.equal(heap.values.length, 4);
  assert.ok(heap.sampleLabels !== undefined);
  assert.equal(metrics.counts.get('parca_ingest_new_stacks_total'), dictionary.stacks.length - 1);
  const sizes = uploads.map(({ profile }) => openContent(profile).bytes.length);
  assert.equal(Number(cpu.contentHash >> 32n), sizes[0]);
});

test('mutated profiles are stored or refused, and never anything else', async (setUp) => {
  const { storage, ingester } = setUp();
  const heap = new URL('../formats/pprof/testdata/go-heap.pb.gz', import.meta.url);
  const original = openContent(readFileSync(heap)).bytes;
  const seed = Number(process.env.TEST_SEED ?? 1);
  const random = seededRandom(seed);
  const mutations = rounds(500, 20_000);
  for (let round = 0; round < mutations; round += 1) {
    const bytes = original.slice();
    for (let flips = randomBelow(random, 3); flips >= 0; flips -= 1) {
      bytes[randomBelow(random, bytes.length)] ^= 1 << randomBelow(random, 8);
    }
    await ingester.write([upload(bytes)]).catch((error: unknown) => {
      assert.ok(error instanceof AppError, `seed ${seed}, round ${round}: ${String(error)}`);
    });
  }
  assert.ok(storage.profiles.length > 0 && storage.profiles.length < mutations);
});

/** Sums of the profile that `go tool pprof -raw` prints. */
const goCpuSums = [1_041n, 10_410_000_000n];
