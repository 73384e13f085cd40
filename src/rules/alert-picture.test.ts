// Tests of the pictures of messages: their texts, and that a message is sent without a picture if
// need be.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../base/fake/clock.ts';
import { createLabelSet, labelSetKey } from '../model/labels.ts';
import type { DiffSelector, DrawPicture } from '../query/interface.ts';
import type { SentAlert } from './alert-message.ts';
import { askedPicture, pictureOrNone, pictureUrl } from './alert-picture.ts';
import { pictureMillisMax } from './limits.ts';

const second = 1_000_000_000n;
const side = (from: bigint, to: bigint) => {
  return {
    mode: 'merge',
    query: 'cpu{}',
    range: { from: from * second, to: to * second - 1n },
  } as const;
};
const select: DiffSelector = {
  mode: 'diff',
  base: side(0n, 3_600n),
  compared: side(82_800n, 86_400n),
  baseScale: 'time',
};

function alertOf(name: string, more: Partial<SentAlert> = {}): SentAlert {
  const labels = createLabelSet([{ name: 'alertname', value: name }]);
  const texts = { labels, annotations: [], link: '', key: labelSetKey(labels) };
  return { ...texts, activeMillis: 90_061_000, endMillis: 0, isResolved: false, ...more };
}

const compared = () => select;

test('a picture is that of the first firing alert with something to compare', () => {
  const annotations = [{ name: 'summary', value: 'b is hot' }];
  const alerts = [
    alertOf('A', { compared, isResolved: true }),
    alertOf('A', { compared: () => undefined }),
    alertOf('B', { compared, annotations }),
    alertOf('C', { compared }),
  ];
  assert.deepEqual(askedPicture(alerts), {
    select,
    title: 'b is hot',
    foot: 'Since 1970-01-02 01:01:01 UTC',
  });
  assert.equal(askedPicture([alertOf('C', { compared })])?.title, 'alertname=C');
  assert.equal(askedPicture(alerts.slice(0, 2)), undefined);
});

test('a picture that fails or takes too long is reported, and there is none', async () => {
  const clock = createFakeClock(0);
  const failures: unknown[] = [];
  const draw = (drawPicture: DrawPicture | undefined) =>
    pictureOrNone([alertOf('A', { compared })], {
      drawPicture,
      clock,
      signal: new AbortController().signal,
      onFailure: (error) => failures.push(error),
    });
  const picture = Uint8Array.of(1);
  assert.equal(await draw(async () => picture), picture);
  assert.equal(await draw(undefined), undefined);
  assert.deepEqual(failures, []);
  const wrong = new Error('no');
  assert.equal(await draw(() => Promise.reject(wrong)), undefined);
  const slow = draw(
    (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  );
  await clock.advance(pictureMillisMax);
  assert.equal(await slow, undefined);
  assert.deepEqual([failures.length, failures[0]], [2, wrong]);
});

test('the address of a picture has its sides and its title', () => {
  const annotations = [{ name: 'summary', value: 'b & c\ud800' }];
  const url = new URL(pictureUrl([alertOf('B', { compared, annotations })], 'http://a/b') ?? '');
  assert.equal(url.pathname, '/b/api/v1/picture');
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    query: 'cpu{}',
    start: '1970-01-01T23:00:00.000Z',
    end: '1970-01-01T23:59:59.999Z',
    base_start: '1970-01-01T00:00:00.000Z',
    base_end: '1970-01-01T00:59:59.999Z',
    normalize: 'time',
    title: 'b & c\ufffd',
  });
  assert.equal(pictureUrl([alertOf('B')], 'http://a'), undefined);
});
