// Tests that sorting in steps is stable, and pauses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seededRandom } from '../../../base/random.ts';
import { sortRows } from './sorting.ts';

test('rows are sorted as by a stable sort', async () => {
  const random = seededRandom(3);
  for (const count of [0, 1, 255, 256, 257, 2_049, 10_000]) {
    const keys = Uint32Array.from({ length: count }, () => randomBelow(random, 500));
    const rows = Uint32Array.from({ length: count }, (_, i) => i);
    const want = [...rows].sort((a, b) => keys[a] - keys[b] || a - b);
    let pauses = 0;
    let compared = 0;
    let most = 0;
    const pause = async (): Promise<void> => {
      pauses += 1;
      most = Math.max(most, compared);
      compared = 0;
    };
    const compare = (a: number, b: number): number => {
      compared += 1;
      return keys[a] - keys[b];
    };
    const sorted = await sortRows(rows, compare, pause);
    // A comparison may take two microseconds.
    assert(most < 2_500, `${most} comparisons without a pause`);
    assert.deepEqual([...sorted], want);
    assert(pauses >= Math.floor(count / 4096), `${pauses} pauses`);
    const again = await sortRows(sorted, (a, b) => keys[a] - keys[b], pause);
    assert.equal(again, sorted, 'what is in order is left alone');
  }
});
