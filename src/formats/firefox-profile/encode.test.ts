import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { readRealProfile } from '../testing/real-profile.ts';
import { createSmallProfile, oddName } from '../testing/small-profile.ts';
import { encodeFirefoxProfile, type FirefoxMeta } from './encode.ts';
import { FirefoxTables } from './tables.ts';

interface Thread {
  readonly samples: {
    stack: (number | null)[];
    time: number[];
    weight: number[];
    weightType: string;
    length: number;
  };
  readonly stackTable: { frame: number[]; prefix: (number | null)[]; length: number };
  readonly frameTable: { func: number[]; line: (number | null)[]; inlineDepth: number[] };
  readonly funcTable: { name: number[]; resource: number[]; fileName: (number | null)[] };
  readonly resourceTable: { name: number[] };
  readonly stringArray: string[];
}

const meta: FirefoxMeta = {
  name: 'process_cpu',
  valueType: { type: 'cpu', unit: 'nanoseconds' },
  timeNanos: 1_760_000_000_500_000_000n,
  durationNanos: 10n ** 10n,
};

function parse(bytes: Uint8Array): { meta: Record<string, unknown>; thread: Thread } {
  const file = JSON.parse(new TextDecoder().decode(bytes));
  assert.equal(file.threads.length, 1);
  checkTables(file.threads[0]);
  return { meta: file.meta, thread: file.threads[0] };
}

/** Checks that each column of a table has the length of the table. */
function checkTables(thread: Record<string, Record<string, unknown>>): void {
  for (const table of Object.values(thread)) {
    if (typeof table !== 'object' || table === null || !('length' in table)) continue;
    for (const [name, column] of Object.entries(table)) {
      if (Array.isArray(column)) assert.equal(column.length, table['length'], name);
    }
  }
}

/** Returns the rows of a stack's frames, root first. */
function listFrames({ stackTable }: Thread, stack: number | null): number[] {
  const frames: number[] = [];
  for (let row = stack; row !== null; row = stackTable.prefix[row]) {
    frames.unshift(stackTable.frame[row]);
  }
  return frames;
}

function frameName({ frameTable, funcTable, stringArray }: Thread, frame: number): string {
  return stringArray[funcTable.name[frameTable.func[frame]]];
}

test('stacks, lines, inlined calls and binaries of a small profile', () => {
  const { dictionary, inlined, bare, odd } = createSmallProfile();
  const stacks = Uint32Array.of(0, inlined, bare, odd);
  const values = BigInt64Array.of(1n, 123_456_789n, 10_000_000n, 0n);
  const file = parse(encodeFirefoxProfile(dictionary, { stacks, values }, meta));
  const { samples, stackTable, frameTable, funcTable, resourceTable, stringArray } = file.thread;
  assert.equal(file.meta['preprocessedProfileVersion'], 48);
  assert.equal(file.meta['startTime'], 1_760_000_000_500);
  assert.equal(samples.weightType, 'tracing-ms');
  assert.deepEqual(samples.weight, [0.000001, 123.456789, 10]);
  assert.equal(samples.stack[0], null);
  assert.deepEqual(samples.time, [0, 10_000 / 3, 20_000 / 3]);
  const calls = listFrames(file.thread, samples.stack[1]);
  assert.deepEqual(
    calls.map((frame) => frameName(file.thread, frame)),
    ['main', 'outer', 'leaf'],
  );
  assert.deepEqual(
    calls.map((frame) => frameTable.line[frame]),
    [3, 11, 21],
  );
  assert.deepEqual(
    calls.map((frame) => frameTable.inlineDepth[frame]),
    [0, 0, 1],
  );
  const [, address] = listFrames(file.thread, samples.stack[2]);
  assert.equal(frameName(file.thread, address), '0x4a2f (libc.so.6)');
  const resource = funcTable.resource[frameTable.func[address]];
  assert.equal(stringArray[resourceTable.name[resource]], '/usr/lib/libc.so.6');
  // main is shared; frames that only the omitted row uses are missing.
  assert.equal(stackTable.length, 4);
  assert.ok(!stringArray.includes(oddName));
});

test('bytes are bytes, everything else is samples', () => {
  const { dictionary, inlined } = createSmallProfile();
  const merged = { stacks: Uint32Array.of(inlined), values: BigInt64Array.of(-5n) };
  const check = (type: string, unit: string, want: string): void => {
    const bytes = encodeFirefoxProfile(dictionary, merged, { ...meta, valueType: { type, unit } });
    const { samples } = parse(bytes).thread;
    assert.deepEqual([samples.weightType, samples.weight], [want, [-5]]);
  };
  check('inuse_space', 'bytes', 'bytes');
  check('samples', 'count', 'samples');
});

test('sums past 2^53 and too many stacks are refused', () => {
  const { dictionary, inlined, bare } = createSmallProfile();
  const stacks = Uint32Array.of(inlined, bare);
  const values = BigInt64Array.of(2n ** 53n, 1n);
  assert.throws(
    () => encodeFirefoxProfile(dictionary, { stacks, values }, meta),
    (error) => error instanceof AppError && error.code === 'out-of-range',
  );
  const tables = new FirefoxTables(dictionary, 3);
  assert.equal(tables.internStack(inlined), 2);
  assert.throws(
    () => tables.internStack(bare),
    (error) => error instanceof AppError && error.code === 'resource-exhausted',
  );
});

test('go-cpu: every stack has the sum that another reader finds', () => {
  const { dictionary, merged, sums } = readRealProfile('go-cpu', 1);
  const { thread } = parse(encodeFirefoxProfile(dictionary, merged, meta));
  const read = new Map<string, bigint>();
  thread.samples.stack.forEach((stack, i) => {
    const path = listFrames(thread, stack)
      .map((frame) => frameName(thread, frame))
      .join('\n');
    // The decimal string in milliseconds has all digits of the nanoseconds.
    const nanos = BigInt(Math.round(thread.samples.weight[i] * 1e6));
    read.set(path, (read.get(path) ?? 0n) + nanos);
  });
  assert.deepEqual(read, sums);
});
