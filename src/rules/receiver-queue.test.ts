// Tests of when a receiver's messages are sent, and of their contents.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AlertReceiverConfig } from '../config/config.ts';
import { createLabelSet, labelSetKey } from '../model/labels.ts';
import type { SentAlert } from './alert-message.ts';
import { ReceiverQueue } from './receiver-queue.ts';

const config: AlertReceiverConfig = {
  name: 'team',
  match: new Map([['team', 'x']]),
  groupBy: ['alertname'],
  groupWaitMillis: 30_000,
  groupIntervalMillis: 300_000,
  repeatMillis: 3_600_000,
  ways: [],
};

/** Reads `Hot/a` as a firing alert and `Hot/a!` as a resolved alert. */
function readAlert(written: string): SentAlert {
  const isResolved = written.endsWith('!');
  const [alertname, job] = written.replace('!', '').split('/');
  const labels = createLabelSet([
    { name: 'alertname', value: alertname },
    { name: 'job', value: job },
    { name: 'team', value: job === 'other' ? 'y' : 'x' },
  ]);
  const key = labelSetKey(labels);
  const times = { activeMillis: 7, endMillis: 0 };
  return { key, labels, annotations: [], ...times, isResolved, link: '' };
}

function readAlerts(written: string): SentAlert[] {
  return written.split(' ').filter(Boolean).map(readAlert);
}

/**
 * Checks which messages are due at each time. They count as sent unless the receiver is
 * unavailable.
 */
function checkAll(
  steps: readonly (readonly [seconds: number, alerts: string, want: string, isAway?: boolean])[],
  sendsResolved = true,
): void {
  let queue = new ReceiverQueue(config, sendsResolved);
  for (const [seconds, alerts, want, isAway = false] of steps) {
    const due = queue.due(readAlerts(alerts), seconds * 1000);
    const shown = due.map(({ alerts: sent }) =>
      sent
        .map(({ labels, isResolved }) => {
          const value = (name: string): string =>
            labels.find((one) => one.name === name)?.value ?? '';
          return `${value('alertname')}/${value('job')}${isResolved ? '!' : ''}`;
        })
        .join(' '),
    );
    assert.equal(shown.join('; '), want, `at ${seconds} s`);
    if (isAway) continue;
    for (const group of due) queue.sent(group, seconds * 1000);
    // After a restart, a queue knows only what was saved.
    queue = new ReceiverQueue(config, sendsResolved, queue.saved());
  }
}

test('the first message waits for more of its group, later ones for changes', () => {
  const queue = new ReceiverQueue(config, true);
  assert.deepEqual(queue.due(readAlerts('Hot/a Cold/c'), 0), []);
  assert.equal(queue.nextMillis, 30_000);
  const due = queue.due(readAlerts('Hot/a Hot/b Cold/c Hot/other'), 30_000);
  assert.deepEqual(
    due.map(({ labels, alerts }) => [labels[0].value, alerts.length]),
    [
      ['Hot', 2],
      ['Cold', 1],
    ],
  );
  for (const group of due) queue.sent(group, 30_000);
  assert.deepEqual(queue.due(readAlerts('Hot/a Hot/b Cold/c'), 60_000), []);
  assert.equal(queue.nextMillis, 3_630_000);
  assert.deepEqual(queue.due(readAlerts('Hot/a Hot/b Hot/d Cold/c'), 90_000), []);
  assert.equal(queue.nextMillis, 330_000);
});

test('nothing is sent twice after a restart, and ends are told once', () => {
  // The queue is created again at each step and does not remember the wait, so only the first step
  // waits.
  const steps = [
    [0, 'Hot/a', '', true],
    [30, 'Hot/a', 'Hot/a'],
    [60, 'Hot/a', ''],
    [330, 'Hot/a Hot/b', 'Hot/a Hot/b'],
    [400, 'Hot/a! Hot/b', ''],
    [630, 'Hot/a! Hot/b', 'Hot/a! Hot/b'],
    [930, 'Hot/a! Hot/b', ''],
    [4_230, 'Hot/a! Hot/b', 'Hot/b'],
    [4_530, 'Hot/b!', 'Hot/b!'],
    [9_000, 'Hot/b!', ''],
  ] as const;
  checkAll(steps);
});

test('an alert that ends before its message is due is no news; one that was due is', () => {
  checkAll([
    [0, 'Hot/a', '', true],
    [10, 'Hot/a!', '', true],
    [60, 'Hot/a!', '', true],
    [100, 'Hot/b', '', true],
    [130, 'Hot/b', 'Hot/b', true],
    [160, 'Hot/b!', 'Hot/b!', true],
    [190, 'Hot/b!', 'Hot/b!', true],
    [3_600, 'Hot/b!', 'Hot/b!'],
    [3_900, 'Hot/b!', ''],
  ]);
});

test('a receiver that wants no ends gets none', () => {
  checkAll(
    [
      [0, 'Hot/a', '', true],
      [30, 'Hot/a', 'Hot/a'],
      [330, 'Hot/a!', ''],
    ],
    false,
  );
});
