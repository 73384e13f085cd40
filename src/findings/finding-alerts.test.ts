// Tests of alerts for findings: open regressions fire; other findings are resolved or not sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelsToObject } from '../model/labels.ts';
import { findingAlerts } from './finding-alerts.ts';
import type { Finding } from './interface.ts';
import { resolvedAlertMillis } from './limits.ts';

const finding: Finding = {
  id: '00112233aabbccdd',
  kind: 'unexplained',
  resource: 'cpu',
  service: { label: 'job', name: 'shop' },
  query: 'cpu{job="shop"}',
  timeMillis: 0,
  doneMillis: 0,
  foundMillis: 1_000,
  version: '',
  versionBefore: '',
  versionLabel: '',
  functions: [
    {
      name: 'parse',
      measure: 'cumulative',
      before: 0.031,
      after: 0.094,
      cost: 0.063,
      halfWidth: 0.011,
      amount: 120.4,
    },
  ],
  state: 'open',
  stateMillis: 1_000,
  resolution: '',
};

test('an open regression fires, with the labels of its service and a link', () => {
  const [alert, ...others] = findingAlerts([finding], 5_000, 'http://a');
  assert.deepEqual(others, []);
  assert.deepEqual(labelsToObject(alert.labels), {
    alertname: 'RegressionFound',
    finding: '00112233aabbccdd',
    function: 'parse',
    job: 'shop',
    kind: 'unexplained',
  });
  assert.deepEqual(labelsToObject(alert.annotations), {
    summary:
      'shop: parse with what it calls costs 120 cores more without a deploy: ' +
      '6.3 ± 1.1 % of the service (3.1 % before, 9.4 % now)',
  });
  assert.equal(alert.link, 'http://a/findings#00112233aabbccdd');
  assert.equal(alert.value, 0.063);
  assert.ok(!alert.isResolved && alert.endMillis > 5_000);
});

test('acknowledged and resolved ones end, for a while; less cost is nobody told', () => {
  const at = (changes: Partial<Finding>, nowMillis = 5_000): string[] =>
    findingAlerts([{ ...finding, ...changes }], nowMillis, '').map(
      ({ isResolved, endMillis }) => `${isResolved} ${endMillis}`,
    );
  assert.deepEqual(at({ state: 'acknowledged', stateMillis: 3_000 }), ['true 3000']);
  assert.deepEqual(at({ state: 'resolved', stateMillis: 4_000 }), ['true 4000']);
  assert.deepEqual(at({ state: 'resolved' }, resolvedAlertMillis + 1_001), []);
  assert.deepEqual(at({ functions: [{ ...finding.functions[0], cost: -0.063 }] }), []);
});

test('a picture compares the time since the change with as much before it; a drift with a week ago', () => {
  const hour = 3_600_000;
  const check = (changes: Partial<Finding>, want: readonly number[]): void => {
    const times = { timeMillis: 100 * hour, foundMillis: 102 * hour };
    const [{ compared }] = findingAlerts([{ ...finding, ...times, ...changes }], 0, '');
    const { base, compared: now, baseScale } = compared();
    const hours = [base, now].flatMap((side) => {
      assert.ok(side?.mode === 'merge' && side.query === finding.query);
      return [side.range.from, side.range.to + 1n].map((nanos) => Number(nanos) / 1e6 / hour);
    });
    assert.deepEqual([hours, baseScale], [want, 'load']);
  };
  check({}, [98, 100, 100, 102]);
  check({ foundMillis: 200 * hour }, [76, 100, 100, 124]);
  check({ kind: 'drift', foundMillis: 400 * hour }, [232, 256, 376, 400]);
});
