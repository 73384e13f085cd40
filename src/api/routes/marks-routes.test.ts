import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noMarks, readMark } from './marks-routes.ts';

const nowMillis = Date.parse('2026-11-21T10:00:00Z');

function read(mark: unknown) {
  return readMark(Buffer.from(JSON.stringify(mark)), nowMillis);
}

test('a mark needs only a text', () => {
  assert.deepEqual(read({ text: 'rollout' }), {
    timeMillis: nowMillis,
    text: 'rollout',
    link: '',
    labels: {},
  });
});

test('a mark has a time in each form, a link and labels', () => {
  const whole = {
    text: '2.15.0 is out',
    time: '2026-11-21T09:59:30Z',
    link: 'https://ci.example.com/7',
    labels: { job: 'api', version: '2.15.0' },
  };
  assert.deepEqual(read(whole), {
    timeMillis: nowMillis - 30_000,
    text: whole.text,
    link: whole.link,
    labels: whole.labels,
  });
  assert.equal(read({ text: 'x', time: 'now-1m' }).timeMillis, nowMillis - 60_000);
  assert.equal(read({ text: 'x', time: nowMillis - 5 }).timeMillis, nowMillis - 5);
});

for (const [mark, why] of [
  [[], /the body is not a JSON object/],
  [{}, /text is missing/],
  [{ text: ' ' }, /text is missing/],
  [{ text: 1 }, /text must be a string/],
  [{ text: 'x'.repeat(201) }, /text has 201 characters, the limit is 200/],
  [{ text: 'x', tme: 'now' }, /unknown field "tme", the nearest are "time"/],
  [{ text: 'x', time: 'soon' }, /time: cannot read time "soon"/],
  [{ text: 'x', time: {} }, /time must be a string/],
  [{ text: 'x', link: 'javascript:alert(1)' }, /link must begin with https:\/\/ or http:\/\//],
  [{ text: 'x', link: '/ci/7' }, /link must begin with/],
  [{ text: 'x', labels: ['job'] }, /labels must be an object of strings/],
  [{ text: 'x', labels: { 'a-b': '' } }, /"a-b" is not a label name/],
  [{ text: 'x', labels: { job: 1 } }, /label job must be a string/],
  [{ text: 'x', labels: { job: 'x'.repeat(257) } }, /label job has more than 256 characters/],
] as const) {
  test(`refused: ${JSON.stringify(mark).slice(0, 50)}`, () => {
    assert.throws(() => read(mark), why);
  });
}

test('what is no JSON, or too long, is refused', () => {
  assert.throws(() => readMark(Buffer.from('{'), nowMillis), /cannot add a mark: /);
  assert.throws(() => readMark(Buffer.alloc(70_000), nowMillis), /it has 70000 bytes/);
});

test('a server that keeps no marks lists none, and refuses new ones', async () => {
  assert.deepEqual(noMarks.list(), []);
  const mark = { timeMillis: 1, text: 'x', link: '', labels: {} };
  await assert.rejects(noMarks.add(mark), { code: 'unimplemented' });
  await assert.rejects(noMarks.remove('0'), { code: 'unimplemented' });
});
