// Tests of comparisons in which all windows of a side contain the same samples.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finishAtOnce } from '../../base/pacer.ts';
import { seededRandom } from '../../base/random.ts';
import { compareFunctions } from './compare-functions.ts';
import { windowMillis } from './limits.ts';
import type { ServiceWindows } from './windows.ts';

const hours = 60;
const deployHour = 30;

/**
 * Makes a heap with seven functions of 300 samples each, and one function whose samples change at a
 * deploy.
 */
function makeHeap(
  before: number,
  after: number | ((hour: number) => number),
  holdsSamples: boolean,
): ServiceWindows {
  const afterAt = typeof after === 'number' ? () => after : after;
  const random = seededRandom(5);
  const noise = (): number => 0.99 + (0.02 * random.uint32()) / 2 ** 32;
  const functions = Array.from({ length: 8 }, (_, i) => {
    const flat = Float32Array.from({ length: hours }, (__, hour) => {
      const own = hour < deployHour ? before : afterAt(hour - deployHour);
      return (i === 0 ? own : 300) * noise();
    });
    return { name: `f${i}`, flat, cumulative: flat };
  });
  return {
    startMillis: Float64Array.from({ length: hours }, (_, hour) => hour * windowMillis),
    samples: Float32Array.from({ length: hours }, (_, hour) =>
      functions.reduce((sum, { flat }) => sum + flat[hour], 0),
    ),
    holdsSamples,
    functions,
  };
}

function changed(heap: ServiceWindows): string[] {
  const compared = {
    before: { from: 0, to: deployHour },
    after: { from: deployHour, to: hours },
    shape: 'step',
  } as const;
  const demands = { falseRate: 0.01, costMin: 0.005 };
  const changes = finishAtOnce(compareFunctions(heap, compared, demands));
  return [...new Set(changes.map(({ name }) => name))];
}

test('a heap that was sampled again after a deploy has not changed; one that grew has', () => {
  // By chance, a sampler finds 100 samples of some memory and 130 after a restart: two standard
  // errors apart.
  assert.deepEqual(changed(makeHeap(100, 130, true)), []);
  assert.deepEqual(changed(makeHeap(100, 130, false)), ['f0']);
  assert.deepEqual(changed(makeHeap(100, 250, true)), ['f0']);
});

test('a cache that fills after a deploy has not changed; one that is smaller for a day has', () => {
  const filling = (hour: number): number => 900 * (1 - Math.exp(-(hour + 1) / 6));
  assert.deepEqual(changed(makeHeap(900, filling, true)), []);
  assert.deepEqual(changed(makeHeap(900, 500, true)), ['f0']);
});
