// Tests of the targets page's rows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TargetMessage } from '../rpc/messages.ts';
import { countHealth, filterTargets, readTargets } from './target-rows.ts';

function target(url: string, health: number, lastError = ''): TargetMessage {
  return {
    discoveredLabels: undefined,
    labels: { labels: [{ name: 'pod', value: 'api-7' }] },
    lastError,
    lastScrape: undefined,
    lastScrapeDuration: undefined,
    url,
    health,
  };
}

test('rows are sorted, counted and found by address, label and error', () => {
  const rows = readTargets(
    new Map([
      ['web', [target('http://b', 1), target('http://a', 0), target('', 0, 'by a rule')]],
      ['api', [target('http://c', 1, 'connection refused')]],
    ]),
  );
  assert.deepEqual(
    rows.map(({ url }) => url),
    ['http://c', '', 'http://a', 'http://b'],
  );
  assert.deepEqual(countHealth(rows), { all: 4, up: 1, down: 1, unknown: 1, dropped: 1 });
  const found = (search: string, health: 'all' | 'up' | 'down') =>
    filterTargets(rows, search, health).map(({ url }) => url);
  assert.deepEqual(found('REFUSED', 'all'), ['http://c']);
  assert.deepEqual(found('pod=api', 'up'), ['http://b']);
  assert.deepEqual(found('nothing', 'all'), []);
});
