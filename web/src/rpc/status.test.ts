import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sumMetrics } from './status.ts';

test('metrics are added up over their labels', () => {
  const text = [
    '# HELP blocks Blocks.',
    'blocks{level="0"} 2',
    'blocks{level="1",path="a} 9"} 3',
    'memory 1.5e+6',
    'odd NaN',
    '',
  ].join('\n');
  assert.deepEqual(
    [...sumMetrics(text)],
    [
      ['blocks', 5],
      ['memory', 1_500_000],
    ],
  );
});
