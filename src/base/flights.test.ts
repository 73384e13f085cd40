import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from './errors.ts';
import { Flights } from './flights.ts';

function openFlight() {
  const flights = new Flights<string, number>();
  const ends: (() => void)[] = [];
  const begun: AbortSignal[] = [];
  const ask = (signal?: AbortSignal): Promise<number> =>
    flights.join('a', signal, (of) => {
      begun.push(of);
      return new Promise((resolve) => ends.push(() => resolve(begun.length)));
    });
  return { flights, ends, begun, ask };
}

test('work goes on while one caller waits, and ends with the last', async () => {
  const { flights, begun, ask } = openFlight();
  const [first, second] = [new AbortController(), new AbortController()];
  const asked = [ask(first.signal), ask(second.signal)];
  first.abort(new AppError('cancelled', 'first has gone'));
  await assert.rejects(asked[0], /first has gone/);
  assert.equal(begun[0].aborted, false);
  second.abort(new AppError('cancelled', 'second has gone'));
  await assert.rejects(asked[1], /second has gone/);
  assert.deepEqual([begun.length, begun[0].aborted, flights.size], [1, true, 0]);
});

test('a caller without a signal never leaves; an ended flight is begun again', async () => {
  const { flights, ends, begun, ask } = openFlight();
  const gone = new AbortController();
  const stays = ask();
  const leaves = ask(gone.signal);
  gone.abort(new AppError('cancelled', 'gone'));
  await assert.rejects(leaves, /gone/);
  assert.equal(begun[0].aborted, false);
  ends[0]();
  assert.equal(await stays, 1);
  assert.equal(flights.size, 0);
  const again = ask();
  ends[1]();
  assert.equal(await again, 2);
});
