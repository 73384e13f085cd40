import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Terminal } from './terminal.ts';
import { type TopAnswer, topJson, topText } from './top-table.ts';

/** Properties of a pipe or a file. */
const plainTerminal: Terminal = { isColoured: false, width: undefined };

const coloured = { isColoured: true, width: undefined };
const answer: TopAnswer = {
  query: 'cpu{a="b"}',
  from: '2026-11-21T09:00:00Z',
  to: '2026-11-21T10:00:00Z',
  unit: 'nanoseconds',
  total: 10_000_000_000n,
  profiles: 60,
  coveredNanos: 600_000_000_000n,
  isAverage: false,
  functionCount: 3,
  rows: [
    { name: 'main.work', file: 'main.go', flat: 400_000_000n, cumulative: 9_000_000_000n },
    { name: 'main.light', file: 'main.go', flat: 1_100_000_000n, cumulative: 1_100_000_000n },
    { name: 'main.\u001b[2Jheavy', file: '', flat: 7_500_000_000n, cumulative: 7_500_000_000n },
  ],
};

test('columns are aligned, the largest is first, and the rest is counted', () => {
  assert.equal(
    topText('cpu{a="b"}', answer, { sort: 'flat', rowsMax: 2 }, plainTerminal),
    [
      'cpu{a="b"}',
      '2026-11-21T09:00:00Z to 2026-11-21T10:00:00Z (1h), total 10.0s',
      '60 profiles covering 10.0min, 16.7ms a second',
      '',
      ' flat  flat%  cumulative   cum%  function',
      '7.50s  75.0%       7.50s  75.0%  main.\ufffd[2Jheavy',
      '1.10s  11.0%       1.10s  11.0%  main.light',
      'and 1 more (--top 0 shows all)',
      '',
    ].join('\n'),
  );
});

test('by cumulative value, all rows, in colours', () => {
  const lines = topText('cpu{a="b"}', answer, { sort: 'cumulative', rowsMax: 0 }, coloured).split(
    '\n',
  );
  assert.deepEqual(lines.slice(4), [
    '\u001b[1m flat  flat%  cumulative   cum%  function\u001b[0m',
    '\u001b[31m400ms   4.0%       9.00s  90.0%  main.work\u001b[0m',
    '\u001b[31m7.50s  75.0%       7.50s  75.0%  main.\ufffd[2Jheavy\u001b[0m',
    '\u001b[33m1.10s  11.0%       1.10s  11.0%  main.light\u001b[0m',
    '',
  ]);
});

test('a total of nothing has no shares; other units are named', () => {
  const nothing = { ...answer, unit: 'count', total: 0n, rows: [{ ...answer.rows[0], flat: 0n }] };
  const lines = topText('cpu', nothing, { sort: 'flat', rowsMax: 0 }, coloured).split('\n');
  assert.match(lines[1], /total 0 count$/);
  assert.equal(lines[5], '   0      -  9000000000     -  main.work');
});

test('states have an average; a file has the time it was taken at', () => {
  const check = (given: Partial<TopAnswer>, want: readonly string[]): void => {
    const text = topText('q', { ...answer, ...given }, { sort: 'flat', rowsMax: 1 }, plainTerminal);
    assert.deepEqual(text.split('\n').slice(1, 3), want);
  };
  const states = {
    unit: 'bytes',
    total: 3n << 20n,
    coveredNanos: 0n,
    profiles: 4,
    isAverage: true,
  };
  const range = '2026-11-21T09:00:00Z to 2026-11-21T10:00:00Z (1h)';
  check(states, [`${range}, average 3.00MiB`, '4 profiles, values are averages over their time']);
  check({ ...states, profiles: 1, isAverage: false, to: answer.from }, [
    'taken 2026-11-21T09:00:00Z, total 3.00MiB',
    '1 profile',
  ]);
});

test('JSON keeps every digit and counts all functions', () => {
  const large = { ...answer, total: 2n ** 63n - 1n };
  assert.deepEqual(JSON.parse(topJson(large, { sort: 'flat', rowsMax: 1 })), {
    query: 'cpu{a="b"}',
    from: '2026-11-21T09:00:00Z',
    to: '2026-11-21T10:00:00Z',
    unit: 'nanoseconds',
    total: '9223372036854775807',
    profiles: 60,
    coveredNanos: '600000000000',
    isAverage: false,
    functionCount: 3,
    functions: [
      { name: 'main.\u001b[2Jheavy', file: '', flat: '7500000000', cumulative: '7500000000' },
    ],
  });
});
