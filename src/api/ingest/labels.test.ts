// Tests of labels from other protocols.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryableLabels } from './labels.ts';

test('no label is lost where names become the same', () => {
  const labels = [
    ['http.route', 'a'] as const,
    ['http-route', 'b'] as const,
    ['http_route', 'c'] as const,
    ['job', 'first'] as const,
    ['job', 'second'] as const,
    ['1st', 'd'] as const,
  ].map(([name, value]) => ({ name, value }));
  assert.deepEqual(
    queryableLabels(labels).map(({ name, value }) => `${name}=${value}`),
    ['http_route=c', 'job=first', 'http_route_2=a', 'http_route_3=b', '_1st=d'],
  );
});
