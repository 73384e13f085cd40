// Tests of progress polling: one request covers all queries, until none is watched.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Progress, ProgressPoll } from './progress.ts';

const running = (rowsDone: number): Progress => ({ isWaiting: false, rowsSelected: 9, rowsDone });

/** Resolves when all pending promises have continued. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Creates a poll; the test completes its requests and pauses. */
function bench() {
  const asked: string[][] = [];
  let answer = Promise.withResolvers<ReadonlyMap<string, Progress>>();
  let pause = Promise.withResolvers<void>();
  const poll = new ProgressPoll(
    (tags) => {
      asked.push([...tags]);
      return answer.promise;
    },
    () => pause.promise,
  );
  const settle = async (end: () => void): Promise<void> => {
    await settled();
    end();
    await settled();
  };
  return {
    poll,
    asked,
    answered: (found: readonly (readonly [string, Progress])[]) =>
      settle(() => {
        answer.resolve(new Map(found));
        answer = Promise.withResolvers();
      }),
    failed: () =>
      settle(() => {
        answer.reject(new Error('away'));
        answer = Promise.withResolvers();
      }),
    paused: () =>
      settle(() => {
        pause.resolve();
        pause = Promise.withResolvers();
      }),
  };
}

test('all that is watched is asked for at once, until nothing is watched', async () => {
  const { poll, asked, answered, paused } = bench();
  const seen: [string, number | undefined][] = [];
  const listen = (tag: string) =>
    poll.watch(tag, (progress) => seen.push([tag, progress?.rowsDone]));
  const [endA, endB] = [listen('a'), listen('b')];
  await answered([['a', running(1)]]);
  await paused();
  endA();
  await answered([
    ['a', running(2)],
    ['b', running(3)],
  ]);
  endB();
  await paused();
  assert.deepEqual(asked, [
    ['a', 'b'],
    ['a', 'b'],
  ]);
  assert.deepEqual(seen, [
    ['a', 1],
    ['b', undefined],
    ['b', 3],
  ]);
  listen('c');
  await answered([['c', running(4)]]);
  assert.deepEqual(asked[2], ['c']);
  assert.deepEqual(seen[3], ['c', 4]);
});

test('a request that fails is followed by the next', async () => {
  const { poll, failed, answered, paused } = bench();
  const seen: (number | undefined)[] = [];
  poll.watch('a', (progress) => seen.push(progress?.rowsDone));
  await failed();
  await paused();
  await answered([['a', running(5)]]);
  assert.deepEqual(seen, [undefined, 5]);
});
