// Tests that a search for labels ends when its caller leaves, in a head and in a block, and that no
// part is then reported as lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { createFakeClock } from '../../base/fake/clock.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { query } from '../fake/short-profiles.ts';
import { Head } from '../head/head.ts';
import { HeadPart } from '../head/head-part.ts';
import type { Part } from '../part.ts';
import { applyProfile } from '../testing/fill-head.ts';
import { PartList } from './part-list.ts';
import { PartsQuerier } from './parts-querier.ts';

test('names and values are no longer searched for when the caller has gone', async () => {
  const gone = new AppError('cancelled', 'the caller has gone');
  const caller = new AbortController();
  const fake = createFakeClock();
  let now = 0;
  let pauses = 0;
  // Each reading of the clock is one slice later than the previous reading. The caller leaves in
  // the third pause.
  const clock: Clock = {
    nowNanos: () => fake.nowNanos(),
    nowMillis: () => fake.nowMillis(),
    monotonicMillis: () => (now += 100),
    setTimer: (_delayMillis, fire) => {
      pauses += 1;
      if (pauses === 3) caller.abort(gone);
      setImmediate(fire);
      return { cancel: () => undefined };
    },
  };
  const head = new Head(new Dictionary([1, 2, 3]), 1 << 16);
  for (let i = 0; i < 100; i += 1) {
    applyProfile(head, { labels: { [`name_${i}`]: 'x' }, time: 5n, rows: [] });
  }
  const parts = new PartList<Part>();
  parts.addHead(new HeadPart('head', head, clock));
  const querier = new PartsQuerier({ parts, clock, onMissing: assert.fail });
  await assert.rejects(querier.labelNames(query({}), caller.signal), gone);
  assert.equal(pauses, 3);
  await assert.rejects(querier.labelValues('name_1', query({}), caller.signal), gone);
  assert.equal(pauses, 3);
  await assert.rejects(querier.select(query({}), caller.signal), gone);
  await assert.rejects(querier.profileTypes(query({}).range, [], caller.signal), gone);
  assert.equal(pauses, 3);
  assert.equal((await querier.labelNames(query({}))).length, 100);
  const { range } = query({});
  for (const ask of [
    (signal: AbortSignal) => querier.select(query({}), signal),
    (signal: AbortSignal) =>
      querier.profileTypes(range, query({ matchers: [['job', '=', '']] }).matchers, signal),
  ]) {
    const next = new AbortController();
    const asked = ask(next.signal);
    // The caller leaves after the first pause, and long before the last pause.
    setImmediate(() => next.abort(gone));
    const before = pauses;
    await assert.rejects(asked, gone);
    assert.ok(pauses - before < 50, `${pauses - before} pauses`);
  }
});
