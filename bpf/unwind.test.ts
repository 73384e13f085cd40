// Tests of the kernel program's unwinder, which is compiled for user space and unwinds recorded
// stacks of real programs.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { stackStatus } from './sampler.ts';
import {
  compileUnwinder,
  readRecordedStacks,
  type RecordedStack,
  type UnwoundStack,
  unwindStacks,
} from './testing/recorded-stacks.ts';

const folder = mkdtempSync(join(tmpdir(), 'parca-unwind-'));
const unwinder = join(folder, 'unwind');
const stacks = readRecordedStacks();

before(() => compileUnwinder(process.env['TEST_CC'] ?? 'cc', unwinder));
after(() => rmSync(folder, { recursive: true }));

function listAddresses({ frames }: RecordedStack): string[] {
  return frames.map((frame) => frame.split(' ')[0]);
}

function unwind(stack: RecordedStack): UnwoundStack {
  return unwindStacks(unwinder, [stack])[0];
}

/** Returns the recorded stack without the rows that `isGone` selects. */
function without(
  stack: RecordedStack,
  kind: 'lines' | 'mappings' | 'words',
  isGone: (row: string) => boolean,
): RecordedStack {
  return { ...stack, [kind]: stack[kind].filter((row) => !isGone(row)) };
}

function named(name: string): RecordedStack {
  const stack = stacks.get(name);
  assert.ok(stack !== undefined, name);
  return stack;
}

test('recorded stacks have the frames that they had in their programs', () => {
  assert.ok(stacks.size >= 20, `${stacks.size} stacks`);
  const unwound = unwindStacks(unwinder, [...stacks.values()]);
  for (const [i, [name, stack]] of [...stacks].entries()) {
    const { status, addresses } = unwound[i];
    const number = Number.parseInt(status, 16);
    assert.equal(number, (stackStatus as Record<string, number>)[stack.status], name);
    assert.deepEqual(addresses, listAddresses(stack), name);
  }
});

test('a stack ends where its memory, table or mapping is missing', () => {
  const stack = named('c-omitted-frame-pointers');
  const whole = listAddresses(stack);
  const check = (damaged: RecordedStack, status: number, frameCount: number): void => {
    const found = unwind(damaged);
    assert.equal(found.addresses.length, frameCount);
    assert.deepEqual(found.addresses, whole.slice(0, frameCount));
    const failed = status < stackStatus.pending ? '0' : whole[frameCount - 1];
    assert.equal(found.status, `${status.toString(16)} ${failed}`);
  };
  check(stack, stackStatus.complete, whole.length);
  check(
    without(stack, 'words', () => true),
    stackStatus.unreadable,
    1,
  );
  // Without rules, frame pointers are tried, but this program does not keep frame pointers.
  check(
    without(stack, 'lines', () => true),
    stackStatus.noRule,
    1,
  );
});

test('a pending table and a missing mapping say so', () => {
  const stack = named('c-omitted-frame-pointers');
  const [leaf] = listAddresses(stack);
  const kindColumn = 7;
  const pending = stack.mappings.map((row) => row.split(' ').with(kindColumn, '2').join(' '));
  assert.deepEqual(unwind({ ...stack, mappings: pending }), {
    status: `${stackStatus.pending} ${leaf}`,
    addresses: [leaf],
  });
  assert.deepEqual(unwind({ ...stack, mappings: [] }), {
    status: `${stackStatus.noMapping} ${leaf}`,
    addresses: [leaf],
  });
});

test('a trampoline that frees its frame and returns is stepped over, other code by frame pointers', () => {
  // The leaf has a frame pointer at 8010. A trampoline at 5000 has called it, and code at 6000 has
  // called the trampoline.
  const check = (code: string, addresses: readonly string[]): void => {
    const stack: RecordedStack = {
      ...named('c-frame-pointers'),
      registers: '4000 8000 8010 0',
      leaf: [],
      mappings: ['1 4000 4000 3 0 0 0 1 0 0'],
      lines: [],
      words: [
        '4000 c3',
        '8010 8060',
        '8018 5006',
        // These are the trampoline's frame, its caller, and the frame to which frame pointers would
        // lead.
        '8020 1',
        '8028 6003',
        '8030 6013',
        '8060 0',
        '8068 0',
        `5006 ${code}`,
        '6003 c3',
        '6013 c3',
      ],
    };
    assert.deepEqual(unwind(stack), { status: `${stackStatus.complete} 0`, addresses });
  };
  check('90c308c48348', ['4000', '5005', '6002']);
  check('c310c48348', ['4000', '5005', '6012']);
  // This code is not a trampoline, because it continues or frees more than 127 bytes.
  check('9008c48348', ['4000', '5005']);
  check('c380c48348', ['4000', '5005']);
});
