import assert from 'node:assert/strict';
import { test } from 'node:test';
import { upperQuantile, upperTail } from './distributions.ts';

function close(got: number, want: number): void {
  assert.ok(Math.abs(got - want) <= 1e-9 * Math.abs(want), `${got} is not ${want}`);
}

// All values were computed with scipy 1.16, by stats.t.sf, stats.norm.sf, and the matching isf
// functions.
test('tails are those of scipy', () => {
  for (const [value, freedom, want] of [
    [2.228, 10, 0.02500588590855566],
    [1, 1, 0.25],
    [3.5, 4, 0.012448081730111374],
    [0, 7, 0.5],
    [-1.2, 30, 0.8802348245551688],
    [6, 2.5, 0.0076408649427614495],
    [4.2, 18, 0.0002691093295015163],
    [0, Infinity, 0.5],
    [1.96, Infinity, 0.024997895148220435],
    [3.3, Infinity, 0.00048342414238377744],
    [6, Infinity, 9.865876450376946e-10],
    [-1, Infinity, 0.8413447460685429],
  ])
    close(upperTail(value, freedom), want);
});

test('quantiles are those of scipy', () => {
  for (const [probability, freedom, want] of [
    [0.025, 10, 2.2281388519862753],
    [0.05, 4, 2.131846786326651],
    [0.0001, 18, 4.648014155102374],
    [0.005, 3.7, 4.869252253227829],
    [0.001, Infinity, 3.090232306167813],
  ])
    close(upperQuantile(probability, freedom), want);
});
