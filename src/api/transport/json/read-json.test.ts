import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonInThreadBytesMin, jsonInThreadValuesMin } from '../../limits.ts';
import { isSmallJson } from './read-json.ts';

test('JSON is small by its bytes and by its values', () => {
  const check = (isSmall: boolean, json: unknown): void => {
    assert.equal(isSmallJson(Buffer.from(JSON.stringify(json))), isSmall);
  };
  const numbers = (count: number): number[] => Array.from({ length: count }, () => 1);
  check(true, {});
  check(true, { profile: 'A'.repeat(jsonInThreadBytesMin - 100) });
  check(false, { profile: 'A'.repeat(jsonInThreadBytesMin) });
  check(true, numbers(jsonInThreadValuesMin - 1));
  check(false, numbers(jsonInThreadValuesMin + 1));
  // Commas in strings do not count, because they do not separate values.
  check(true, { text: ','.repeat(10 * jsonInThreadValuesMin) });
});
