import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeHereSentBytesMax } from '../../../base/limits.ts';
import { answerStackIds } from '../../../formats/parca-arrow/encode-stack-ids.ts';
import { encodeSamples } from '../../../formats/parca-arrow/testing/version-1.ts';
import { readStackIds } from './stack-ids.ts';

const makeSamples = (count: number): Uint8Array => {
  const samples = Array.from({ length: count }, (_, i) => {
    return { id: `stack number ${i}`, labels: { comm: 'app' }, value: 1n };
  });
  return encodeSamples(samples, 1_000n);
};
const large = makeSamples(8_000);
const { signal } = new AbortController();

test('a thread answers a large message as this one answers a small one', async () => {
  const small = makeSamples(10);
  assert.ok(small.length < decodeHereSentBytesMax && large.length > decodeHereSentBytesMax);
  for (const samples of [small, large]) {
    const answer = Buffer.from(await readStackIds(samples, signal));
    assert.ok(answer.equals(answerStackIds(samples) ?? Buffer.of()));
  }
  await assert.rejects(readStackIds(new Uint8Array(decodeHereSentBytesMax + 1), signal), {
    code: 'invalid-argument',
  });
});

test('the search ends with its caller', async () => {
  const gone = new AbortController();
  const answer = readStackIds(large, gone.signal);
  gone.abort();
  await assert.rejects(answer, { code: 'cancelled' });
});
