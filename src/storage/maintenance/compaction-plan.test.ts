// Tests the plan of compactions: windows, days, late blocks, deletions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayNanos, windowNanos } from '../block/block-facts.ts';
import { planCompactions, type PlannedBlock } from './compaction-plan.ts';

const minute = 60_000_000_000n;
const hour = 60n * minute;
/** Midnight of an arbitrary day. */
const midnight = 20_000n * dayNanos;

function block(
  id: string,
  from: bigint,
  to: bigint,
  rest: Partial<PlannedBlock> = {},
): PlannedBlock {
  const range = { from: midnight + from, to: midnight + to };
  return { id, level: 0, range, hasDeletions: false, isSplit: false, ...rest };
}

function check(now: bigint, blocks: readonly PlannedBlock[], want: readonly string[]): void {
  const tasks = planCompactions(blocks, midnight + now);
  assert.deepEqual(
    tasks.map(({ level, inputs }) => `${level}: ${inputs.join(' ')}`),
    want,
  );
}

test('blocks of a window of two hours become one when it is over, and not before', () => {
  const blocks = [block('b', hour, hour + minute), block('a', 0n, windowNanos - 1n)];
  check(windowNanos + 9n * minute, blocks, []);
  check(windowNanos + 10n * minute, blocks, ['1: a b']);
  check(windowNanos + 10n * minute, blocks.slice(1), []);
});

test('late blocks are merged with the block of their window, and with no neighbour', () => {
  const done = block('a', 0n, hour, { level: 1 });
  const next = block('n', windowNanos, windowNanos);
  check(3n * windowNanos, [done, next], []);
  check(3n * windowNanos, [done, next, block('late', minute, minute)], ['1: a late']);
});

test('a window of one block is not compacted, unless its chunks have to be joined', () => {
  const cut = block('a', 0n, hour);
  const split = { ...cut, isSplit: true };
  const isOver = windowNanos + 10n * minute;
  check(isOver, [cut], []);
  check(isOver, [split], ['1: a']);
  check(isOver - 1n, [split], []);
  check(isOver, [{ ...split, level: 1 }], []);
});

test('many small blocks are merged before the window is over, without earlier results', () => {
  const many = Array.from({ length: 9 }, (_, i) => block(`b${i}`, BigInt(i), hour));
  check(hour, many.slice(1), []);
  check(hour, many, ['1: b0 b1 b2 b3 b4 b5 b6 b7 b8']);
  const merged = block('a', 0n, hour, { level: 1 });
  check(hour, [merged, ...many.slice(1)], []);
});

test('a day becomes one block an hour after its end, with blocks of all its windows', () => {
  const blocks = [
    block('a', 0n, windowNanos - 1n, { level: 1 }),
    block('b', windowNanos, dayNanos - 1n),
    block('c', dayNanos, dayNanos),
  ];
  check(dayNanos + 59n * minute, blocks, []);
  check(dayNanos + hour, blocks, ['2: a b']);
  check(dayNanos + hour, [blocks[1]], ['2: b']);
  check(dayNanos + hour, [block('done', 0n, hour, { level: 2 })], []);
});

test('of very many blocks some are taken at a time, windows first', () => {
  const many = (count: number, hours: bigint): PlannedBlock[] =>
    Array.from({ length: count }, (_, i) => {
      const name = `${hours}-${String(i).padStart(2, '0')}`;
      return block(name, hours * hour + BigInt(i), hours * hour + minute);
    });
  const joinIds = (blocks: readonly PlannedBlock[]): string => blocks.map(({ id }) => id).join(' ');
  const early = many(20, 0n);
  const late = many(3, 2n);
  check(
    2n * dayNanos,
    [...early, ...late],
    [`1: ${joinIds(early.slice(0, 16))}`, `1: ${joinIds(late)}`],
  );
  // Compacting windows would not reduce the number of blocks that span several windows.
  const wide = many(18, 1n).map((one) => ({
    ...one,
    range: { ...one.range, to: midnight + 3n * hour },
  }));
  check(2n * dayNanos, wide, [`2: ${joinIds(wide.slice(0, 16))}`]);
});

test('late profiles of a day go into a new block of the day', () => {
  const done = block('done', 0n, dayNanos - 1n, { level: 2 });
  check(5n * dayNanos, [done, block('late', hour, hour)], ['2: done late']);
});

test('blocks that span days are not compacted', () => {
  check(9n * dayNanos, [block('any', 0n, dayNanos), block('too', hour, 2n * dayNanos)], []);
});

test('deletions are carried out, even if nothing else has to be done', () => {
  const hasDeletions = true;
  const done = block('done', 0n, hour, { level: 2, hasDeletions });
  const any = block('any', 0n, 3n * dayNanos, { hasDeletions });
  const young = block('young', 9n * dayNanos, 9n * dayNanos + hour, { hasDeletions });
  check(9n * dayNanos + hour, [done, any, young], ['1: any', '2: done', '1: young']);
});

test('days before 1970 are days, too', () => {
  const before = (id: string, from: bigint): PlannedBlock =>
    block(id, from - midnight, from - midnight);
  check(
    0n,
    [before('a', -1n), before('b', -dayNanos), before('c', -dayNanos - 1n)],
    ['2: c', '2: b a'],
  );
});
