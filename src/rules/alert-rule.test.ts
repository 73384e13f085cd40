// Tests of alerts over several evaluations.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorMessage } from '../base/errors.ts';
import { createLabelSet } from '../model/labels.ts';
import { nextAlerts, type AlertContext, type AlertMap } from './alert-rule.ts';
import type { Vector } from './evaluate.ts';
import type { Alert } from './interface.ts';
import { parseRuleFile } from './rule-file.ts';

function makeContext(rule: string, group = ''): AlertContext {
  const file = `groups: [{name: g, rules: [{alert: Hot, expr: 'cores(cpu [5m])', ${rule}}] ${group}}]`;
  const [config] = parseRuleFile(file, 'rules.yml', { intervalMillis: 60_000, offsetMillis: 0 });
  const [first] = config.rules;
  assert.ok(first.kind === 'alert');
  return { group: config, rule: first, externalLabels: [], link: 'http://x/' };
}

function samples(...jobs: readonly (readonly [job: string, value: number])[]): Vector {
  return jobs.map(([value, number]) => ({
    labels: createLabelSet([{ name: 'job', value }]),
    value: number,
  }));
}

function describe(alerts: AlertMap): string {
  return [...alerts.values()]
    .map((alert) => {
      const job = alert.labels.find(({ name }) => name === 'job')?.value;
      const end =
        alert.resolvedMillis === undefined ? '' : `, ended ${alert.resolvedMillis / 1000}`;
      return `${job} ${alert.state} since ${alert.activeMillis / 1000}${end}`;
    })
    .join('; ');
}

/** Evaluates once a minute; returns the alerts after each evaluation. */
function run(
  context: AlertContext,
  results: readonly Vector[],
  isDelivered: (alert: Alert) => boolean = () => true,
): string[] {
  let alerts: AlertMap = new Map();
  return results.map((result, i) => {
    alerts = nextAlerts(alerts, result, context, i * 60_000, (_, alert) => isDelivered(alert));
    return describe(alerts);
  });
}

test('an alert is pending, fires, and is resolved', () => {
  const hot = samples(['a', 5]);
  assert.deepEqual(run(makeContext('for: 2m'), [hot, hot, hot, hot, [], []]), [
    'a pending since 0',
    'a pending since 0',
    'a firing since 0',
    'a firing since 0',
    'a inactive since 0, ended 240',
    'a inactive since 0, ended 240',
  ]);
  assert.deepEqual(
    run(makeContext('for: 2m'), [hot, [], hot, hot]),
    ['a pending since 0', '', 'a pending since 120', 'a pending since 120'],
    'a gap starts it again',
  );
  assert.deepEqual(run(makeContext('for: 0s'), [hot, samples(['a', 5], ['b', 6])]), [
    'a firing since 0',
    'a firing since 0; b firing since 60',
  ]);
});

test('keep_firing_for holds an alert over a gap', () => {
  const hot = samples(['a', 5]);
  assert.deepEqual(run(makeContext('keep_firing_for: 2m'), [hot, [], [], hot, [], [], []]), [
    'a firing since 0',
    'a firing since 0',
    'a firing since 0',
    'a firing since 0',
    'a firing since 0',
    'a firing since 0',
    'a inactive since 0, ended 360',
  ]);
});

test('resolved alerts stay for a quarter of an hour, and until receivers know', () => {
  const results = [samples(['a', 5]), ...Array.from({ length: 20 }, (): Vector => [])];
  const gone = run(makeContext('for: 0s'), results).indexOf('');
  assert.equal(gone, 17);
  const kept = run(makeContext('for: 0s'), results, () => false);
  assert.equal(kept.at(-1), 'a inactive since 0, ended 60');
});

test('labels and annotations', () => {
  const rule =
    "labels: {severity: page, level: '{{ $value }}'}, annotations: {summary: '{{ $labels.job }} is hot'}";
  const context = makeContext(rule, ', labels: {team: x, severity: none}');
  const [alert] = nextAlerts(new Map(), samples(['a', 5]), context, 0, () => true).values();
  assert.deepEqual(
    alert.labels.map(({ name, value }) => `${name}=${value}`),
    ['alertname=Hot', 'job=a', 'level=5', 'severity=page', 'team=x'],
  );
  assert.deepEqual(alert.annotations, [{ name: 'summary', value: 'a is hot' }]);
});

test('labels of a rule must leave alerts different', () => {
  const check = (context: AlertContext, result: Vector, want: string): void => {
    const next = (): unknown => nextAlerts(new Map(), result, context, 0, () => true);
    assert.throws(next, (error) => errorMessage(error) === want);
  };
  check(
    makeContext('labels: {job: all}'),
    samples(['a', 5], ['b', 6]),
    'cannot evaluate rule: several samples have the labels {alertname="Hot", job="all"} of an alert',
  );
  check(
    makeContext('for: 1m', ', limit: 1'),
    samples(['a', 5], ['b', 6]),
    'cannot evaluate rule: it gives 2 alerts, the limit of the group is 1',
  );
});

test('mistakes of a file are all named', () => {
  const file = `groups:
  - name: g
    rules:
      - alert: A
        expr: cores(cpu [5m]
      - alert: B
        expr: cores(cpu{job="x} [5m])
        labels: {alertname: x}
        annotations: {summary: '{{ $valu }}'}
      - record: C
        expr: cores(cpu [5m])
        for: 5m
      - expr: cores(cpu [5m])
  - name: g
    intervall: 1m
`;
  const parse = (): unknown =>
    parseRuleFile(file, 'rules.yml', { intervalMillis: 60_000, offsetMillis: 0 });
  assert.throws(parse, (error) => {
    assert.deepEqual(errorMessage(error).split('\n'), [
      'rules.yml:5:15: groups[0].rules[0].expr: 1:15: unexpected end of the expression',
      'rules.yml:7:15: groups[0].rules[1].expr: 1:7: expected a query and its window, such as process_cpu{job="api"} [5m]',
      'rules.yml:8:18: groups[0].rules[1].labels.alertname: a rule cannot set the label alertname',
      'rules.yml:9:32: groups[0].rules[1].annotations.summary: cannot use template "$valu": unexpected $valu, expected $value, $labels.NAME, $externalLabels.NAME, $link, a string or a number',
      'rules.yml:12:14: groups[0].rules[2].for: a rule with record cannot have it',
      'rules.yml:13:9: groups[0].rules[3]: alert or record is missing',
      'rules.yml:14:11: groups[1].name: a group has this name already: g',
      'rules.yml:15:5: groups[1].intervall: unknown key, did you mean interval?',
    ]);
    return true;
  });
});
