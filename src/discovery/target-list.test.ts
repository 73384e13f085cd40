import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inputLimits } from '../base/input-limits.ts';
import { parseTargetList } from './target-list.ts';

test('a list of very many empty lists is refused before it becomes objects', () => {
  const text = `[${'[],'.repeat(inputLimits.jsonObjects)}[]]`;
  const before = process.memoryUsage().heapUsed;
  assert.throws(() => parseTargetList(text, 'json', { name: 'a', value: 'b' }), /json-max-objects/);
  assert.ok(process.memoryUsage().heapUsed - before < 64 * 2 ** 20);
});
