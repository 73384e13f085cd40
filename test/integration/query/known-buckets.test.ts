// Tests requests for functions over time in which the caller says which buckets it already has.
// Answers without these buckets are exact even if profiles come late, or if another function is
// requested.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type FunctionsJson, joinAnswers } from '../../../web/src/answers/function-series.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer } from '../../support/server.ts';

const noon = Date.parse('2026-01-01T12:00:00Z');
const query = 'process_cpu{job="api"}';

const scratch = await scratchDirectory();
const server = await startServer({ storagePath: join(scratch.path, 'data') });
after(async () => {
  await server.stop();
  await scratch.remove();
});

async function push(minute: number, count: bigint): Promise<void> {
  const timeNanos = BigInt(noon + minute * 60_000) * 1_000_000n;
  const profile = gzippedPprof(cpuProfile({ timeNanos, samples: [['main;decode', count]] }));
  const url = `${server.url}/api/v1/push?job=api`;
  const body = new Uint8Array(profile);
  const response = await fetch(url, { method: 'POST', body });
  assert.equal(response.status, 200, await response.text());
}

for (let minute = 0; minute < 15; minute += 1) await push(minute, BigInt(minute + 1));

async function ask(fromMinute: number, name = 'decode', known?: string): Promise<FunctionsJson> {
  const at = (minute: number): string => new Date(noon + minute * 60_000).toISOString();
  const parameters = new URLSearchParams({ query, step: '1m', function: name });
  parameters.set('start', at(fromMinute));
  parameters.set('end', at(fromMinute + 14.5));
  if (known !== undefined) parameters.set('known', known);
  const response = await fetch(`${server.url}/api/v1/functions?${parameters}`);
  assert.equal(response.status, 200);
  return (await response.json()) as FunctionsJson;
}

const bucketMinutes = ({ buckets }: FunctionsJson): number[] =>
  buckets.time.map((time) => (Date.parse(time) - noon) / 60_000);

test('a refresh gets the buckets that are new; with the others it is the whole answer', async () => {
  const first = await ask(0);
  assert.equal(bucketMinutes(first).length, 15);
  await push(15, 16n);
  const later = await ask(0.75, 'decode', first.settled);
  // The first bucket is no longer complete: its profile is before the range.
  assert.deepEqual(bucketMinutes(later), [12, 13, 14, 15]);
  const joined = joinAnswers(first, later, noon + 45_000);
  const whole = await ask(0.75);
  assert.deepEqual(joined?.buckets.time, whole.buckets.time);
  assert.deepEqual(joined?.functions[0].flat.values, whole.functions[0].flat.values);
  assert.equal(later.settled, whole.settled);
  assert.notEqual(later.settled, first.settled);

  await push(5, 100n);
  const afterLate = await ask(0.75, 'decode', later.settled);
  assert.equal(afterLate.leftOut, undefined);
  assert.equal(bucketMinutes(afterLate).length, 15);
  assert.equal(afterLate.functions[0].flat.values[4], '1060000000');

  const other = await ask(0.75, 'main', afterLate.settled);
  assert.equal(other.leftOut, undefined);
});

test('what is no answer of this server is refused or not known', async () => {
  const first = await ask(0, 'decode', '1-9-abc');
  assert.deepEqual([first.leftOut, bucketMinutes(first).length], [undefined, 15]);
  const url = `${server.url}/api/v1/functions?${new URLSearchParams({ query, known: 'yesterday' })}`;
  assert.match(await (await fetch(url)).text(), /known: must be .*settled.* of an earlier answer/);
});
