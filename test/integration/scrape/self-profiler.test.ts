// Tests the real profiler on this process; results are checked by their sums, not by time.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import protobuf from 'protobufjs/minimal.js';
import { createFakeClock } from '../../../src/base/fake/clock.ts';
import { createClock } from '../../../src/base/node/clock.ts';
import { Thread } from '../../../src/base/threads/thread.ts';
import { addCpuSlice, type NativeProfile } from '../../../src/telemetry/self-profile-samples.ts';
import { SelfProfiler } from '../../../src/telemetry/self-profile.ts';
import { StackProfile } from '../../../src/telemetry/stack-profile.ts';
import {
  ThreadProfiles,
  workerThreads,
  type ProfiledThread,
} from '../../../src/telemetry/thread-profiles.ts';

interface Decoded {
  readonly types: readonly string[];
  /** Values by stack, such as "root;...;leaf". */
  readonly stacks: ReadonlyMap<string, readonly number[]>;
  readonly files: ReadonlyMap<string, string>;
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
  readonly period: number;
}

/**
 * Decodes the output of stack-profile.ts, which has one line per location and function ids in
 * order.
 */
function decode(bytes: Uint8Array): Decoded {
  const strings: string[] = [];
  const valueTypes: number[][] = [];
  const samples: { locations: number[]; values: number[] }[] = [];
  const functions: number[][] = [];
  const functionByLocation = new Map<number, number>();
  const numbers = new Map<number, bigint>();
  const fields = (reader: protobuf.Reader, end: number): number[] => {
    const values: number[] = [];
    while (reader.pos < end) {
      const number = reader.uint32() >>> 3;
      values[number] = Number(reader.int64().toString());
    }
    return values;
  };
  const packed = (reader: protobuf.Reader): number[] => {
    const end = reader.uint32() + reader.pos;
    const values: number[] = [];
    while (reader.pos < end) values.push(Number(reader.int64().toString()));
    return values;
  };
  const reader = protobuf.Reader.create(bytes);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const number = tag >>> 3;
    if ((tag & 7) === 0) numbers.set(number, BigInt(reader.int64().toString()));
    else if (number === 6) strings.push(reader.string());
    else {
      const end = reader.uint32() + reader.pos;
      if (number === 2) {
        reader.uint32();
        const locations = packed(reader);
        reader.uint32();
        samples.push({ locations, values: packed(reader) });
      } else if (number === 4) {
        reader.uint32();
        const id = reader.uint32();
        reader.uint32();
        const line = fields(reader, reader.uint32() + reader.pos);
        functionByLocation.set(id, line[1]);
      } else if (number === 5) functions.push(fields(reader, end));
      else valueTypes.push(fields(reader, end));
    }
  }
  const name = (id: number): string => strings[functions[(functionByLocation.get(id) ?? 0) - 1][2]];
  return {
    types: valueTypes.map(([, type, unit]) => `${strings[type]}:${strings[unit]}`),
    stacks: new Map(
      samples.map(({ locations, values }) => [locations.map(name).toReversed().join(';'), values]),
    ),
    files: new Map(functions.map((fn) => [strings[fn[2]], strings[fn[4] ?? 0]])),
    timeNanos: numbers.get(9) ?? 0n,
    durationNanos: numbers.get(10) ?? 0n,
    period: Number(numbers.get(12)),
  };
}

/** Burns CPU time, so that a profile has something to show. */
function burnCpuForTest(until: number): number {
  let sum = 0;
  while (performance.now() < until) sum += Math.sqrt(sum + 1);
  return sum;
}

test('CPU profiles that overlap both see the work', async () => {
  const profiler = new SelfProfiler(
    createClock(),
    new URL('../../..', import.meta.url).pathname.slice(0, -1),
  );
  const { signal } = new AbortController();
  const burning = setInterval(() => burnCpuForTest(performance.now() + 30), 35);
  const [first, second] = await Promise.all([profiler.cpu(1, signal), profiler.cpu(1, signal)]);
  clearInterval(burning);
  for (const bytes of [first, second]) {
    const profile = decode(gunzipSync(bytes));
    assert.deepEqual(profile.types, ['samples:count', 'cpu:nanoseconds', 'cpu:nanoseconds']);
    assert.equal(profile.period, 10_000_000);
    assert.ok(profile.durationNanos >= 900_000_000n);
    assert.ok(profile.timeNanos > 1_700_000_000_000_000_000n);
    const burned = [...profile.stacks].filter(([stack]) => stack.includes('burnCpuForTest'));
    assert.ok(burned.length > 0, [...profile.stacks.keys()].join('\n'));
    assert.ok(burned.every(([, [samples, nanos]]) => samples > 0 && nanos > 0));
    assert.equal(
      profile.files.get('burnCpuForTest'),
      'test/integration/scrape/self-profiler.test.ts',
    );
    assert.ok(![...profile.stacks.keys()].some((stack) => stack.includes('(idle)')));
  }
});

test('a profile that follows another one at once begins where that ends', async () => {
  const clock = createFakeClock();
  const profiler = new SelfProfiler(clock, '/');
  const { signal } = new AbortController();
  const take = async (): Promise<Decoded> => {
    const bytes = profiler.cpu(10, signal);
    do await new Promise(setImmediate);
    while (clock.pendingTimers() === 0);
    await clock.advance(10_000);
    return decode(gunzipSync(await bytes));
  };
  const first = await take();
  const second = await take();
  await clock.advance(600);
  const third = await take();
  assert.equal(first.durationNanos, 10_000_000_000n);
  assert.equal(second.timeNanos, first.timeNanos + first.durationNanos);
  assert.equal(third.timeNanos, second.timeNanos + second.durationNanos + 600_000_000n);
  profiler.stop();
});

test('a profile ends early when its caller goes away or the profiler stops', async () => {
  const profiler = new SelfProfiler(createClock(), '/');
  const controller = new AbortController();
  const aborted = profiler.cpu(100, controller.signal);
  controller.abort(new Error('gone'));
  await assert.rejects(aborted, /gone/);
  const stopped = profiler.cpu(100, new AbortController().signal);
  profiler.stop();
  await assert.rejects(stopped, /the server stops/);
});

test('heap profiles have objects and bytes', async () => {
  const profiler = new SelfProfiler(createClock(), '/');
  await profiler.heap();
  const held = Array.from({ length: 400_000 }, (_, i) => ({ i, text: `held ${i}` }));
  const profile = decode(gunzipSync(await profiler.heap()));
  assert.equal(held.length, 400_000);
  assert.deepEqual(profile.types, ['inuse_objects:count', 'inuse_space:bytes', 'space:bytes']);
  const bytes = [...profile.stacks.values()].reduce((sum, [, value]) => sum + value, 0);
  assert.ok(bytes > 1_000_000, `${bytes} bytes`);
  assert.equal(profile.durationNanos, 0n);
});

test('CPU time is split by hits, its sum is kept, idle is nobody', () => {
  const names = ['', 'root', 'a', 'b', '(idle)', 'Non JS threads activity'];
  const slice: NativeProfile = {
    stringTable: { strings: names },
    function: [1, 2, 3, 4, 5].map((name) => ({ name, filename: 0 })),
    location: [1, 2, 3, 4, 5].map((functionId) => ({ line: [{ functionId, line: 0 }] })),
    sample: [
      { locationId: [2, 1], value: [1, 0, 10] },
      { locationId: [3, 1], value: [2, 0, 0] },
      { locationId: [4], value: [50, 0, 91] },
      { locationId: [5], value: [0, 0, 7] },
    ],
  };
  const profile = new StackProfile();
  assert.equal(addCpuSlice(slice, '/', profile), 7);
  const type = { type: 'cpu', unit: 'nanoseconds' };
  const head = { sampleTypes: [type, type], periodType: type };
  assert.deepEqual(
    [...decode(profile.encode(head)).stacks],
    [
      ['root;a', [1, 34]],
      ['root;b', [2, 67]],
    ],
  );
});

const unbroken = new URL('../../../src/base/threads/unbroken.ts', import.meta.url).href;

/** Source of the thread, which works until shared memory tells it to end. */
const busyScript = `
  import { parentPort } from 'node:worker_threads';
  import { threadData } from ${JSON.stringify(unbroken)};
  const gate = threadData();
  function burnInThread(seed) {
    let sum = seed;
    for (let i = 0; i < 100_000; i += 1) sum += Math.sqrt(sum + i);
    return sum;
  }
  function workUntilTold() {
    for (let sum = 0; Atomics.load(gate, 0) === 0; ) sum = burnInThread(sum) % 7;
  }
  parentPort.postMessage('begins');
  workUntilTold();
  parentPort.on('message', () => undefined);
  parentPort.postMessage('rests');
`;

/** Starts a busy thread; `sampled` resolves after it has been sampled for two profiles. */
async function startBusy(name: string): Promise<{ sampled: Promise<void>; end(): Promise<void> }> {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const script = new URL(`data:text/javascript,${encodeURIComponent(busyScript)}`);
  const thread = new Thread(script, { name, data: gate });
  const sampled = untilSampled(thread, 2);
  await once(thread, 'message');
  return {
    sampled,
    end: async () => {
      Atomics.store(gate, 0, 1);
      await once(thread, 'message');
      await thread.terminate();
    },
  };
}

test('worker threads are below a root of their name, also those that end meanwhile', async () => {
  const clock = createClock();
  const stays = await startBusy('stays');
  const overlapping = [0, 1].map(() => new ThreadProfiles(clock, workerThreads));
  const comes = await startBusy('comes');
  await Promise.all([stays.sampled, comes.sampled]);
  // The thread ends, like a thread that has compacted blocks.
  await comes.end();
  for (const threads of overlapping) {
    const profile = new StackProfile();
    const period = 10_000_000;
    const nanosTotal = await threads.finish('/', period, profile);
    const type = { type: 'cpu', unit: 'nanoseconds' };
    const head = { sampleTypes: [type, type], periodType: type };
    const { stacks } = decode(profile.encode(head));
    let nanosFound = 0;
    for (const name of ['stays', 'comes']) {
      const own = [...stacks].filter(([stack]) => stack.startsWith(`thread ${name};`));
      assert.ok(
        own.some(([stack]) => stack.includes(';workUntilTold')),
        [...stacks.keys()].join('\n'),
      );
      assert.ok(!own.some(([stack]) => /\((root|idle)\)/.test(stack)));
      const [samples, nanos] = [0, 1].map((i) =>
        own.reduce((sum, [, values]) => sum + values[i], 0),
      );
      assert.equal(samples, Math.round(nanos / period), name);
      nanosFound += nanos;
    }
    assert.equal(nanosFound, nanosTotal);
  }
  await stays.end();
});

/** Resolves when V8 has started to sample the thread `times` times, and it has worked since. */
async function untilSampled(thread: Thread, times: number): Promise<void> {
  const start = thread.startCpuProfile.bind(thread);
  const { promise: sampled, resolve } = Promise.withResolvers<void>();
  let begun = 0;
  thread.startCpuProfile = async () => {
    const handle = await start();
    begun += 1;
    if (begun === times) resolve();
    return handle;
  };
  await sampled;
  const before = await thread.cpuUsage();
  while ((await thread.cpuUsage(before)).user < 100_000) {
    await new Promise((done) => void setTimeout(done, 5));
  }
}

test('a thread that rests is not sampled; one that does not answer is left out', async () => {
  const calls: string[] = [];
  let active = 0;
  const never = new Promise<never>(() => undefined);
  const resting: ProfiledThread = {
    name: 'resting',
    performance: { eventLoopUtilization: () => ({ active: 0.1 }) },
    cpuUsage: async () => ({ user: 2, system: 1 }),
    startCpuProfile: () => assert.fail('is not to be sampled'),
  };
  const silent: ProfiledThread = {
    name: 'silent',
    performance: { eventLoopUtilization: () => ({ active: (active += 50) }) },
    cpuUsage: () => never,
    startCpuProfile: async () => {
      calls.push('start');
      return { stop: () => never };
    },
  };
  const clock = createFakeClock(0);
  const source = {
    running: () => [resting, silent],
    observe: () => () => calls.push('unobserved'),
  };
  const threads = new ThreadProfiles(clock, source);
  for (let i = 0; i < 100; i += 1) await clock.advance(50);
  const profile = new StackProfile();
  const finished = threads.finish('/', 1_000, profile);
  await clock.advance(1_000);
  assert.equal(await finished, 0);
  assert.deepEqual(calls, ['start', 'unobserved']);
});

test('a thread is sampled while it works, and read when it rests', async () => {
  const profileJson = (functionName: string): string =>
    JSON.stringify({
      nodes: [
        { id: 1, callFrame: { functionName: '(root)', url: '', lineNumber: -1 }, children: [2, 3] },
        {
          id: 2,
          hitCount: 3,
          callFrame: { functionName, url: 'file:///p/a.ts', lineNumber: 4 },
          children: [4],
        },
        { id: 3, hitCount: 90, callFrame: { functionName: '(idle)', url: '', lineNumber: -1 } },
        { id: 4, hitCount: 1, callFrame: { functionName: '', url: 'node:fs', lineNumber: 0 } },
      ],
    });
  let active = 0;
  let cpu = 500;
  let isWorking = true;
  const texts = ['first', 'second'].map(profileJson);
  const thread: ProfiledThread = {
    name: 'x',
    performance: { eventLoopUtilization: () => ({ active: isWorking ? (active += 50) : active }) },
    cpuUsage: async () => ({ user: cpu, system: 0 }),
    startCpuProfile: async () => ({ stop: async () => texts.shift() ?? assert.fail() }),
  };
  const clock = createFakeClock(0);
  const source = { running: () => [thread], observe: () => () => undefined };
  const threads = new ThreadProfiles(clock, source);
  await clock.advance(100);
  isWorking = false;
  for (let i = 0; i < 60; i += 1) await clock.advance(50);
  assert.equal(texts.length, 1, 'it was read when it rested');
  isWorking = true;
  await clock.advance(100);
  cpu += 80;
  const profile = new StackProfile();
  assert.equal(await threads.finish('/p', 10_000, profile), 80_000);
  const type = { type: 'cpu', unit: 'nanoseconds' };
  const head = { sampleTypes: [type, type], periodType: type };
  const decoded = decode(profile.encode(head));
  assert.deepEqual(
    [...decoded.stacks],
    [
      ['thread x;first', [3, 30_000]],
      ['thread x;first;(anonymous)', [1, 10_000]],
      ['thread x;second', [3, 30_000]],
      ['thread x;second;(anonymous)', [1, 10_000]],
    ],
  );
  assert.equal(decoded.files.get('first'), 'a.ts');
});
