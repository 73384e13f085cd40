// Tests of the searched profile types, and of their queries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProfileType } from '../model/profile-type.ts';
import { serviceQuery, watchedTypes } from './watched-types.ts';

test('CPU time always, and the types of memory that there are; counters by their increase', () => {
  const known = [
    'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta',
    'memory:inuse_space:bytes:space:bytes',
    'memory:inuse_objects:count:space:bytes',
    'memory:alloc_space:bytes:space:bytes',
    'tlab:alloc_space:bytes:space:bytes:delta',
    'mutex:delay:nanoseconds:contentions:count',
  ].map(parseProfileType);
  const service = { label: 'job', name: 'a"b' };
  assert.deepEqual(
    watchedTypes(known).map((type) => `${type.resource}: ${serviceQuery(type, service)}`),
    [
      'cpu: cpu{job="a\\"b"}',
      'memory: memory:inuse_space:bytes:space:bytes{job="a\\"b"}',
      'allocations: tlab:alloc_space:bytes:space:bytes:delta{job="a\\"b"}',
      'allocations: memory:alloc_space:bytes:space:bytes{job="a\\"b"} | increase',
    ],
  );
  assert.deepEqual(
    watchedTypes([]).map(({ resource }) => resource),
    ['cpu'],
  );
});
