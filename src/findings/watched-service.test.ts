// Tests of a service's events: its deploys, and the marks that apply to it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { windowMillis } from './statistics/limits.ts';
import { listEvents } from './watched-service.ts';

const shop = { label: 'job', name: 'shop' };

test('deploys and marks of the service, in order; a mark of a deploy is no second event', () => {
  const hours = (from: number, to: number): number[] =>
    Array.from({ length: to - from }, (_, i) => (from + i) * windowMillis);
  const line = (version: string, from: number, to: number) => ({
    version,
    startMillis: hours(from, to),
    values: hours(from, to).map(() => 1),
  });
  const mark = (hour: number, text: string, labels: Readonly<Record<string, string>>) => ({
    id: text,
    timeMillis: hour * windowMillis,
    text,
    link: '',
    labels,
  });
  const events = listEvents(
    shop,
    { label: 'version', lines: [line('1', 0, 10), line('2', 10, 20)] },
    [
      mark(4.5, 'flag on', { job: 'shop' }),
      mark(5, 'of another', { job: 'stock' }),
      mark(6, 'of a pod', { job: 'shop', pod: 'a' }),
      mark(10.2, 'rollout', {}),
      mark(15, 'failover', {}),
    ],
  );
  assert.deepEqual(
    events.map(({ source, startMillis, doneMillis, names: { version } }) => [
      source,
      version,
      startMillis / windowMillis,
      doneMillis / windowMillis,
    ]),
    [
      ['mark', 'flag on', 4.5, 5],
      ['deploy', '2', 10, 11],
      ['mark', 'failover', 15, 16],
    ],
  );
  assert.deepEqual(listEvents(shop, undefined, []), []);
});
