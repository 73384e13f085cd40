// Tests of the names of saved files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOfView } from './file-names.ts';

test('a name says the service, the type, the sides and the time', () => {
  const to = Date.parse('2026-11-27T09:15:42.123Z');
  const check = (query: string, want: string, sides?: { before: string; now: string }) =>
    assert.equal(nameOfView(query, { from: 0, to }, sides), want);
  check('process_cpu:cpu{job="checkout"}', 'checkout-process_cpu-20261127T0915');
  check('memory', 'memory-20261127T0915');
  check('{job="../../etc/x y"}', '..-..-etc-x-y-20261127T0915');
  const sides = { before: 'v1.2', now: 'v1/3' };
  check(
    'diff(cpu{job="a", version="v1.2"}, cpu{job="a", version="v1/3"})',
    'a-cpu-v1.2-to-v1-3-20261127T0915',
    sides,
  );
});
