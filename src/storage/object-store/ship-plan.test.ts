import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planShipping, type BlockSummary, type ShipState } from './ship-plan.ts';

const hour = 3_600_000_000_000n;

const block = (id: string, change: Partial<BlockSummary> = {}): BlockSummary => ({
  id,
  level: 1,
  sources: [],
  maxNanos: 0n,
  fileBytes: 10,
  ...change,
});

function check(state: Partial<ShipState>, uploads: string[], removals: string[] = []): void {
  const plan = planShipping({
    local: [],
    localDeletions: new Map(),
    remote: [],
    objects: new Map(),
    retired: new Set<string>(),
    nowNanos: 100n * hour,
    ...state,
  });
  assert.deepEqual(plan, { uploads, removals });
}

const objects = (...names: string[]): Map<string, number> =>
  new Map(names.map((name) => [name, 10]));

test('compacted blocks are shipped by level and age, others when they waited long enough', () => {
  const local = [
    block('d', { level: 2, maxNanos: 2n }),
    block('b', { maxNanos: 2n }),
    block('c', { maxNanos: 3n }),
    block('new', { level: 0, maxNanos: 96n * hour + 1n }),
    block('old', { level: 0, maxNanos: 96n * hour }),
  ];
  check({ local }, ['old.block', 'b.block', 'c.block', 'd.block']);
  const shipped = objects('old.block', 'c.block', 'd.block');
  check({ local, objects: shipped }, ['b.block']);
  // A block that is only partly uploaded does not count as shipped.
  check({ local, objects: shipped.set('c.block', 5) }, ['b.block', 'c.block']);
  check(
    { local, objects: shipped, retired: new Set(['b', 'c', 'd', 'old']) },
    [],
    ['old.block', 'c.block', 'd.block'],
  );
});

test('a replaced block is removed when its replacement is there', () => {
  const local = [block('x', { sources: ['a', 'b'] })];
  const before = objects('a.block', 'b.block', 'b.deleted');
  check({ local, objects: before }, ['x.block']);
  const after = objects('a.block', 'b.block', 'b.deleted', 'x.block');
  check({ local, objects: after }, [], ['a.block', 'b.block', 'b.deleted']);
  // This is the same state after the replacement was removed from the local disk.
  check({ remote: local, objects: after }, [], ['a.block', 'b.block', 'b.deleted']);
  check({ objects: after }, []);
});

test('deletions are shipped before their block, again when they grew, and go after it', () => {
  const local = [block('a')];
  const localDeletions = new Map([['a', 10]]);
  check({ local, localDeletions }, ['a.deleted', 'a.block']);
  // The deletions of a block that is not shipped yet stay local.
  check({ local, localDeletions, objects: objects('a.deleted') }, ['a.block']);
  check({ local, localDeletions, objects: objects('a.deleted', 'a.block') }, []);
  localDeletions.set('a', 20);
  check({ local, localDeletions, objects: objects('a.deleted', 'a.block') }, ['a.deleted']);
  // These are the deletions of a block that is only in the bucket.
  const remote = [block('a')];
  check({ remote, localDeletions, objects: objects('a.block') }, ['a.deleted']);
  check({ localDeletions }, []);
  check({ objects: objects('a.deleted') }, [], ['a.deleted']);
});
