// Tests that files of all formats give the same answers, and that nothing of a broken file is kept.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import Long from 'long';
import { parca } from '../../proto/gen/query.js';
import { smallRecording } from '../../src/formats/jfr/testing/small-recording.ts';
import { storeFrame } from '../../src/formats/arrow/lz4-frame.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { cpuProfile, gzippedPprof } from '../../test/support/profiles/pprof-builder.ts';
import { FileEngine } from './file-engine.ts';
import type { OpenedFile } from './messages.ts';

const { signal } = new AbortController();
const stacks = [
  ['main;serve;decode', 30n],
  ['main;serve', 5n],
  ['main;idle', 2n],
] as const;
const modifiedMillis = 1_700_000_000_000;

const textBytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const jsonBytes = (value: object): Uint8Array<ArrayBuffer> => textBytes(JSON.stringify(value));
const collapsed = stacks.map(([stack, count]) => `${stack} ${count}\n`).join('');

const names = ['main', 'serve', 'decode', 'idle'];
const frameRows = (stack: string): number[] => stack.split(';').map((name) => names.indexOf(name));

const speedscope = jsonBytes({
  shared: { frames: names.map((name) => ({ name })) },
  profiles: [
    {
      type: 'sampled',
      name: 'one',
      unit: 'none',
      startValue: 0,
      endValue: 3,
      samples: stacks.map(([stack]) => frameRows(stack)),
      weights: stacks.map(([, count]) => Number(count)),
    },
  ],
});

/** Creates a Firefox profile with tables per thread, or with shared tables as in later versions. */
function firefox(isShared: boolean): Uint8Array<ArrayBuffer> {
  const tables = {
    stackTable: { frame: [0, 1, 2, 3], prefix: [null, 0, 1, 0] },
    frameTable: { func: [0, 1, 2, 3], line: [1, null, 3, 4], column: [null, null, null, null] },
    funcTable: {
      name: [0, 1, 2, 3],
      ...(isShared ? { source: [0, null, 0, 0] } : { fileName: [4, null, 4, 4] }),
    },
    stringArray: [...names, 'main.js'],
    ...(isShared ? { sources: { filename: [4] } } : {}),
  };
  const samples = { stack: [2, 1, 3, null], time: [0, 1, 2, 3], weight: [30, 5, 2, 7] };
  const thread = { name: 'Main', processName: 'web', samples, ...(isShared ? {} : tables) };
  const idle = { name: 'Idle', samples: { stack: [] } };
  const shared = isShared ? { shared: tables } : {};
  return jsonBytes({ meta: { startTime: 1e12, interval: 1 }, threads: [thread, idle], ...shared });
}

const cpuProfileOfV8 = jsonBytes({
  nodes: [
    { id: 1, callFrame: { functionName: 'main', url: '' }, children: [2, 4] },
    { id: 2, callFrame: { functionName: 'serve', url: '' }, children: [3] },
    { id: 3, callFrame: { functionName: 'decode', url: '' } },
    { id: 4, callFrame: { functionName: 'idle', url: '' } },
  ],
  samples: [3, 2, 4, 4],
  timeDeltas: [0, 30, 5, 2],
});

const perf = stacks
  .flatMap(([stack, count]) => Array.from({ length: Number(count) }, () => stack))
  .map((stack, i) => {
    const frames = stack.split(';').reverse();
    const lines = frames.map((name, row) => `\t${row + 1}0 ${name} (/bin/app)`).join('\n');
    return `app 7 [000] ${i + 1}.000000: 1 cycles:\n${lines}\n`;
  })
  .join('\n');

const pprof = gzippedPprof(cpuProfile({ timeNanos: 1_600_000_000_000_000_000n, samples: stacks }));

/** Opens a file in a new engine, and exports its first type as collapsed stacks. */
async function openStacks(bytes: Uint8Array<ArrayBuffer>): Promise<[OpenedFile, string[]]> {
  const engine = new FileEngine(createClock());
  const file = await engine.open({ name: 'one', bytes, modifiedMillis });
  return [file, await readCollapsed(engine, file, `${file.types[0].type}{file="one"}`)];
}

async function readCollapsed(
  engine: FileEngine,
  file: OpenedFile,
  query: string,
): Promise<string[]> {
  const [{ fromMillis, toMillis }] = file.types;
  const parameters = new URLSearchParams({
    query,
    format: 'collapsed',
    start: new Date(fromMillis - 60_000).toISOString(),
    end: new Date(toMillis + 60_000).toISOString(),
  });
  const bytes = await engine.get(`export?${parameters}`, signal);
  return new TextDecoder().decode(bytes).trimEnd().split('\n').sort();
}

test('each format gives the same stacks', async () => {
  const plain = [...stacks].map(([stack, count]) => `${stack} ${count}`).sort();
  const times = (factor: bigint): string[] =>
    stacks.map(([stack, count]) => `${stack} ${count * factor}`).sort();
  const cases: readonly (readonly [string, Uint8Array<ArrayBuffer>, string[]])[] = [
    ['pprof', new Uint8Array(pprof), times(10_000_000n)],
    ['collapsed', textBytes(collapsed), plain],
    ['collapsed', new Uint8Array(gzipSync(collapsed)), plain],
    ['collapsed', new Uint8Array(gzipSync(gzipSync(collapsed))), plain],
    ['collapsed', new Uint8Array(deflateSync(collapsed)), plain],
    ['collapsed', new Uint8Array(storeFrame(textBytes(collapsed))), plain],
    ['speedscope', speedscope, plain],
    ['firefox', firefox(false), plain],
    ['firefox', firefox(true), plain],
    ['chrome-cpu-profile', cpuProfileOfV8, times(1_000n)],
    ['perf-script', textBytes(perf), plain],
  ];
  for (const [format, bytes, want] of cases) {
    const [file, found] = await openStacks(bytes);
    assert.equal(file.format, format);
    assert.deepEqual(found, want, format);
  }
});

test("Java's recordings: every type, with the recording's time, and what was left out", async () => {
  const engine = new FileEngine(createClock());
  const whole = smallRecording();
  const bytes = Uint8Array.from(Buffer.concat([whole, smallRecording({ isUnfinished: true })]));
  const file = await engine.open({ name: 'app.jfr', bytes, modifiedMillis });
  assert.equal(file.format, 'jfr');
  assert.equal(
    file.note,
    `chunk 2 is not finished at byte ${whole.length} and was left out; the chunk before it was read`,
  );
  const recorded = 1_790_000_000_000;
  assert.ok(file.types.every(({ fromMillis }) => fromMillis === recorded));
  assert.deepEqual(
    file.types.map(({ type }) => type).filter((type) => /^(memory:live|wall|mutex)/.test(type)),
    [
      'memory:live:count:objects:count',
      'mutex:contentions:count:mutex:count:delta',
      'mutex:delay:nanoseconds:mutex:count:delta',
      'wall:wall:nanoseconds:wall:nanoseconds:delta',
    ],
  );
});

test('a file without a time has that of its last change; two files can be compared', async () => {
  const engine = new FileEngine(createClock());
  const one = await engine.open({ name: 'one', bytes: textBytes(collapsed), modifiedMillis });
  const two = textBytes('main;serve;decode 10\nmain;new 4\n');
  await engine.open({ name: 'two', bytes: two, modifiedMillis });
  assert.deepEqual(
    one.types.map(({ fromMillis, toMillis }) => [fromMillis, toMillis]),
    [[modifiedMillis, modifiedMillis]],
  );
  const [{ type }] = one.types;
  const request = (query: string): Uint8Array =>
    parca.query.v1alpha1.QueryRequest.encode({
      mode: parca.query.v1alpha1.QueryRequest.Mode.MODE_MERGE,
      merge: {
        query,
        start: { seconds: Long.fromNumber(modifiedMillis / 1_000 - 60), nanos: 0 },
        end: { seconds: Long.fromNumber(modifiedMillis / 1_000 + 60), nanos: 0 },
      },
      reportType: parca.query.v1alpha1.QueryRequest.ReportType.REPORT_TYPE_TOP,
    }).finish();
  const path = 'parca.query.v1alpha1.QueryService/Query';
  const askForTop = async (query: string): Promise<string[]> => {
    const answer = await engine.call(path, request(query), signal);
    const { top } = parca.query.v1alpha1.QueryResponse.decode(answer);
    return (top?.list ?? []).map(
      ({ meta, cumulative, diff }) => `${meta?.function?.name} ${cumulative} ${diff}`,
    );
  };
  // The base is scaled to the same duration, or to the same total if there are no times.
  const compared = await askForTop(`diff(${type}{file="one"}, ${type}{file="two"})`);
  assert.ok(compared.includes('new 4 4') && compared.includes('idle 0 -1'), compared.join());
  await engine.close('one');
  assert.deepEqual((await askForTop(type)).sort(), [
    'decode 10 0',
    'main 14 0',
    'new 4 0',
    'serve 10 0',
  ]);
});

test('a broken file says why, and leaves nothing', async () => {
  const engine = new FileEngine(createClock());
  const broken: readonly (readonly [string, Uint8Array<ArrayBuffer>, RegExp])[] = [
    ['empty', textBytes(''), /it is empty/],
    ['binary', Uint8Array.of(1, 2, 3), /failed to parse profile/],
    ['cut', new Uint8Array(pprof.subarray(0, pprof.length / 2)), /cannot decompress it/],
    ['json', jsonBytes({ a: 1 }), /JSON of an unknown kind/],
    ['firefox', jsonBytes({ meta: {}, threads: [] }), /no thread has samples/],
    ['zstd', Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd), /does not open zstd|cannot decompress it/],
  ];
  for (const [name, bytes, want] of broken) {
    await assert.rejects(engine.open({ name, bytes, modifiedMillis }), want, name);
  }
  await engine.open({ name: 'empty', bytes: textBytes(collapsed), modifiedMillis });
  await assert.rejects(
    engine.call('a.B/C', new Uint8Array(), signal),
    /files do not answer a.B\/C/,
  );
});
