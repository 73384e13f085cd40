// Tests that extents never overlap, are aligned, and are joined again when they are freed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomBelow, seededRandom } from '../../base/random.ts';
import { Extents } from './extents.ts';

const segmentRows = 1024;

test('extents do not overlap, lie in their segment, and are used again', () => {
  const random = seededRandom(11);
  const sizes = new Map<number, number>();
  const extents = new Extents(segmentRows, (segment, rows) => sizes.set(segment, rows));
  const live: { readonly extent: number; readonly rows: number }[] = [];
  for (let step = 0; step < 20_000; step += 1) {
    if (live.length > 0 && randomBelow(random, 100) < (step < 10_000 ? 45 : 55)) {
      const [one] = live.splice(randomBelow(random, live.length), 1);
      extents.release(one.extent, one.rows);
      continue;
    }
    const rows = 2 ** randomBelow(random, random.uint32() % 50 === 0 ? 13 : 6);
    const extent = extents.allocate(rows);
    const first = extent % segmentRows;
    assert.equal(first % Math.min(rows, segmentRows), 0, 'an extent is aligned');
    assert.ok(first + rows <= (sizes.get(Math.floor(extent / segmentRows)) ?? 0), 'it has rows');
    live.push({ extent, rows });
  }
  checkNoOverlap(live);
  const before = [...sizes.values()].reduce((sum, rows) => sum + rows, 0);
  for (const { extent, rows } of live) extents.release(extent, rows);
  // All rows are free, so extents of whole segments are allocated without a new segment.
  const whole = [...sizes.values()].filter((rows) => rows === segmentRows).length;
  for (let i = 0; i < whole; i += 1) extents.allocate(segmentRows);
  const after = [...sizes.values()].reduce((sum, rows) => sum + rows, 0);
  assert.ok(whole > 0 && after <= before, `${after} rows`);
});

function checkNoOverlap(live: { readonly extent: number; readonly rows: number }[]): void {
  const sorted = [...live].sort((a, b) => a.extent - b.extent);
  for (let i = 1; i < sorted.length; i += 1) {
    const { extent, rows } = sorted[i - 1];
    // An extent that is larger than a segment has its own segment.
    const end = extent + Math.min(rows, segmentRows);
    assert.ok(end <= sorted[i].extent, `${extent} and ${sorted[i].extent} overlap`);
  }
}

test('rows of an extent that has a segment to itself are dropped with it', () => {
  const sizes: number[] = [];
  const extents = new Extents(segmentRows, (segment, rows) => {
    sizes[segment] = rows;
  });
  const large = extents.allocate(4 * segmentRows);
  const small = extents.allocate(1);
  assert.deepEqual(sizes, [4096, 128]);
  extents.release(large, 4 * segmentRows);
  assert.deepEqual(sizes, [0, 128]);
  assert.equal(extents.allocate(2 * segmentRows), large);
  assert.deepEqual([sizes[0], Math.floor(small / segmentRows)], [2048, 1]);
});
