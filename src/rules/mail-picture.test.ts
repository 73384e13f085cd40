// Tests that the texts of alerts never become markup in the HTML of e-mails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLabelSet, labelSetKey } from '../model/labels.ts';
import type { GroupMessage } from './alert-message.ts';
import { mailPicture } from './mail-picture.ts';

const evil = '<img src=x onerror="alert(1)">&\'';
const labels = createLabelSet([{ name: 'job', value: evil }]);
const message: GroupMessage = {
  receiver: 'team',
  groupLabels: labels,
  externalUrl: 'http://parca',
  afterMillis: 0,
  alerts: [
    {
      key: labelSetKey(labels),
      labels,
      annotations: [{ name: 'summary', value: evil }],
      activeMillis: 0,
      endMillis: 0,
      isResolved: false,
      link: 'http://parca/?q=cpu%7B%7D&x="',
    },
  ],
};

test('a message with a picture has HTML in which texts are escaped and addresses are links', () => {
  const shown = '&#60;img src=x onerror=&#34;alert(1)&#34;&#62;&#38;&#39;';
  const image =
    '<img src="cid:picture@example.com" width="1000" style="max-width:100%;height:auto" ' +
    'alt="Flame graph of what changed">';
  const link = 'http://parca/?q=cpu%7B%7D&#38;x=&#34;';
  const mail = mailPicture({ ...message, picture: Uint8Array.of(1, 2) }, 'example.com');
  assert.equal(
    mail?.html,
    `<html><body style="font-family:sans-serif"><p>1 alert firing: job=${shown}</p>
<p>${image}</p>
<p>Firing since 1970-01-01T00:00:00.000Z<br>
${shown}<br>
Labels: job=${shown}<br>
<a href="${link}">${link}</a></p>
<p>All alerts: <a href="http://parca/alerts">http://parca/alerts</a></p></body></html>
`,
  );
  assert.deepEqual(mail?.attachments, [
    {
      filename: 'flame-graph.png',
      content: Buffer.of(1, 2),
      contentType: 'image/png',
      contentDisposition: 'inline',
      cid: 'picture@example.com',
    },
  ]);
});

test('a message without a picture has no HTML', () => {
  assert.equal(mailPicture(message, 'example.com'), undefined);
});
