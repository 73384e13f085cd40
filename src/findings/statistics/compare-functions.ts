// Compares all functions of a service between two spans of windows, and finds those whose change is
// more than noise.
import type { Steps } from '../../base/pacer.ts';
import { type Compared, type Design, estimateChange, makeDesign, shareIn } from './change-model.ts';
import { acceptedFrom, evidenceOf } from './evidence.ts';
import { findReference } from './reference.ts';
import { type Measure, measures, type ServiceWindows, type Span, sumOf } from './windows.ts';

/** A function whose share changed by more than noise. */
export interface FunctionChange {
  readonly name: string;
  readonly measure: Measure;
  /**
   * Cost before and after the change. Both are shares of the service's samples after the change.
   */
  readonly before: number;
  readonly after: number;
  /**
   * Change of the cost, as a share of the service's samples after the change, and half the width of
   * its 95 % interval. The function is compared with functions that did not change, because the
   * shares of all other functions fall when one function grows.
   */
  readonly cost: number;
  readonly halfWidth: number;
  readonly evidence: number;
}

/** Requirements for a change. */
export interface Demands {
  /** Largest average share of false changes among the reported ones. */
  readonly falseRate: number;
  /** Smallest change of the cost, as a share of the service. */
  readonly costMin: number;
}

/**
 * Number of standard errors below which a difference is not examined further. Only the error from
 * sampling counts here.
 */
const screenErrors = 4;
/** Standard deviation of changes that are expected, as a share of the service's samples. */
const expectedChange = 0.03;
const deviations95 = 1.96;

/** Returns the changed functions: the cause first, then the others, largest cost first. */
export function* compareFunctions(
  service: ServiceWindows,
  compared: Compared,
  demands: Demands,
): Steps<FunctionChange[]> {
  const [early, late] = sidesOf(compared);
  const reference = findReference(service, early, late);
  const { holdsSamples = false } = service;
  const design = makeDesign(service.startMillis, compared, holdsSamples);
  const found: FunctionChange[] = [];
  let tests = 0;
  for (const one of service.functions) {
    yield;
    for (const measure of measures) {
      const own = one[measure];
      if (sumOf(own, early) + sumOf(own, late) === 0) continue;
      tests += 1;
      if (!isSeen(service.samples, own, [early, late], reference.factor, demands)) continue;
      const held = holdsSamples ? heldError(service.samples, own, [early, late]) : 0;
      const change = measureCost(service.samples, design, own, reference.without(one), late, held);
      if (change === undefined || Math.abs(change.cost) < demands.costMin) continue;
      if (holdsSamples && change.cost < 0 && !isLess(service.samples, own, late, change)) continue;
      found.push({ name: one.name, measure, ...change });
    }
  }
  const least = acceptedFrom(
    found.map(({ evidence }) => evidence),
    tests,
    demands.falseRate,
  );
  return causeFirst(found.filter(({ evidence }) => evidence >= least));
}

/**
 * If a function's own code accounts for this fraction of the largest change, it counts as the
 * cause.
 */
const ownPart = 0.5;
/** Smallest fraction of the largest change that a callee must account for to be the cause. */
const calleePart = 0.8;

/**
 * Sorts changes by cost, with the cause before its callers. The cause is the function whose own
 * code changed most, or else the smallest function that contains most of the change.
 */
function causeFirst(changes: readonly FunctionChange[]): FunctionChange[] {
  const sorted = changes.toSorted(
    (a, b) => Math.abs(b.cost) - Math.abs(a.cost) || b.evidence - a.evidence,
  );
  const largest = Math.abs(sorted[0]?.cost ?? 0);
  const cause =
    sorted.find(({ measure, cost }) => measure === 'flat' && Math.abs(cost) >= ownPart * largest) ??
    sorted
      .filter(({ cost }) => Math.abs(cost) >= calleePart * largest)
      .toSorted((a, b) => a.after - b.after)[0];
  return cause === undefined ? sorted : [cause, ...sorted.filter((one) => one !== cause)];
}

/** Returns true if a change is worth fitting: large, lasting, and more than noise from sampling. */
function isSeen(
  samples: Float32Array,
  own: Float32Array,
  [early, late]: Sides,
  factor: number,
  { costMin }: Demands,
): boolean {
  const expected = shareIn(early, own, samples) * factor;
  const after = shareIn(late, own, samples);
  const cost = after - expected;
  const chance = Math.hypot(
    expected / Math.sqrt(Math.max(1, sumOf(own, early))),
    after / Math.sqrt(Math.max(1, sumOf(own, late))),
  );
  const isLarge = Math.abs(cost) >= costMin && Math.abs(cost) >= screenErrors * chance;
  return isLarge && lastsWithoutOne(samples, own, late, cost, expected);
}

/**
 * Returns the change of a function's cost; undefined if it cannot be estimated or is clearly noise.
 */
function measureCost(
  samples: Float32Array,
  design: Design,
  own: Float32Array,
  base: Float32Array,
  late: Span,
  held: number,
): Omit<FunctionChange, 'name' | 'measure'> | undefined {
  const estimate = estimateChange(design, own, base);
  if (estimate === undefined) return undefined;
  const { share, difference, error, score } = estimate;
  // Samples of the base for each sample of the service.
  const part = sumOf(base, late) / sumOf(samples, late);
  // If the score was reduced because the noise is uncertain, the error grows by the same factor.
  const seen = part * (score === 0 ? error : Math.max(error, difference / score));
  const wide = Math.hypot(seen, held);
  const cost = difference * part;
  const scale = Math.max(expectedChange, (share * part) / 4);
  return {
    before: share * part,
    after: share * part + cost,
    cost,
    halfWidth: deviations95 * wide,
    evidence: evidenceOf(cost / wide, 1 / wide ** 2, scale),
  };
}

/**
 * Returns the error of a difference of shares if all windows of a side contain the same samples. It
 * is as large as if each side had only one window.
 */
function heldError(samples: Float32Array, own: Float32Array, sides: Sides): number {
  const errors = sides.map((span) => {
    const windows = Math.max(1, span.to - span.from);
    const all = sumOf(samples, span) / windows;
    return all === 0 ? Infinity : Math.sqrt(Math.max(1, sumOf(own, span) / windows)) / all;
  });
  return Math.hypot(...errors);
}

/** Number of windows in which the caches of a new process fill. */
const refillWindows = 24;

/**
 * Returns true if memory is not only less because a new process has to fill its caches: it has been
 * less for a day, and most of the change is still there at the end.
 */
function isLess(
  samples: Float32Array,
  own: Float32Array,
  { from, to }: Span,
  { before, cost }: Pick<FunctionChange, 'before' | 'cost'>,
): boolean {
  const length = to - from;
  if (length < refillWindows) return false;
  const atEnd = shareIn({ from: to - Math.ceil(length / 4), to }, own, samples);
  return atEnd < before + cost / 2;
}

type Sides = readonly [early: Span, late: Span];

/** Returns the two sides of a step; for a ramp, its first and its last third. */
function sidesOf({ before, after, shape }: Compared): Sides {
  if (shape === 'step') return [before, after];
  const third = Math.floor((after.to - after.from) / 3);
  return [
    { from: after.from, to: after.from + third },
    { from: after.to - third, to: after.to },
  ];
}

/**
 * Returns true if half of the change remains without the window that contributes most to it. A job
 * that ran for an hour is not a change.
 */
function lastsWithoutOne(
  samples: Float32Array,
  own: Float32Array,
  { from, to }: Span,
  cost: number,
  expected: number,
): boolean {
  let [all, sum, most, at] = [0, 0, -Infinity, from];
  for (let i = from; i < to; i += 1) {
    all += samples[i];
    sum += own[i];
    const excess = (own[i] - expected * samples[i]) * Math.sign(cost);
    if (excess > most) [most, at] = [excess, i];
  }
  const left = (sum - own[at]) / (all - samples[at]) - expected;
  return left * Math.sign(cost) >= Math.abs(cost) / 2;
}
