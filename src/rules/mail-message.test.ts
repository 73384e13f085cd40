// Tests of the text of e-mails, and of their Message-IDs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLabelSet, labelSetKey } from '../model/labels.ts';
import type { GroupMessage, SentAlert } from './alert-message.ts';
import { mailAlertsMax, mailSubjectCharactersMax, mailTextCharactersMax } from './limits.ts';
import { mailId, mailText } from './mail-message.ts';

function alertOf(job: string, isResolved = false, summary?: string): SentAlert {
  const labels = createLabelSet([
    { name: 'alertname', value: 'Hot' },
    { name: 'job', value: job },
  ]);
  const annotations = summary === undefined ? [] : [{ name: 'summary', value: summary }];
  const times = { activeMillis: 0, endMillis: 60_000 };
  return {
    key: labelSetKey(labels),
    labels,
    annotations: createLabelSet(annotations),
    ...times,
    isResolved,
    link: 'http://parca/?q=x',
  };
}

function messageOf(alerts: readonly SentAlert[], groupBy = 'alertname'): GroupMessage {
  const groupLabels = alerts[0].labels.filter(({ name }) => groupBy.split(' ').includes(name));
  return { receiver: 'team', groupLabels, externalUrl: 'http://parca', afterMillis: 0, alerts };
}

test('a message names what fires, what has ended, and where to look', () => {
  assert.deepEqual(
    mailText(messageOf([alertOf('a', false, 'a uses 2 cores'), alertOf('b', true)])),
    {
      subject: 'Firing: Hot (1 alert)',
      text: `1 alert firing, 1 alert resolved: alertname=Hot

Firing since 1970-01-01T00:00:00.000Z
a uses 2 cores
Labels: alertname=Hot job=a
http://parca/?q=x

Resolved at 1970-01-01T00:01:00.000Z, began at 1970-01-01T00:00:00.000Z
Labels: alertname=Hot job=b
http://parca/?q=x

All alerts: http://parca/alerts
`,
    },
  );
  const subject = (alerts: readonly SentAlert[], groupBy?: string): string =>
    mailText(messageOf(alerts, groupBy)).subject;
  assert.equal(subject([alertOf('a', true), alertOf('b', true)]), 'Resolved: Hot (2 alerts)');
  assert.equal(subject([alertOf('a'), alertOf('b')], ''), 'Firing: 2 alerts');
});

test('signs that end lines or turn text around are spaces', () => {
  const evil = 'a\r\nBcc: x@example.com\u2028\u202eb\u0000\u0085c\ud800';
  const { subject, text } = mailText(messageOf([alertOf(evil, false, evil)], 'alertname job'));
  const plain = 'a Bcc: x@example.com b c\ufffd';
  assert.equal(subject, `Firing: Hot ${plain} (1 alert)`);
  assert.deepEqual(text.split('\n').slice(3, 5), [plain, `Labels: alertname=Hot job=${plain}`]);
});

test('the size of a message has limits', () => {
  const long = 'x'.repeat(100_000);
  const alerts = Array.from({ length: mailAlertsMax + 7 }, () => alertOf(long, false, long));
  const { subject, text } = mailText(messageOf(alerts, 'alertname job'));
  assert.equal(subject.length, mailSubjectCharactersMax + '... (57 alerts)'.length);
  assert.ok(text.length < (mailAlertsMax + 1) * 3 * mailTextCharactersMax);
  assert.match(text, /\n\.\.\. and 7 alerts more\n/);
});

test('a Message-ID is that of the news, and not of the moment', () => {
  const message = messageOf([alertOf('a')]);
  const idOf = (changes: Partial<GroupMessage>, to = 'a@example.com'): string =>
    mailId({ ...message, ...changes }, to, 'example.com');
  const id = idOf({});
  assert.match(id, /^<[\da-f]{32}@example\.com>$/);
  assert.equal(idOf({ alerts: [{ ...alertOf('a', false, 'other text'), endMillis: 7 }] }), id);
  const others = [
    idOf({ afterMillis: 1 }),
    idOf({ receiver: 'other' }),
    idOf({ alerts: [alertOf('a', true)] }),
    idOf({ alerts: [{ ...alertOf('a'), activeMillis: 7 }] }),
    idOf({ alerts: [alertOf('a'), alertOf('b')] }),
    idOf({ groupLabels: [] }),
    idOf({}, 'b@example.com'),
  ];
  assert.equal(new Set([id, ...others]).size, others.length + 1);
});
