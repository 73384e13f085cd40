// Tests of reading and editing the label conditions of a query.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMatcher, matchersOf, removeMatcher } from './matchers.ts';

const type = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';

test('conditions are read with their escapes', () => {
  const query = `${type}{job="api", pod=~'a\\'b', zone!="x\\"y"}`;
  assert.deepEqual(
    matchersOf(query).map(({ name, operator, value }) => name + operator + value),
    ['job=api', "pod=~a'b", 'zone!=x"y'],
  );
  assert.deepEqual(matchersOf(type), []);
  assert.deepEqual(matchersOf(`${type}{job=`), []);
});

test('removing and adding conditions', () => {
  const remove = (query: string, index: number) => removeMatcher(query, matchersOf(query)[index]);
  assert.equal(remove(`${type}{job="api", pod="x"}`, 0), `${type}{pod="x"}`);
  assert.equal(remove(`${type}{job="api", pod="x"}`, 1), `${type}{job="api"}`);
  assert.equal(remove(`${type}{job="api"}`, 0), `${type}{}`);

  assert.equal(addMatcher(type, 'job', '=', 'a"b,c'), `${type}{job="a\\"b,c"}`);
  assert.equal(addMatcher(`${type}{}`, 'job', '=', 'a'), `${type}{job="a"}`);
  assert.equal(addMatcher(`${type}{a="1"}`, 'b', '!=', '2'), `${type}{a="1", b!="2"}`);
  assert.equal(addMatcher(`${type}{a="1"}`, 'a', '=', '2'), `${type}{a="2"}`);
  const [added] = matchersOf(addMatcher(type, 'a b', '=', 'c\nd'));
  assert.deepEqual([added.name, added.value], ['a b', 'c\nd']);
});
