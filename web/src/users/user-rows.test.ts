// Tests of rows for services that use functions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UserMessage, UsersOfType } from './ask-users.ts';
import { userRows } from './user-rows.ts';

const start = Date.parse('2026-11-01T00:00:00Z');

function user(
  service: string,
  version: string,
  cores: number,
  buckets: readonly (readonly [hour: number, rate: number])[] = [],
): UserMessage {
  return {
    service: service === '' ? null : { name: 'job', value: service },
    version: version === '' ? null : { name: 'version', value: version },
    total: String(cores * 1e9),
    whole: '4000000000',
    coveredNanos: '1000000000',
    buckets: {
      time: buckets.map(([hour]) => new Date(start + hour * 3_600_000).toISOString()),
      rate: buckets.map(([, rate]) => rate),
      coveredNanos: buckets.map(() => '60'),
    },
  };
}

const ofType = (type: string, users: readonly UserMessage[]): UsersOfType => ({
  type,
  users,
  more: { users: 0 },
  warnings: [],
});

test('a row for each service, with its versions; the first type counts', () => {
  const rows = userRows(
    [
      ofType('own', [user('shop', '1', 1), user('shop', '2', 2), user('', '', 3)]),
      ofType('agent', [user('shop', '', 9), user('etl', '', 1)]),
    ],
    undefined,
  );
  const found = rows.map(({ service, type, versions }) => [
    service?.value,
    type,
    versions.map(({ version, cores, share }) => [version?.value, cores, share]),
  ]);
  assert.deepEqual(found, [
    [undefined, 'own', [[undefined, 3, 0.75]]],
    [
      'shop',
      'own',
      [
        ['2', 2, 0.5],
        ['1', 1, 0.25],
      ],
    ],
    ['etl', 'agent', [[undefined, 1, 0.25]]],
  ]);
});

test('a history adds up versions of one bucket, and has gaps', () => {
  const answers = [
    ofType('own', [
      user('shop', '1', 1, [
        [0, 2],
        [6, 1],
      ]),
      user('shop', '2', 1, [[6, 3]]),
    ]),
  ];
  const history = { answers, from: start, stepMillis: 6 * 3_600_000, count: 3 };
  const [row] = userRows(answers, history);
  assert.deepEqual(row.history.values, [2, 4, null]);
});
