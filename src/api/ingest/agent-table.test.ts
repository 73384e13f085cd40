import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../base/clock.ts';
import { AgentTable } from './agent-table.ts';

test('agents are listed by id with their last push, and forgotten after five minutes', () => {
  let now = 1_000n;
  const clock: Pick<Clock, 'nowNanos'> = { nowNanos: () => now };
  const table = new AgentTable(clock);
  const upload = (node?: string) => [
    {
      labels: node === undefined ? [] : [{ name: 'node', value: node }],
      profile: new Uint8Array(0),
    },
  ];
  table.begin(upload('b'), '::ffff:10.0.0.1')();
  const done = table.begin(upload(), '10.0.0.2');
  now += 5n;
  done(new Error('bad'));
  table.begin([], '10.0.0.3')();
  table.begin(upload('c'), '')();
  const times = { lastPushNanos: 1_000n, lastPushDurationNanos: 0n };
  assert.deepEqual(table.list(), [
    {
      ...times,
      id: '10.0.0.2',
      node: '',
      address: '10.0.0.2',
      lastError: 'bad',
      lastPushDurationNanos: 5n,
    },
    { ...times, id: 'b::ffff:10.0.0.1', node: 'b', address: '10.0.0.1', lastError: '' },
  ]);
  now += 299_000_000_000n;
  table.begin(upload('b'), '::ffff:10.0.0.1')();
  now += 2_000_000_000n;
  assert.deepEqual(
    table.list().map(({ id }) => id),
    ['b::ffff:10.0.0.1'],
  );
});
