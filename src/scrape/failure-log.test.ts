import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../base/fake/clock.ts';
import { silentLogger } from '../base/logger.ts';
import { FailureLog } from './failure-log.ts';
import { loggedFailuresMax } from './limits.ts';

test('a job logs some failed scrapes a minute, and once that there are more', async () => {
  const clock = createFakeClock();
  const lines: string[] = [];
  const logger = {
    ...silentLogger,
    warn: (message: string, { job }: { readonly job?: unknown } = {}) =>
      void lines.push(`${String(job)}: ${message}`),
  };
  const log = new FailureLog(clock, logger);
  const fail = (job: string, count: number): void => {
    for (let i = 0; i < count; i += 1) log.add(job, { url: String(i), error: 'refused' });
  };
  fail('a', 10 * loggedFailuresMax);
  assert.equal(lines.length, loggedFailuresMax + 1);
  assert.equal(lines[0], 'a: scrape failed');
  assert.equal(lines.at(-1), 'a: more scrapes fail than are logged in a minute');
  fail('b', 1);
  assert.equal(lines.at(-1), 'b: scrape failed');
  await clock.advance(60_000);
  fail('a', 1);
  assert.equal(lines.length, loggedFailuresMax + 3);
});
