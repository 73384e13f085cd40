// Tests of label sets, profile types and matchers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLabelSet, labelSetKey, labelValue } from './labels.ts';
import { createMatcher } from './matcher.ts';
import { formatProfileType, parseProfileType } from './profile-type.ts';

test('label sets are sorted, unique, and drop empty values', () => {
  const set = createLabelSet([
    { name: 'job', value: 'api' },
    { name: 'empty', value: '' },
    { name: 'a', value: '1' },
  ]);
  assert.deepEqual(set, [
    { name: 'a', value: '1' },
    { name: 'job', value: 'api' },
  ]);
  assert.equal(labelValue(set, 'job'), 'api');
  assert.equal(labelValue(set, 'empty'), '');
  const twice = [
    { name: 'a', value: '1' },
    { name: 'a', value: '2' },
  ];
  assert.throws(() => createLabelSet(twice), /duplicate label name: a/);
});

test('label set keys do not confuse neighbours', () => {
  const a = createLabelSet([{ name: 'a', value: 'bc' }]);
  const b = createLabelSet([{ name: 'ab', value: 'c' }]);
  assert.notEqual(labelSetKey(a), labelSetKey(b));
});

test('profile types: the text form reads back', () => {
  const check = (text: string): void =>
    assert.equal(formatProfileType(parseProfileType(text)), text);
  check('process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta');
  check('memory:inuse_space:bytes:space:bytes');
  assert.equal(parseProfileType('a:b:c:d:e:other').delta, false);
  assert.throws(() => parseProfileType('a:b'), /must be of the form .* with 2 parts/);
});

test('matchers: anchored, a missing label is ""', () => {
  const check = (operator: '=' | '!=' | '=~' | '!~', value: string, against: string): boolean =>
    createMatcher('x', operator, value).matches(against);
  assert.equal(check('=', 'a', 'a'), true);
  assert.equal(check('!=', 'a', ''), true);
  assert.equal(check('=~', 'a', 'ba'), false);
  assert.equal(check('=~', 'a|b', 'b'), true);
  assert.equal(check('=~', 'a|b', 'ab'), false);
  assert.equal(check('=~', '.*', ''), true);
  assert.equal(check('=~', 'a.b', 'a\nb'), true);
  assert.equal(check('!~', 'a.*', 'abc'), false);
  assert.equal(check('!~', 'a.*', ''), true);
  assert.throws(() => createMatcher('x', '=~', '(?=a)'), /cannot compile regular expression/);
});
