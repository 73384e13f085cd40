// Tests of the ring of scrapes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recentScrapesMax } from './limits.ts';
import { RecentScrapes } from './recent-scrapes.ts';

test('the last scrapes are kept, oldest first', () => {
  const scrapes = Array.from({ length: recentScrapesMax + 3 }, (_, i) => ({
    startMillis: 1_700_000_000_000.5 + i,
    durationMillis: i / 8,
    isGood: i % 3 > 0,
  }));
  const recent = new RecentScrapes();
  assert.deepEqual(recent.list(), []);
  scrapes.forEach((scrape, i) => {
    recent.add(scrape);
    assert.deepEqual(recent.list(), scrapes.slice(0, i + 1).slice(-recentScrapesMax));
  });
});
