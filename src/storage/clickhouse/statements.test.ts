// Tests of the statements; test/interop runs them on real servers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMatcher } from '../../model/matcher.ts';
import { parseProfileType } from '../../model/profile-type.ts';
import {
  type Branch,
  extentsStatement,
  mergeStatement,
  pointsStatement,
  quoted,
  stacksStatement,
  streamsStatement,
  totalsStatement,
} from './statements.ts';

const range = { from: -1n, to: 86_400_000_000_001n };
const set = { range, services: ["a'b"], names: ['cpu'], streams: [7n, 2n ** 64n - 1n] };
const branch: Branch = { set, series: [0, 1], valueColumn: 1, filter: undefined };
const shape = { groups: [0, 1], classes: new Map(), timesPeriod: false, steps: undefined };

test('texts are quoted', () => {
  assert.equal(quoted("a'b\\c\0"), "'a\\'b\\\\c\\0'");
});

test('matchers are anchored, and leave streams without the label to their samples', () => {
  const matchers = [createMatcher('job', '=~', 'a|b'), createMatcher('__name__', '!=', "x'")];
  const type = parseProfileType('cpu:samples:count:cpu:nanoseconds:delta');
  const text = streamsStatement(range, matchers, type);
  for (const part of [
    "day BETWEEN toInt64('0') AND toInt64('1')",
    "(NOT has(label_names, 'job') OR match(label_values[indexOf(label_names, 'job')], '(?s)^(?:a|b)$'))",
    "(NOT 1 OR NOT name = 'x\\'')",
    "period_type = 'cpu' AND period_unit = 'nanoseconds' AND delta = 1",
    "arrayExists((t, u) -> t = 'samples' AND u = 'count', sample_types, sample_units)",
  ]) {
    assert.ok(text.includes(part), `${text}\nlacks\n${part}`);
  }
});

test('profiles are read once, of a range of hours, streams and times', () => {
  assert.equal(
    extentsStatement(set, undefined),
    "SELECT stream, toUInt32(count()), min(time), max(time), toUInt64(sum(arrayReduce('max', " +
      'counts))) FROM (SELECT stream, time, content, counts FROM profiles WHERE ' +
      "service IN ('a\\'b') AND name IN ('cpu') AND " +
      "hour BETWEEN toInt64('-3600000000000') AND toInt64('86400000000000') AND " +
      "time BETWEEN toInt64('-1') AND toInt64('86400000000001') AND " +
      'stream IN (7,18446744073709551615) LIMIT 1 BY stream, time, content) GROUP BY stream',
  );
});

test('samples that do not belong are left out', () => {
  const filter = { labels: [0n, 5n], isIncluded: false };
  assert.match(extentsStatement(set, filter), /HAVING max\(if\(empty\(labels\), 0, arrayExists/);
  const text = mergeStatement([{ ...branch, filter }], shape, false);
  assert.match(text, /of_samples AS label WHERE label NOT IN \(0,5\)/);
});

test('sums have a group, and a class where labels of samples decide', () => {
  const text = mergeStatement([branch], { ...shape, classes: new Map([[9n, 1]]) }, true);
  assert.match(text, /^SELECT CAST\(\[0,1\] AS Array\(UInt32\)\)\[series \+ 1\] AS label_group, /);
  assert.match(text, /transform\(label, CAST\(\[9\] AS Array\(UInt64\)\), /);
  assert.match(text, /data\[2\] AS vals/);
  assert.match(text, /GROUP BY label_group, label_class, time, duration, stack HAVING worth != 0$/);
});

test('whole profiles need no samples', () => {
  const text = totalsStatement([branch], shape, undefined);
  assert.match(text, /totals\[2\] AS total/);
  assert.doesNotMatch(text, /stacks/);
});

test('a filter of stacks that keeps none, or all, needs no list', () => {
  const points = (isKept: boolean): string =>
    pointsStatement([branch], shape, undefined, { digits: [], isKept });
  assert.match(points(true), /sumIf\(value, 0\)/);
  assert.match(points(false), /sumIf\(value, 1\)/);
});

test('points of a bucket are joined, before 1970 too', () => {
  const buckets = { stepNanos: 10n, offsetNanos: 3n, bySeries: false };
  const moved = "(time + toInt64('3'))";
  const text = totalsStatement([branch], shape, buckets);
  assert.ok(text.includes(`max(time), ${moved} - (${moved} % 10 + 10) % 10 AS bucket FROM`), text);
  assert.match(text, / GROUP BY label_group, label_class, bucket$/);
});

test('steps join the profiles at their ends', () => {
  const steps = { series: [1], atNanos: [5n], factors: [-1], timeNanos: [4n], durationNanos: [1n] };
  const text = mergeStatement([branch], { ...shape, timesPeriod: true, steps }, true);
  assert.match(text, /sum\(value \* period \* factor\) AS worth/);
  assert.match(text, /AS of_steps USING \(series, time\)/);
  assert.match(text, /GROUP BY label_group, label_class, span_time, span_duration, stack/);
});

test('stacks are asked for by their hashes', () => {
  assert.equal(
    stacksStatement(['00ff', 'aa']),
    'SELECT stack, locations FROM stacks WHERE stack IN (SELECT arrayJoin(arrayMap(x -> ' +
      "toFixedString(unhex(x), 16), splitByChar(' ', '00ff aa')))) LIMIT 1 BY stack",
  );
});
