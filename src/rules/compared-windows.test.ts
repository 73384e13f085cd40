// Tests of the comparison in the picture of an alert.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLabelSet } from '../model/labels.ts';
import { parseExpression } from '../promql-like/parse-expression.ts';
import type { ProfileSelector } from '../query/interface.ts';
import { comparedWindows } from './compared-windows.ts';
import type { Alert } from './interface.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Alert of a rule that was first true at 100 h. The alert fired a quarter of an hour later. */
const alert: Alert = {
  labels: createLabelSet([
    { name: 'alertname', value: 'Hot' },
    { name: 'job', value: 'a "b"' },
  ]),
  annotations: [],
  state: 'firing',
  activeMillis: 100 * hour,
  value: 1,
  keptSinceMillis: undefined,
  firedMillis: 100 * hour + 15 * minute,
  resolvedMillis: undefined,
};

/** Describes a side as its query and its range in minutes around 100 h. */
function describe(side: ProfileSelector | undefined): string {
  assert.ok(side?.mode === 'merge');
  const [from, to] = [side.range.from, side.range.to + 1n].map(
    (nanos) => Number(nanos) / 1e6 / minute - 6_000,
  );
  return `${side.query} ${from}..${to}`;
}

function check(text: string, want: readonly string[] | undefined, offsetMillis = 0): void {
  const listMarks = () => [{ timeMillis: 99 * hour, labels: {} }];
  const rule = { expression: parseExpression(text), offsetMillis, listMarks };
  const compared = comparedWindows(alert, rule);
  const sides = compared && [describe(compared.base), describe(compared.compared)];
  assert.deepEqual(sides, want, text);
}

test('a window is compared with the one before the expression was true', () => {
  check('cores(cpu{x="1"} [5m]) > 1', ['cpu{x="1"} -10..-5', 'cpu{x="1"} 10..15']);
  check('cores(cpu{x="1"} [5m]) > 1', ['cpu{x="1"} -11..-6', 'cpu{x="1"} 9..14'], minute);
  check('sum(-rate(cpu{x="1"} | increase [5m]))', [
    'cpu{x="1"} | increase -10..-5',
    'cpu{x="1"} | increase 10..15',
  ]);
});

test('profiles are those with the labels of the alert by which the query groups', () => {
  const own = 'cpu{x="1", job="a \\"b\\"", zone=""}';
  check('cores(cpu{x="1"} | by (job, zone) [5m]) > 1', [`${own} -10..-5`, `${own} 10..15`]);
});

test('a window that the expression compares with is the base', () => {
  check('cores(cpu{x="1"} [1h]) / cores(cpu{x="1"} offset 1d [1h]) > 1', [
    `cpu{x="1"} ${-45 - 1_440}..${15 - 1_440}`,
    'cpu{x="1"} -45..15',
  ]);
  check('cores(cpu{x="1"} [2h] since mark) / cores(cpu{x="1"} [2h] before mark)', [
    'cpu{x="1"} -180..-60',
    'cpu{x="1"} -60..15',
  ]);
  check('cores(cpu{x="1"} [5m]) / cores(cpu{x="2"} offset 1d [5m]) > 1', [
    'cpu{x="1"} -10..-5',
    'cpu{x="1"} 10..15',
  ]);
});

test('numbers and recorded series have nothing to compare', () => {
  check('1', undefined);
  check('job:cpu:cores > 1', undefined);
});
