// Tests of searching in the palette.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchingCommands } from './commands.ts';

const command = (kind: string, title: string) => ({ kind, title, run: () => undefined });
const all = [
  command('Go to', 'Services'),
  command('Go to', 'Status'),
  command('Service', 'api'),
  command('Service', 'api-status'),
  command('Time', 'Last 1 hour'),
];

test('every word counts, in any order, and beginnings come first', () => {
  const check = (typed: string, want: readonly string[]): void => {
    const titles = matchingCommands(all, typed).map(({ title }) => title);
    assert.deepEqual(titles, want, typed);
  };
  check('', ['Services', 'Status', 'api', 'api-status', 'Last 1 hour']);
  check('status', ['Status', 'api-status']);
  check('hour last', ['Last 1 hour']);
  check('API service', ['api', 'api-status']);
  check('nothing', []);
});
