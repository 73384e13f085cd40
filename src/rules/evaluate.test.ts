// Tests of operators as in PromQL, with samples from a table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorMessage } from '../base/errors.ts';
import { createLabelSet } from '../model/labels.ts';
import { parseExpression } from '../promql-like/parse-expression.ts';
import { evaluate, type Vector } from './evaluate.ts';

/** Reads `job=a,pod=1 5; job=b 6`. */
function readVector(written: string): Vector {
  const samples = written === '' ? [] : written.split('; ');
  return samples.map((sample) => {
    const [labels, value] = sample.split(' ');
    const pairs = labels === '-' ? [] : labels.split(',').map((pair) => pair.split('='));
    return {
      labels: createLabelSet(pairs.map(([name, text]) => ({ name, value: text }))),
      value: Number(value),
    };
  });
}

function printVector(vector: Vector): string {
  return vector
    .map(({ labels, value }) => {
      const shown = labels.map(({ name, value: text }) => `${name}=${text}`).join(',');
      return `${shown === '' ? '-' : shown} ${value}`;
    })
    .join('; ');
}

/** Samples of the queries a, b, c and none. */
const samples: ReadonlyMap<string, Vector> = new Map([
  ['a', readVector('job=x,pod=1 4; job=x,pod=2 6; job=y,pod=3 10')],
  ['b', readVector('job=x,pod=1 2; job=y,pod=3 0; job=z,pod=4 1')],
  ['c', readVector('job=x 100; job=y 50')],
  ['none', []],
]);

async function check(text: string, want: string): Promise<void> {
  const found = await evaluate(parseExpression(text), async (asked) => {
    assert.ok(asked.kind === 'window');
    const { operand } = asked.query;
    const name = operand.kind === 'selector' ? operand.profile?.text : undefined;
    return samples.get(name ?? '') ?? [];
  }).then(printVector, errorMessage);
  assert.equal(found, want, text);
}

test('arithmetic and comparisons of samples with numbers', async () => {
  await check('total(a[5m]) * 2', 'job=x,pod=1 8; job=x,pod=2 12; job=y,pod=3 20');
  await check('1 - total(b[5m]) / 2', 'job=x,pod=1 0; job=y,pod=3 1; job=z,pod=4 0.5');
  await check('total(a[5m]) > 5', 'job=x,pod=2 6; job=y,pod=3 10');
  await check('5 > total(a[5m])', 'job=x,pod=1 4');
  await check('total(a[5m]) % 4 == 2', 'job=x,pod=2 2; job=y,pod=3 2');
  await check('2 + 3 * 4 - -1', '- 15');
  await check('(2 + 3) * 4 / inf', '- 0');
});

test('samples of both sides with equal labels are joined', async () => {
  await check('total(a[5m]) - total(b[5m])', 'job=x,pod=1 2; job=y,pod=3 10');
  await check('total(a[5m]) > total(b[5m]) * 3', 'job=y,pod=3 10');
  await check('total(a[5m]) / on (pod) total(b[5m])', 'pod=1 2; pod=3 Infinity');
  await check('total(b[5m]) / ignoring (pod) total(c[5m])', 'job=x 0.02; job=y 0');
  await check(
    'total(a[5m]) / on (job) total(c[5m])',
    'cannot evaluate /: several samples on its left side match {job="x", pod="2"}',
  );
  await check(
    'total(c[5m]) > on (job) total(a[5m])',
    'cannot evaluate >: several samples on its right side match {job="x", pod="2"}',
  );
});

test('sets', async () => {
  await check('total(a[5m]) and total(b[5m])', 'job=x,pod=1 4; job=y,pod=3 10');
  await check('total(a[5m]) unless total(b[5m])', 'job=x,pod=2 6');
  await check(
    'total(b[5m]) or total(a[5m])',
    'job=x,pod=1 2; job=y,pod=3 0; job=z,pod=4 1; job=x,pod=2 6',
  );
  await check('total(a[5m]) and on (job) total(c[5m]) > 60', 'job=x,pod=1 4; job=x,pod=2 6');
  await check('total(none[5m]) or total(c[5m]) unless total(none[5m])', 'job=x 100; job=y 50');
});

test('aggregations', async () => {
  await check('sum(total(a[5m]))', '- 20');
  await check('sum by (job) (total(a[5m]))', 'job=x 10; job=y 10');
  await check('avg(total(a[5m])) without (pod)', 'job=x 5; job=y 10');
  await check('max by (job, none) (total(a[5m]))', 'job=x 6; job=y 10');
  await check('min(total(none[5m]))', '');
  await check('count(total(a[5m]) > 5)', '- 2');
});

test('the largest and the smallest samples of each group', async () => {
  await check('topk(2, total(a[5m]))', 'job=y,pod=3 10; job=x,pod=2 6');
  await check('bottomk by (job) (1, total(a[5m]))', 'job=x,pod=1 4; job=y,pod=3 10');
  await check('topk(1.9, total(a[5m])) without (pod)', 'job=y,pod=3 10; job=x,pod=2 6');
  await check('topk(0, total(a[5m]))', '');
  await check(
    'bottomk(9, total(b[5m]) / 0)',
    'job=x,pod=1 Infinity; job=z,pod=4 Infinity; job=y,pod=3 NaN',
  );
});

test('functions', async () => {
  await check('abs(total(a[5m]) - 5)', 'job=x,pod=1 1; job=x,pod=2 1; job=y,pod=3 5');
  await check('absent(total(a[5m]))', '');
  await check('absent(total(none{job="api", pod=~"x"}[5m]))', 'job=api 1');
  await check('absent(total(none{job="a", job="b"}[5m]) > 1)', '- 1');
});
