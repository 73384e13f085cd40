// Strings that are sorted in slices have the order of `sort`, and other work runs in between.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seededRandom } from '../random.ts';
import { sortTexts } from './sort-texts.ts';

test('texts are sorted as by sort, with pauses', async () => {
  const random = seededRandom(5);
  for (const count of [0, 1, 2048, 2049, 9_000]) {
    const texts = Array.from({ length: count }, () => {
      return String.fromCodePoint(...[0, 1, 2].map(() => randomBelow(random, 0x1_1000)));
    });
    const want = [...texts].sort();
    let pauses = 0;
    const pause = async (): Promise<void> => {
      pauses += 1;
    };
    assert.deepEqual(await sortTexts(texts, { pause }), want);
    assert(pauses >= Math.floor(count / 2049), `${pauses} pauses`);
  }
});
