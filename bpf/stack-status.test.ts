// Tests that the statuses in sampler.ts and in kernel/layout.h are the same.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { stackStatus } from './sampler.ts';

test('the kernel program and TypeScript number statuses alike', () => {
  const header = readFileSync(new URL('kernel/layout.h', import.meta.url), 'utf8');
  const rows = [...header.matchAll(/^ {2}STACK_(\w+) = (\d+),$/gm)];
  const camel = (name: string): string =>
    name.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const numbers = Object.fromEntries(rows.map(([, name, value]) => [camel(name), Number(value)]));
  assert.deepEqual(numbers, stackStatus);
});
