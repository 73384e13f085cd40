import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../../base/fake/clock.ts';
import { importHereBytesMax, importsHereWaitingMax } from '../../limits.ts';
import { ImportTurns } from './import-turns.ts';

const { signal } = new AbortController();
const large = importHereBytesMax + 1;

test('files are imported one after the other, caller by caller, with as long between them', async () => {
  const fake = createFakeClock();
  let workMillis = 0;
  const clock = { ...fake, monotonicMillis: () => fake.monotonicMillis() + workMillis };
  const turns = new ImportTurns(clock);
  const done: string[] = [];
  const push = (caller: string, bytes = large): Promise<void> =>
    turns.run({ caller, signal }, bytes, () => {
      workMillis += 20;
      done.push(caller);
    });
  const all = ['a', 'a', 'a', 'b'].map((caller) => push(caller));
  await push('tiny', 10);
  assert.deepEqual(done.toSorted(), ['a', 'tiny']);
  await fake.advance(19);
  assert.equal(done.length, 2);
  await fake.advance(100);
  await Promise.all(all);
  assert.deepEqual(done.toSorted(), ['a', 'a', 'a', 'b', 'tiny']);
  assert.ok(done.indexOf('b') < 4, done.join());
});

test('a file that fails gives its turn back, and too many that wait are refused', async () => {
  const clock = createFakeClock();
  const turns = new ImportTurns(clock);
  const fail = (): never => {
    throw new Error('no');
  };
  await assert.rejects(turns.run({ caller: 'a', signal }, large, fail), /no/);
  const results = Array.from({ length: importsHereWaitingMax + 1 }, (_, i) =>
    turns.run({ caller: 'a', signal }, large, () => i).catch((error: unknown) => String(error)),
  );
  await clock.advance(10);
  const answers = await Promise.all(results);
  const refused = answers.filter((answer) => typeof answer === 'string');
  assert.equal(refused.length, 1);
  assert.match(refused[0], /files wait, most of them yours/);
});
