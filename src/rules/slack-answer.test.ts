// Tests of Slack's answers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSlackAnswer } from './slack-answer.ts';

const read = (text: string): string | undefined => readSlackAnswer(new TextEncoder().encode(text));

test('webhooks answer with a word, and methods with JSON', () => {
  assert.equal(read('ok'), undefined);
  assert.equal(read(''), undefined);
  assert.equal(read('{cut'), undefined);
  assert.equal(read('{"ok":true,"ts":"1.2","message":{}}'), undefined);
});

test('a message that will never be taken is given up, and all else is sent again', () => {
  assert.equal(read('{"ok":false,"error":"no_text"}'), 'Slack answers "no_text"');
  const again = { code: 'unavailable', message: /^cannot send alerts: Slack answers "/ };
  for (const error of ['not_in_channel', 'invalid_auth', 'internal_error']) {
    assert.throws(() => read(JSON.stringify({ ok: false, error })), again);
  }
});
