// Tests of the script format itself: which commands there are, and which lines are refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTime, parseScript, parseTime } from './parse-script.ts';

test('times: units, sums, signs', () => {
  assert.equal(parseTime('1m-1ns'), 59_999_999_999n);
  assert.equal(parseTime('-5s'), -5_000_000_000n);
  assert.equal(parseTime('1_000'), 1000n);
  assert.throws(() => parseTime('5 s'), /not a time/);
  const texts = ['10s', '10500ms', '1ns', '-1s', '0s'];
  assert.deepEqual(
    texts.map((text) => formatTime(parseTime(text))),
    texts,
  );
});

test('evals: query, times and options are told apart', () => {
  const read = (text: string): unknown => {
    const [command] = parseScript(`${text}\n  row 1\n`);
    assert.ok(command.kind === 'eval');
    const { query, at, hasRange, options, expected } = command;
    return [query, hasRange, at, [...options], expected];
  };
  assert.deepEqual(read('eval flamegraph cpu{a="from x to y"} from 0s to 1s trim=0.5'), [
    'cpu{a="from x to y"}',
    true,
    undefined,
    [['trim', ['0.5']]],
    ['row 1'],
  ]);
  assert.deepEqual(read('eval single cpu at 1ns'), ['cpu', false, 1n, [], ['row 1']]);
  assert.deepEqual(read('eval labels match={a="b"} match={c="d"}'), [
    '',
    false,
    undefined,
    [['match', ['{a="b"}', '{c="d"}']]],
    ['row 1'],
  ]);
});

test('what is not a command is refused with its line', () => {
  assert.throws(() => parseScript('clear\nlaod x'), /^Error: line 2: unknown command: laod x$/);
  assert.throws(() => parseScript('  row'), /line 1: indented without a command/);
  assert.throws(() => parseScript('eval flames x'), /line 1: cannot read eval/);
  assert.throws(() => parseScript('load x at y'), /line 1: cannot read type: x|not a time/);
  assert.throws(
    () => parseScript('load a:b:c:d:e at 1s\n  f'),
    /load of line 1: cannot read row: f/,
  );
});
