// Tests of short profile types.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatProfileType, parseProfileType } from '../model/profile-type.ts';
import { parseSelector } from './parse.ts';
import { QueryError } from './query.ts';
import { resolveProfileTypes } from './resolve.ts';

const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const cpuSamples = 'process_cpu:samples:count:cpu:nanoseconds:delta';
const allocSpace = 'memory:alloc_space:bytes:space:bytes';
const allocObjects = 'memory:alloc_objects:count:space:bytes';
const goroutine = 'goroutine:goroutine:count:goroutine:count';
const all = [cpu, cpuSamples, allocSpace, allocObjects, goroutine];

/** Returns the types that a query means, with a space between them. */
function resolve(text: string, known: readonly string[] = all): string {
  const types = resolveProfileTypes(parseSelector(text), known.map(parseProfileType));
  return types.map(formatProfileType).join(' ');
}

test('full forms are exact and need not be known', () => {
  assert.equal(resolve(cpu), cpu);
  assert.equal(resolve('x:y:z:p:q{}', []), 'x:y:z:p:q');
});

test('short forms find the type that is meant', () => {
  const check = (text: string, want: string): void => assert.equal(resolve(text), want);
  check('process_cpu:samples{job="x"}', cpuSamples);
  check('cpu:samples', cpuSamples);
  check('cpu:cpu', cpu);
  check('memory:alloc_space', allocSpace);
  check('alloc_space', allocSpace);
  check('alloc_space:bytes', allocSpace);
  check('goroutine', goroutine);
  // A number of samples times the period measures the same as the quantity itself.
  check('process_cpu', cpu);
  check('cpu', cpu);
});

test('an ambiguous type is refused, and the error names the candidates', () => {
  const check = (text: string, want: string, known = all): void =>
    assert.throws(
      () => resolve(text, known),
      (error) => {
        assert.ok(error instanceof QueryError);
        assert.equal(error.message, want);
        return true;
      },
    );
  const other = 'memory:io:bytes:space:bytes';
  check(' memory{}', `1:2: profile type "memory" is ambiguous: ${allocSpace}, ${other}`, [
    ...all,
    other,
  ]);
  check(
    'memroy:alloc_space',
    `1:1: unknown profile type "memroy:alloc_space": did you mean ${allocSpace}?`,
  );
  check('goroutines', `1:1: unknown profile type "goroutines": did you mean ${goroutine}?`);
  check('zzzzzz', `1:1: unknown profile type "zzzzzz": known are ${all.join(', ')}`);
  check('cpu', '1:1: unknown profile type "cpu": no profiles have been stored yet', []);
  assert.throws(() => resolve('{job="x"}'), /query must contain a profile-type selection/);
  assert.throws(() => resolve('a:b:c:d:e:f:g'), /must be of the form .* with 7 parts/);
});

test('CPU time is meant whatever else there is, and all of its spellings', () => {
  const wall = 'process_cpu:wall:nanoseconds:wall:nanoseconds:delta';
  const counts = 'process_cpu:sample:count:wall:nanoseconds:delta';
  const weighed = 'process_cpu:cpu:nanoseconds:wall:nanoseconds:delta';
  const python = 'process_cpu:CPU:nanoseconds:CPU:nanoseconds:delta';
  const pythonCounts = 'process_cpu:sample:count:CPU:nanoseconds:delta';
  const io = 'process_cpu:io:bytes:cpu:nanoseconds:delta';
  const snapshot = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
  const micros = 'process_cpu:cpu:microseconds:cpu:microseconds:delta';
  const check = (known: readonly string[], want: string, text = 'process_cpu'): void =>
    assert.equal(resolve(text, known), want);
  check([counts, cpu, cpuSamples, wall], cpu);
  check([counts, weighed, wall], weighed);
  check([counts, cpu, io], cpu);
  check([counts, wall], wall);
  check([pythonCounts, wall], pythonCounts);
  check([cpu, snapshot], cpu);
  // One query covers programs in several languages. The plainest type determines the values.
  check([counts, cpu, weighed, wall], `${cpu} ${weighed}`);
  check([python, pythonCounts, wall, weighed, cpu], `${cpu} ${weighed} ${python}`);
  check([python, cpu, wall], `${cpu} ${python}`, 'process_cpu:cpu');
  check([python, wall], python, 'process_cpu:cpu');
  check([cpu, python], cpu, cpu);
  const named = (known: readonly string[]): RegExp => RegExp(`is ambiguous: ${known.join(', ')}$`);
  // Values in different units are not added up.
  assert.throws(() => resolve('process_cpu', [cpu, micros]), named([micros, cpu]));
});

test('of other measures, the one that is a time or bytes is meant; of memory, what is in use', () => {
  const go = 'memory:inuse_space:bytes:space:bytes';
  const node = 'memory:inuse_space:bytes:inuse_space:bytes';
  const v8 = 'memory:space:bytes:space:bytes';
  const objects = 'memory:inuse_objects:count:inuse_space:bytes';
  const check = (text: string, known: readonly string[], want: string): void =>
    assert.equal(resolve(text, known), want);
  check('memory{job="feed"}', [objects, node], node);
  check('memory', [allocObjects, allocSpace, objects, go, node, v8], `${node} ${go} ${v8}`);
  check('memory:inuse_space', [go, node, objects], `${node} ${go}`);
  check('memory:inuse_space', [go, v8], `${go} ${v8}`);
  check('memory:space', [go, v8], v8);
  check('memory', [allocObjects, allocSpace], allocSpace);
  const delay = 'mutex:delay:nanoseconds:contentions:count';
  check('mutex', ['mutex:contentions:count:contentions:count', delay], delay);
  const agent = 'parca_agent:samples:count:cpu:nanoseconds:delta';
  check('parca_agent', [agent, 'parca_agent:wallclock:nanoseconds:samples:count:delta'], agent);
});

test('delta and non-delta of one measurement are not the same', () => {
  const known = ['memory:a:b:c:d', 'memory:a:b:c:d:delta'];
  assert.throws(() => resolve('memory', known), /is ambiguous/);
});
