// Tests of the rows of assembly.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toAssembly } from './ask-assembly.ts';

function instruction(address: string, flat: string, line: number, target = '') {
  const values = { flat, cumulative: String(Number(flat) + 1) };
  return { address, text: 'call    0x10', target, file: '/src/shop/cart.go', line, ...values };
}

const message = {
  total: '100',
  coveredNanos: '2000000000',
  snapshots: 0,
  functions: [
    {
      name: 'main.work',
      address: '0x10',
      cutBytes: 12,
      instructions: [
        instruction('0x10', '1', 7),
        instruction('0x15', '40', 7, 'main.load'),
        instruction('0x1a', '0', 0),
        instruction('0x1f', '5', 7),
      ],
    },
  ],
  warnings: ['some code is missing'],
};

test('a function is a head, its instructions and what was cut; places are not repeated', () => {
  const { rows, hottest, selfMax, totalMax, total, coverage, base, warnings } = toAssembly(message);
  assert.deepEqual(
    rows.map(({ address, text, target, place, self }) => [address, text, target, place, self]),
    [
      ['', 'main.work at 0x10', '', '', 0n],
      ['0x10', 'call    0x10', '', 'cart.go:7', 1n],
      ['0x15', 'call    0x10', 'main.load', '', 40n],
      ['0x1a', 'call    0x10', '', '', 0n],
      ['0x1f', 'call    0x10', '', 'cart.go:7', 5n],
      ['', '12 bytes more', '', '', 0n],
    ],
  );
  assert.deepEqual([hottest, selfMax, totalMax, total], [2, 40n, 41n, 100n]);
  assert.deepEqual([coverage.seconds, coverage.snapshots], [2, 0]);
  assert.deepEqual([base, warnings], [undefined, ['some code is missing']]);
});

test('without own values, the instruction with the largest total is the hottest', () => {
  const [code] = message.functions;
  const instructions = [instruction('0x10', '0', 1), { ...instruction('0x15', '0', 2) }];
  const [first, second] = instructions;
  const larger = { ...second, cumulative: '9' };
  const functions = [{ ...code, instructions: [first, larger] }];
  assert.equal(toAssembly({ ...message, functions }).hottest, 2);
  assert.equal(toAssembly({ ...message, functions: [] }).hottest, -1);
});

test('both sides of a comparison, each with its total and its time', () => {
  const other = { ...message, total: '300', coveredNanos: '6000000000' };
  const { rows, total, base, hottest } = toAssembly({ ...message, base: other });
  assert.equal(rows.length, 12);
  assert.deepEqual(
    rows.map(({ isBase }) => isBase),
    [...Array.from({ length: 6 }, () => false), ...Array.from({ length: 6 }, () => true)],
  );
  assert.equal(rows[6].text, 'Base: main.work at 0x10');
  assert.deepEqual([total, base?.total, base?.coverage.seconds, hottest], [100n, 300n, 6, 2]);
  assert.equal(toAssembly({ ...message, base: null }).base, undefined);
});
