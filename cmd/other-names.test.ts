import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetricsRegistry } from '../src/telemetry/metrics.ts';
import { withOtherNames } from './other-names.ts';

test('an observed gauge is read under its other names', async () => {
  const registry = createMetricsRegistry({ version: '1', commit: 'c' });
  const metrics = withOtherNames(registry, { own_seconds: [{ name: 'other_time' }] });
  let value = 1;
  metrics.observedGauge('own_seconds', 'Seconds.', () => value);
  value = 2.5;
  const { text } = await registry.text();
  assert.match(text, /^own_seconds 2\.5$/m);
  assert.match(text, /^other_time 2\.5$/m);
});

test('a counter counts under its other names, with its labels and theirs', async () => {
  const registry = createMetricsRegistry({ version: '1', commit: 'c' });
  const metrics = withOtherNames(registry, {
    own_total: [{ name: 'other_total' }, { name: 'third_total', labels: { type: 'cpu' } }],
  });
  const counter = metrics.counter('own_total', 'Things.', ['result']);
  counter.add(2, { result: 'ok' });
  counter.add(1, { result: 'bad' });
  metrics.counter('alone_total', 'Other things.').add(5);
  const { text } = await registry.text();
  const lines = text.split('\n');
  assert.deepEqual(lines.filter((line) => /^(own|other|third|alone)/.test(line)).sort(), [
    'alone_total 5',
    'other_total{result="bad"} 1',
    'other_total{result="ok"} 2',
    'own_total{result="bad"} 1',
    'own_total{result="ok"} 2',
    'third_total{result="bad",type="cpu"} 1',
    'third_total{result="ok",type="cpu"} 2',
  ]);
});
