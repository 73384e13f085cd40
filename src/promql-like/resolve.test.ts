// Tests of short profile types.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatProfileType, parseProfileType } from '../model/profile-type.ts';
import { parseSelector } from './parse.ts';
import { QueryError } from './query.ts';
import { resolveProfileType } from './resolve.ts';

const cpu = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const cpuSamples = 'process_cpu:samples:count:cpu:nanoseconds:delta';
const allocSpace = 'memory:alloc_space:bytes:space:bytes';
const allocObjects = 'memory:alloc_objects:count:space:bytes';
const goroutine = 'goroutine:goroutine:count:goroutine:count';
const all = [cpu, cpuSamples, allocSpace, allocObjects, goroutine];

function resolve(text: string, known: readonly string[] = all): string {
  return formatProfileType(resolveProfileType(parseSelector(text), known.map(parseProfileType)));
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
  // Samples times their period are the same measurement as the quantity.
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
  check(' memory{}', `1:2: profile type "memory" is ambiguous: ${allocSpace}, ${allocObjects}`);
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

test('CPU time is meant rather than counts and wall time', () => {
  const wall = 'process_cpu:wall:nanoseconds:wall:nanoseconds:delta';
  const counts = 'process_cpu:sample:count:wall:nanoseconds:delta';
  const weighed = 'process_cpu:cpu:nanoseconds:wall:nanoseconds:delta';
  const io = 'process_cpu:io:bytes:cpu:nanoseconds:delta';
  assert.equal(resolve('process_cpu', [counts, cpu, cpuSamples, wall]), cpu);
  assert.equal(resolve('process_cpu', [counts, weighed, wall]), weighed);
  assert.equal(resolve('process_cpu', [counts, wall]), wall);
  const named = (known: readonly string[]): RegExp => RegExp(`is ambiguous: ${known.join(', ')}$`);
  // Of two CPU times, and of what is neither count nor wall time, one has to be chosen.
  assert.throws(() => resolve('process_cpu', [counts, cpu, weighed, wall]), named([cpu, weighed]));
  assert.throws(() => resolve('process_cpu', [counts, cpu, io]), named([counts, cpu, io]));
  assert.throws(() => resolve('process_cpu', [counts, wall, io]), named([wall, io]));
});

test('delta and non-delta of one measurement are not the same', () => {
  const known = ['memory:a:b:c:d', 'memory:a:b:c:d:delta'];
  assert.throws(() => resolve('memory', known), /is ambiguous/);
});
