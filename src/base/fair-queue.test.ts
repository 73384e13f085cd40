// Tests of the fair queue, with a clock that only advances at events: shares, order, refusals.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, errorCode } from './errors.ts';
import { createFakeClock, type FakeClock } from './fake/clock.ts';
import { FairQueue, type FairQueueLimits, type Refusal, type Turn } from './fair-queue.ts';
import { seededRandom } from './random.ts';
import { rounds, testSeed } from './testing/rounds.ts';

const open: FairQueueLimits = {
  runningMax: 1,
  reserved: 0,
  waitingMax: 1_000,
  waitingSizeMax: Infinity,
};

function createQueue(limits: Partial<FairQueueLimits>, clock = createFakeClock()) {
  const refusals: Refusal[] = [];
  const refuse = (refusal: Refusal): AppError => {
    refusals.push(refusal);
    return new AppError('resource-exhausted', 'too much');
  };
  const queue = new FairQueue({
    clock,
    limits: { ...open, ...limits },
    millisPerSize: 1,
    refuse,
  });
  return { queue, clock, refusals };
}

/** Waits until all ready callbacks have run. */
function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/**
 * Keeps `atOnce` tasks of a caller in a queue, and counts the total time that they ran. Each task
 * takes `millis`.
 */
function load(
  queue: FairQueue,
  clock: FakeClock,
  caller: string,
  atOnce: number,
  task: () => { readonly size: number; readonly millis: number },
) {
  const stats = { servedMillis: 0, count: 0, worstWaitMillis: 0 };
  const run = async (): Promise<void> => {
    for (;;) {
      const { size, millis } = task();
      const asked = clock.monotonicMillis();
      const turn = await queue.take(caller, size);
      stats.worstWaitMillis = Math.max(stats.worstWaitMillis, clock.monotonicMillis() - asked);
      await new Promise<void>((resolve) => void clock.setTimer(millis, resolve));
      stats.servedMillis += millis;
      stats.count += 1;
      turn.end(millis);
    }
  };
  for (let i = 0; i < atOnce; i += 1) void run();
  return stats;
}

test('fair queue: callers that always wait get equal shares of time', async () => {
  const seed = testSeed();
  const random = seededRandom(seed);
  const between = (low: number, high: number): number =>
    low + (random.uint32() / 2 ** 32) * (high - low);
  for (let round = 0; round < rounds(8, 200); round += 1) {
    const { queue, clock } = createQueue({ runningMax: 1 + (round % 3) });
    // Sizes do not predict costs here, so the queue must correct its estimate for each caller.
    const callers = Array.from({ length: 2 + (round % 5) }, (_, i) => {
      const mean = between(1, 100);
      const task = () => ({ size: between(1, 50), millis: between(0.5, 1.5) * mean });
      return load(queue, clock, `c${i}`, 20 + Math.floor(between(0, 40)), task);
    });
    await clock.advance(20_000);
    const served = callers.map(({ servedMillis }) => servedMillis);
    const most = Math.max(...served);
    const least = Math.min(...served);
    // Callers may differ by three tasks of the largest cost, because tasks are charged only when
    // they end.
    assert.ok(most - least <= 3 * 150 + 0.1 * most, `seed ${seed}: ${served.join(' ')}`);
  }
});

test('fair queue: a small task next to a caller with many large ones waits for one of them', async () => {
  const { queue, clock } = createQueue({});
  const hostile = load(queue, clock, 'hostile', 200, () => ({ size: 1, millis: 100 }));
  const small = load(queue, clock, 'small', 1, () => ({ size: 1, millis: 1 }));
  await clock.advance(10_000);
  assert.ok(small.worstWaitMillis <= 100, `waited ${small.worstWaitMillis} ms`);
  assert.ok(small.count >= 95 && hostile.count >= 95, `${small.count} ${hostile.count}`);
});

test('fair queue: one who asks one after the other pays for what earlier tasks cost', async () => {
  const { queue, clock } = createQueue({});
  // Each task claims to be small.
  const heavy = load(queue, clock, 'heavy', 1, () => ({ size: 1, millis: 1_000 }));
  const many = load(queue, clock, 'many', 20, () => ({ size: 1, millis: 10 }));
  await clock.advance(20_000);
  assert.ok(many.servedMillis >= 8_000, `${many.servedMillis} of ${heavy.servedMillis}`);
});

test('fair queue: a caller does not pay for time in which nobody else waited', async () => {
  const { queue, clock } = createQueue({});
  load(queue, clock, 'early', 1, () => ({ size: 1, millis: 50 }));
  await clock.advance(60_000);
  const early = load(queue, clock, 'early', 10, () => ({ size: 1, millis: 50 }));
  const late = load(queue, clock, 'late', 10, () => ({ size: 1, millis: 50 }));
  await clock.advance(1_000);
  // The task that was running when the other tasks arrived also counts.
  assert.ok(Math.abs(early.count - late.count) <= 3, `${early.count} ${late.count}`);
});

test('fair queue: a reserved slot is for callers of which nothing runs', async () => {
  const { queue } = createQueue({ runningMax: 4, reserved: 1 });
  const turns: Turn[] = [];
  const take = async (caller: string): Promise<void> =>
    void turns.push(await queue.take(caller, 1));
  for (let i = 0; i < 6; i += 1) void take('a');
  await settled();
  assert.deepEqual([queue.runningCount, queue.waitingCount], [3, 3]);
  void take('b');
  void take('b');
  await settled();
  assert.deepEqual(queue.callers(), [
    { caller: 'a', running: 3, waiting: 3 },
    { caller: 'b', running: 1, waiting: 1 },
  ]);
});

test('fair queue: the last task of the caller that waits for most is refused', async () => {
  const { queue, refusals } = createQueue({ waitingMax: 3, waitingSizeMax: 100 });
  const codes: string[] = [];
  const take = async (caller: string, size: number): Promise<void> => {
    try {
      await queue.take(caller, size);
    } catch (error) {
      codes.push(`${caller} ${size} ${errorCode(error)}`);
    }
  };
  for (const size of [1, 2, 3, 4]) void take('a', size);
  void take('b', 50);
  await settled();
  assert.deepEqual(codes, ['a 4 resource-exhausted']);
  // Now the size decides which tasks are refused.
  void take('b', 60);
  await settled();
  assert.deepEqual(codes.slice(1), ['b 60 resource-exhausted']);
  assert.equal(queue.waitingSize, 2 + 3 + 50);
  const [first] = refusals;
  assert.deepEqual(first, {
    caller: 'a',
    waitingCount: 4,
    waitingSize: 59,
    retryAfterMillis: 1_000,
  });
});

test('fair queue: where each caller waits for one task, the newest is refused', async () => {
  const { queue } = createQueue({ waitingMax: 2 });
  const refused: string[] = [];
  for (const caller of ['a', 'b', 'c', 'd', 'e']) {
    void Promise.resolve(queue.take(caller, 1)).catch(() => refused.push(caller));
  }
  await settled();
  assert.deepEqual(refused, ['d', 'e']);
});

test('fair queue: an aborted task leaves with its reason, and a turn ends once', async () => {
  const { queue } = createQueue({});
  const first = await queue.take('a', 1);
  const controller = new AbortController();
  const waiting = Promise.resolve(queue.take('b', 1, controller.signal));
  controller.abort(new AppError('deadline-exceeded', 'too late'));
  await assert.rejects(waiting, { code: 'deadline-exceeded' });
  await assert.rejects(Promise.resolve(queue.take('b', 1, controller.signal)), {
    code: 'deadline-exceeded',
  });
  first.end();
  first.end();
  assert.deepEqual([queue.runningCount, queue.waitingCount, queue.callers()], [0, 0, []]);
});

test('fair queue: a caller has a limit of its own, which may change', async () => {
  let most = 1;
  const { queue } = createQueue({ runningMax: 0, runningOfCallerMax: () => most });
  const turns: Turn[] = [];
  for (let i = 0; i < 3; i += 1) {
    void Promise.resolve(queue.take('a', 1)).then((turn) => turns.push(turn));
  }
  await settled();
  assert.deepEqual(queue.callers(), [{ caller: 'a', running: 1, waiting: 2 }]);
  most = 2;
  queue.retry();
  await settled();
  assert.deepEqual(queue.callers(), [{ caller: 'a', running: 2, waiting: 1 }]);
  turns[0].end();
  await settled();
  assert.deepEqual(queue.callers(), [{ caller: 'a', running: 2, waiting: 0 }]);
});

test('fair queue: a flood from all addresses of a network leaves another its share and place', async () => {
  const { queue, clock, refusals } = createQueue({ runningMax: 2, reserved: 1, waitingMax: 128 });
  const task = () => ({ size: 1, millis: 40 });
  for (let i = 1; i < 120; i += 1) load(queue, clock, `10.0.0.${i}`, 1, task);
  const waits = { longest: 0, count: 0 };
  const ask = async (): Promise<void> => {
    for (;;) {
      const asked = clock.monotonicMillis();
      const turn = await queue.take('10.0.1.1', 1);
      waits.longest = Math.max(waits.longest, clock.monotonicMillis() - asked);
      waits.count += 1;
      await new Promise<void>((resolve) => void clock.setTimer(5, resolve));
      turn.end(5);
    }
  };
  void ask();
  await clock.advance(2_000);
  assert.ok(waits.count > 40, `${waits.count} tasks`);
  assert.ok(waits.longest <= 40, `waited ${waits.longest} ms`);
  // There are more addresses than slots, but only addresses of the flood are refused.
  for (let i = 120; i < 250; i += 1) {
    Promise.resolve(queue.take(`10.0.0.${i}`, 1)).catch(() => undefined);
  }
  await clock.advance(200);
  assert.ok(refusals.length > 50);
  assert.ok(refusals.every(({ caller }) => caller.startsWith('10.0.0.')));
});

test('fair queue: long tasks of a network leave a slot to others while there are any', async () => {
  const { queue, clock } = createQueue({ runningMax: 2, reserved: 1 });
  const take = (caller: string, size: number): Turn | undefined => {
    const turn = queue.take(caller, size);
    if ('end' in turn) return turn;
    turn.then((late) => late.end()).catch(() => undefined);
    return undefined;
  };
  const both = async (size: number): Promise<boolean> => {
    const turns = [take('10.0.0.1', size), take('10.0.0.2', size)];
    for (const turn of turns) turn?.end();
    await settled();
    return turns.every((turn) => turn !== undefined);
  };
  assert.ok(await both(100), 'a network that is alone takes all slots');
  take('10.0.9.9', 1)?.end();
  assert.ok(!(await both(100)));
  assert.ok(await both(10), 'short tasks take all slots');
  await clock.advance(61_000);
  assert.ok(await both(100), 'the other network has gone');
});
