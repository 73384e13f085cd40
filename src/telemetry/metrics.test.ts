import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetricsRegistry } from './metrics.ts';

test('every kind of metric is shown with its labels; one name is one metric', async () => {
  const metrics = createMetricsRegistry({ version: '1.2.3', commit: 'abc' });
  metrics.counter('a_total', 'A.', ['x']).add(2, { x: '1' });
  metrics.counter('a_total', 'A.', ['x']).add(3, { x: '1' });
  metrics.counter('b_total', 'B.').add();
  metrics.gauge('c', 'C.').set(-1.5);
  let observed = 7;
  metrics.observedGauge('d', 'D.', () => observed);
  metrics.observedGauge('d', 'D.', () => observed + 1);
  metrics.histogram('e', 'E.', [1, 10]).observe(5);
  observed = 8;
  const { text, contentType } = await metrics.text();
  assert.match(contentType, /^text\/plain; version=0\.0\.4/);
  const lines = new Set(text.split('\n'));
  for (const line of [
    'a_total{x="1"} 5',
    'b_total 1',
    'c -1.5',
    'd 9',
    'e_bucket{le="1"} 0',
    'e_bucket{le="10"} 1',
    'e_bucket{le="+Inf"} 1',
    'e_sum 5',
    `parca_build_info{version="1.2.3",commit="abc",nodeversion="${process.version}"} 1`,
  ]) {
    assert.ok(lines.has(line), line);
  }
});
