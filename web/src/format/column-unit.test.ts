// Tests of columns of numbers in one unit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnUnit, perSecond } from './column-unit.ts';
import { unknownCoverage } from './measure.ts';

test('all numbers of a column have the unit of the largest', () => {
  const cpu = { kind: 'cpu', delta: true, sampled: true } as const;
  const check = (values: readonly number[], unit: string, texts: readonly string[], of = cpu) => {
    const column = columnUnit(Math.max(...values), of);
    assert.deepEqual([column.unit, ...values.map(column.text)], [unit, ...texts]);
  };
  check([0.576, 0.0114, 0], 'cores', ['0.576', '0.011', '0.000']);
  check([15.32, 0.001], 'cores', ['15.3', '<0.1']);
  check([0.042, 0.0001], 'mcores', ['42.0', '0.1']);
  check([0], 'mcores', ['0.00']);
  const bytes = { kind: 'bytes', delta: true, sampled: false } as const;
  assert.equal(columnUnit(3 << 20, bytes).unit, 'MiB/s');
  assert.equal(columnUnit(3 << 20, bytes).text(1 << 20), '1.00');
  const coverage = { ...unknownCoverage, seconds: 10 };
  assert.equal(perSecond(5_000_000_000n, cpu, coverage), 0.5);
});
