// Tests of conditions on strings: they ignore case, and are not regular expressions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dictionary } from '../../model/dictionary.ts';
import type { MappingIndex, StringIndex } from '../../model/rows.ts';
import { FrameCriteriaTester, type TextCondition } from './frame-criteria.ts';

/** Returns true if a function with this name satisfies the condition. */
function isFound(name: string, operator: TextCondition['operator'], ...texts: string[]): boolean {
  const dictionary = new Dictionary([1, 2, 3]);
  const { strings, functions, locations } = dictionary;
  const row = strings.internText(name);
  locations.find(0 as MappingIndex, 1, 0, 1);
  const location = locations.add(0 as MappingIndex, 1, 0, 1);
  locations.addLine(functions.intern(row, row, 0 as StringIndex, 1), 1, 0);
  const functionName = { operator, isNegated: false, texts };
  return new FrameCriteriaTester(dictionary, { functionName }).isFound(location, 0);
}

test('letters of ASCII are equal in both cases, others are not', () => {
  assert.ok(isFound('main.Serve', 'contains', 'SERVE'));
  assert.ok(isFound('MAIN', 'equal', 'main'));
  assert.ok(isFound('Main.run', 'starts-with', 'mAIN'));
  assert.ok(isFound('Größe.Run', 'contains', 'GRößE'));
  // Letters whose case Unicode maps to ASCII or back: a Kelvin sign, a long s, an I without a dot.
  for (const pair of ['\u212a k', 'ſ s', 'ı i', 'É é', 'é É']) {
    const [name, wanted] = pair.split(' ');
    assert.ok(!isFound(name, 'contains', wanted), `${name} ${wanted}`);
    assert.ok(isFound(name, 'contains', name));
  }
});

test('what looks like an expression stands for itself, and a start or end is that of the text', () => {
  const special = String.raw`.*+?^${'$'}{}()|[]\/-`;
  assert.ok(isFound(`a${special}b`, 'contains', special));
  assert.ok(isFound(special, 'equal', special));
  assert.ok(!isFound('axb', 'contains', 'a.b'));
  assert.ok(!isFound('one\ntwo', 'equal', 'one'));
  assert.ok(!isFound('one\ntwo', 'starts-with', 'two'));
  assert.ok(isFound('one\ntwo', 'contains', 'E\nT'));
  assert.ok(isFound('any', 'contains', ''));
  assert.ok(isFound('b', 'equal', 'a', 'b'));
});
