// Tests of parsing and editing profile types and label matchers in a query.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addMatcher,
  chooseProfileType,
  listMatchers,
  removeMatcher,
  replaceProfileType,
} from './matchers.ts';

const type = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';

test('conditions are read with their escapes', () => {
  const query = `${type}{job="api", pod=~'a\\'b', zone!="x\\"y"}`;
  assert.deepEqual(
    listMatchers(query).map(({ name, operator, value }) => name + operator + value),
    ['job=api', "pod=~a'b", 'zone!=x"y'],
  );
  assert.deepEqual(listMatchers(type), []);
  assert.deepEqual(listMatchers(`${type}{job=`), []);
});

test('removing and adding conditions', () => {
  const remove = (query: string, index: number) => removeMatcher(query, listMatchers(query)[index]);
  assert.equal(remove(`${type}{job="api", pod="x"}`, 0), `${type}{pod="x"}`);
  assert.equal(remove(`${type}{job="api", pod="x"}`, 1), `${type}{job="api"}`);
  assert.equal(remove(`${type}{job="api"}`, 0), `${type}{}`);

  assert.equal(addMatcher(type, 'job', '=', 'a"b,c'), `${type}{job="a\\"b,c"}`);
  assert.equal(addMatcher(`${type}{}`, 'job', '=', 'a'), `${type}{job="a"}`);
  assert.equal(addMatcher(`${type}{a="1"}`, 'b', '!=', '2'), `${type}{a="1", b!="2"}`);
  assert.equal(addMatcher(`${type}{a="1"}`, 'a', '=', '2'), `${type}{a="2"}`);
  const without = `${type}{a!="1"}`;
  assert.equal(addMatcher(without, 'a', '!=', '2'), `${type}{a!="1", a!="2"}`);
  assert.equal(addMatcher(without, 'a', '!=', '1'), without);
  const [added] = listMatchers(addMatcher(type, 'a b', '=', 'c\nd'));
  assert.deepEqual([added.name, added.value], ['a b', 'c\nd']);
});

test('stages and both queries of a diff keep their place', () => {
  const add = (query: string) => addMatcher(query, 'job', '=', 'a');
  assert.equal(add('cpu | focus "x}"'), 'cpu{job="a"} | focus "x}"');
  assert.equal(add('cpu{} | by ("b}")'), 'cpu{job="a"} | by ("b}")');
  assert.equal(add('{x="}"} offset 1d'), '{x="}", job="a"} offset 1d');
  assert.equal(add('cpu<>'), 'cpu<job="a">');
  assert.equal(add('cpu{x="1"'), 'cpu{x="1", job="a"');
  assert.equal(add(''), '{job="a"}');
  assert.equal(
    add('diff(cpu{v="1"}, cpu offset 1d | invert) | top 3'),
    'diff(cpu{v="1", job="a"}, cpu{job="a"} offset 1d | invert) | top 3',
  );
  assert.equal(add('diff(cpu{job="b"}, cpu)'), 'diff(cpu{job="a"}, cpu{job="a"})');
  const diff = 'diff(cpu{v="1"}, cpu{v="2", job="b"} | stack "x=1")';
  const conditions = listMatchers(diff);
  assert.deepEqual(
    conditions.map(({ name, value }) => name + value),
    ['v1', 'v2', 'jobb'],
  );
  assert.equal(removeMatcher(diff, conditions[1]), 'diff(cpu{v="1"}, cpu{job="b"} | stack "x=1")');
});

test('another profile type', () => {
  assert.equal(replaceProfileType(`${type}{job="a"}`, 'x:y'), 'x:y{job="a"}');
  assert.equal(replaceProfileType('{job="a"} | invert', 'x:y'), 'x:y{job="a"} | invert');
  assert.equal(replaceProfileType('', 'x:y'), 'x:y');
  assert.equal(
    replaceProfileType('diff( cpu{v="1"},{v="2"}) | focus "cpu"', 'x:y'),
    'diff( x:y{v="1"},x:y{v="2"}) | focus "cpu"',
  );
});

test('a type that counts since the start is asked for its increase, others are not', () => {
  const [cpu, heap] = [type, 'memory:inuse_space:bytes:space:bytes'];
  const alloc = 'memory:alloc_space:bytes:space:bytes';
  const check = (query: string, chosen: string, want: string): void =>
    assert.equal(chooseProfileType(query, chosen), want);
  check(`${cpu}{job="a"}`, alloc, `${alloc}{job="a"} | increase`);
  check(`${cpu}{job="a"} | top 3`, alloc, `${alloc}{job="a"} | top 3 | increase`);
  check(
    `${alloc} | increase | focus "x"`,
    'mutex:delay:nanoseconds:contentions:count',
    ['mutex:delay:nanoseconds:contentions:count', '| increase | focus "x"'].join(' '),
  );
  check(
    `${alloc}{job="a"} | increase | focus "| increase"`,
    heap,
    [`${heap}{job="a"}`, '| focus "| increase"'].join(' '),
  );
  check(`diff(${alloc} | increase, ${alloc} | increase)`, cpu, `diff(${cpu}, ${cpu})`);
  check(`diff(${cpu} offset 1h, ${cpu})`, alloc, `diff(${alloc} offset 1h, ${alloc}) | increase`);
  check('', `${alloc}:delta`, `${alloc}:delta`);
  check('cpu # why', alloc, `${alloc} # why\n| increase`);
});
