// Tests of parsing the disassembler's output.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDisassembler, readDisassembly } from './disassembler.ts';
import { disassemblyInstructionsMax } from './limits.ts';

const answer = [
  'F\t1000\t1010\tmain',
  'I\t1000\t55\t\t3\t/src/a.c\tpush    rbp',
  'I\t1001\te800000000\tloop+0x4\t0\t\tcall    0x1006',
  'C\t10',
  'F\t2000\t2004\tloop',
  'W\tthe file has no code at 0x2000',
  '',
].join('\n');

test('functions, instructions, cut code and what is missing', () => {
  const push = { address: 0x1000, bytes: '55', target: '', line: 3, file: '/src/a.c' };
  const call = { address: 0x1001, bytes: 'e800000000', target: 'loop+0x4', line: 0, file: '' };
  assert.deepEqual(readDisassembly(answer), {
    functions: [
      {
        name: 'main',
        start: 0x1000,
        end: 0x1010,
        cutBytes: 10,
        instructions: [
          { ...push, text: 'push    rbp' },
          { ...call, text: 'call    0x1006' },
        ],
      },
      { name: 'loop', start: 0x2000, end: 0x2004, cutBytes: 0, instructions: [] },
    ],
    missing: ['the file has no code at 0x2000'],
  });
});

test('other lines are refused, and too many instructions are counted', () => {
  for (const wrong of ['X', 'I\t1\t55\t\t3\t\tpush', 'F\t1\t2', 'F\t1\t2\tf\tg', 'C\t1']) {
    assert.throws(() => readDisassembly(wrong), /a wrong line/, wrong);
  }
  const row = 'I\t1000\t90\t\t0\t\tnop\n';
  const many = readDisassembly(`F\t0\t1\tf\n${row.repeat(disassemblyInstructionsMax + 2)}`);
  assert.equal(many.functions[0].instructions.length, disassemblyInstructionsMax);
  assert.deepEqual(many.missing, ['2 instructions are left out']);
});

test('the program gets the file, the file of its names, the addresses and the limits', async () => {
  const runs: object[] = [];
  const { signal } = new AbortController();
  const disassemble = createDisassembler(
    async (run) => {
      const { millisMax: _, outputBytesMax: __, ...rest } = run;
      runs.push(rest);
      return new TextEncoder().encode('W\tnothing\n');
    },
    '/bin/symbolizer',
    'simple',
    1_000,
  );
  const found = await disassemble({ path: '/a', namesPath: '/b' }, [0x1_0000_0001], signal);
  assert.deepEqual(found, { functions: [], missing: ['nothing'] });
  assert.deepEqual(runs, [
    {
      program: '/bin/symbolizer',
      programArguments: ['simple', '1000', '10', 'code alternate'],
      filePath: '/a',
      alternatePath: '/b',
      input: Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0),
      signal,
    },
  ]);
});
