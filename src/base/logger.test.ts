import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from './logger.ts';

test('a line has no character that controls a terminal, and its values can be read back', () => {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const value = 'x\u001b]0;t\u0007\u009b31m\u202egpj\u2028';
  for (const format of ['logfmt', 'json'] as const) {
    createLogger({ level: 'info', format, nowMillis: () => 0, write }).info('tried', { value });
  }
  for (const line of lines) assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\u2028\u2029]/u);
  const [logfmt, json] = lines;
  assert.equal(JSON.parse(logfmt.slice(logfmt.indexOf('value=') + 6)), value);
  assert.equal((JSON.parse(json) as { readonly value: string }).value, value);
});
