// Tests with small services: a change at a deploy, a change without a deploy, a slow change, and no
// change.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finishAtOnce } from '../../base/pacer.ts';
import { seededRandom } from '../../base/random.ts';
import { windowMillis } from './limits.ts';
import { type ChangeEvent, findChanges } from './find-changes.ts';
import type { ServiceWindows } from './windows.ts';

const monday = Date.UTC(2026, 0, 5);
const names = ['parse', 'render', 'query', 'encode', 'load', 'sort', 'lock', 'copy'];

/** Creates windows in which all functions have equal shares, and `parse` has `extra` more. */
function makeService(
  hours: number,
  perHour: number,
  extra: (hour: number) => number,
): ServiceWindows {
  const random = seededRandom(77);
  const unit = (): number => (random.uint32() + 1) / 2 ** 32;
  const normal = (): number => Math.sqrt(-2 * Math.log(unit())) * Math.cos(2 * Math.PI * unit());
  const flat = names.map(() => new Float32Array(hours));
  const samples = new Float32Array(hours);
  for (let hour = 0; hour < hours; hour += 1) {
    names.forEach((name, i) => {
      const cost = 1 / names.length + (name === 'parse' ? extra(hour) : 0);
      const mean = perHour * cost * Math.exp(0.05 * normal());
      flat[i][hour] = Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
      samples[hour] += flat[i][hour];
    });
  }
  return {
    startMillis: Float64Array.from({ length: hours }, (_, i) => monday + i * windowMillis),
    samples,
    functions: names.map((name, i) => ({ name, flat: flat[i], cumulative: flat[i] })),
  };
}

function deployAt(hour: number): ChangeEvent {
  const at = monday + hour * windowMillis;
  return { key: `v${hour}`, startMillis: at, doneMillis: at };
}

/** Returns each change as "kind hour +function ...", with the sign of its cost. */
function find(
  service: ServiceWindows,
  deploys: readonly number[],
  since = 0,
  searchedMillis?: number,
): string {
  const context = {
    events: deploys.map(deployAt),
    sinceMillis: monday + since * windowMillis,
    searchedMillis,
    falseRate: 0.01,
    costMin: 0.005,
  };
  const found = finishAtOnce(findChanges(service, context));
  return found
    .map(({ kind, timeMillis, functions }) => {
      const hour = (timeMillis - monday) / windowMillis;
      const changed = new Set(functions.map(({ name, cost }) => `${cost > 0 ? '+' : '-'}${name}`));
      return `${kind} ${hour} ${[...changed].join(' ')}`;
    })
    .join(', ');
}

test('a deploy makes one function slower: shares of others fall, but not their costs', () => {
  const slower = (hour: number): number => (hour < 60 ? 0 : 0.5);
  assert.equal(find(makeService(66, 3_000, slower), [20, 60]), 'deploy 60 +parse');
  assert.equal(
    find(
      makeService(66, 3_000, (hour) => -slower(hour) / 5),
      [60],
    ),
    'deploy 60 -parse',
  );
});

test('a deploy without a change, and too little to say', () => {
  assert.equal(
    find(
      makeService(100, 3_000, () => 0),
      [20, 60, 80],
    ),
    '',
  );
  const slower = (hour: number): number => (hour < 60 ? 0 : 0.5);
  assert.equal(find(makeService(61, 3_000, slower), [60]), '');
  assert.equal(find(makeService(66, 10, slower), [60]), '');
  // The baseline begins only at hour 55, after the last change, and is too short.
  assert.equal(find(makeService(66, 3_000, slower), [60], 55), '');
  assert.equal(find({ ...makeService(1, 10, () => 0) }, []), '');
});

test('a change that began long after the deploy is not its work', () => {
  const slower = (hour: number): number => (hour < 90 ? 0 : 0.1);
  assert.equal(find(makeService(108, 3_000, slower), [60]), 'unexplained 90 +parse');
  assert.equal(find(makeService(108, 3_000, slower), []), 'unexplained 90 +parse');
});

test('a slow drift', () => {
  const drift = (hour: number): number => (hour < 50 ? 0 : ((hour - 50) / 150) * 0.06);
  assert.match(find(makeService(193, 3_000, drift), []), /^drift \d+ \+parse$/);
  // In the middle of a day, only the first search after a start looks for a drift.
  assert.equal(find(makeService(187, 3_000, drift), []), '');
  assert.match(find(makeService(187, 3_000, drift), [], 0, 0), /^drift \d+ \+parse$/);
});

test('an hour of a job is no change', () => {
  const job = (hour: number): number => (hour === 62 ? 2 : 0);
  for (let hours = 63; hours < 70; hours += 1) {
    assert.equal(find(makeService(hours, 3_000, job), [60]), '');
  }
});
