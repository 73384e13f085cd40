// Tests of parsing the program's responses, with a fake program. native/symbolizer tests the real
// program.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../base/fake/clock.ts';
import type { ProgramRun } from '../base/node/run-program.ts';
import { createProgramResolver, decodeAnswer } from './program-resolver.ts';

const frame = {
  functionName: 'main',
  systemName: 'main',
  fileName: 'a.c',
  line: 7,
  startLine: 5,
  column: 3,
};

/** Makes a response about two addresses. Only the first address has a frame. */
function makeAnswer(flags: number): Uint8Array {
  const words = [0x4d59_5350, flags, 2, 2, 1 | (1 << 16), 0, 0, 1, 7, 5, 3, 0];
  const texts = ['main', 'a.c'].map((text) =>
    Buffer.concat([new Uint8Array(Uint32Array.of(text.length).buffer), Buffer.from(text)]),
  );
  return Buffer.concat([new Uint8Array(Uint32Array.from(words).buffer), ...texts]);
}

const alternate = { name: '/lib/common.debug', buildId: 'abcd', path: undefined };
const file = { path: '/file', hasDwarf: true, hasGoLineTable: false, alternate };
const { signal } = new AbortController();
const clock = createFakeClock();

test('an answer has names, and says why lines are missing', async () => {
  const runs: ProgramRun[] = [];
  for (const [flags, wanted] of [
    [0, []],
    [1, []],
    [2, ['its DWARF cannot be read']],
    [
      4,
      [
        'its split DWARF is missing: upload the program again with parcatool debuginfo upload, ' +
          'where its .dwp file or its .dwo files are',
      ],
    ],
    [
      8,
      [
        'a part of its DWARF is in the file /lib/common.debug, build id abcd, which is missing: ' +
          'upload that file with parcatool debuginfo upload',
      ],
    ],
  ] as const) {
    const run = async (asked: ProgramRun): Promise<Uint8Array> => {
      runs.push(asked);
      return makeAnswer(flags);
    };
    const resolver = createProgramResolver(run, '/program', 'simple', clock);
    const notes: string[] = [];
    const found = await resolver.resolve(file, [1, 2 ** 33], signal, (note) => notes.push(note));
    assert.deepEqual(found, [[frame], []]);
    assert.deepEqual(notes, wanted);
  }
  const [{ programArguments, filePath, input }] = runs;
  assert.deepEqual([programArguments[0], filePath], ['simple', '/file']);
  assert.deepEqual([...input], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0]);
});

test('a run has the limits that were given, and time for them on a busy machine', async () => {
  const runs: ProgramRun[] = [];
  const run = async (asked: ProgramRun): Promise<Uint8Array> => {
    runs.push(asked);
    return makeAnswer(0);
  };
  const mebi = 1024 ** 2;
  for (const limits of [undefined, { memoryBytesMax: 5 * mebi, cpuSecondsMax: 60 }]) {
    await createProgramResolver(run, '/program', 'none', clock, limits).resolve(
      file,
      [1, 2],
      signal,
    );
  }
  assert.deepEqual(
    runs.map(({ programArguments, millisMax }) => [...programArguments, millisMax]),
    [
      ['none', String(360 * mebi), '10', 120_000],
      ['none', String(5 * mebi), '60', 240_000],
    ],
  );
});

test('an answer about other addresses is refused', async () => {
  const resolver = createProgramResolver(async () => makeAnswer(0), '/program', 'simple', clock);
  await assert.rejects(resolver.resolve(file, [1], signal), {
    code: 'data-loss',
    message: 'cannot read the answer of the symbolizer: it is about 2 of 1 addresses',
  });
});

test('an answer with very many calls is read in steps', () => {
  const count = 3_000;
  const calls = Array.from({ length: count }, (_, i) => i % 3);
  const words = [0x4d59_5350, 0, count, 2];
  for (const number of calls) {
    words.push(number << 16);
    for (let i = 0; i < number; i += 1) words.push(0, 0, 1, 7, 5, 3);
  }
  const texts = makeAnswer(0).subarray(-15);
  const answer = Buffer.concat([new Uint8Array(Uint32Array.from(words).buffer), texts]);
  const steps = decodeAnswer(answer, count);
  let stepCount = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) stepCount += 1;
  assert.ok(stepCount > 10, `${stepCount} steps`);
  const want = calls.map((number) => Array.from({ length: number }, () => frame));
  assert.deepEqual(step.value, { frames: want, flags: 0 });
});
