// Finds changes in the windows of a service: changes at deploys, changes at other times, and slow
// drifts.
import type { Steps } from '../../base/pacer.ts';
import {
  baselineWindowsMin,
  changedWindowsMin,
  deployWindowsMax,
  driftStepWindows,
  driftWindowsMin,
  scanBaselineWindowsMin,
  scanStepWindows,
  scanWindowsMax,
  sideSamplesMin,
  windowMillis,
} from './limits.ts';
import { findCourse } from './change-course.ts';
import type { Compared } from './change-model.ts';
import { compareFunctions, type FunctionChange } from './compare-functions.ts';
import { findReference } from './reference.ts';
import { type ServiceWindows, type Span, sumOf } from './windows.ts';

/** A deploy or a mark that may explain a change. */
export interface ChangeEvent {
  /** Unique key of the event within its service. */
  readonly key: string;
  /**
   * Time of the first profile of the new version, and time at which the new version had replaced
   * the old one.
   */
  readonly startMillis: number;
  readonly doneMillis: number;
}

export type ChangeKind = 'deploy' | 'unexplained' | 'drift';

/** A change of a service. */
export interface FoundChange {
  readonly kind: ChangeKind;
  /** Event that explains the change; undefined if none does. */
  readonly event: ChangeEvent | undefined;
  /** Time of the change; for a drift, its start. */
  readonly timeMillis: number;
  /** Time at which the change was complete. Later comparisons begin there. */
  readonly doneMillis: number;
  /** Changed functions; the probable cause is first. */
  readonly functions: readonly FunctionChange[];
}

/** Data about a service other than its windows. */
export interface ChangeContext {
  /** Events in order of time. */
  readonly events: readonly ChangeEvent[];
  /** Time of the last change that was found. Comparisons begin there. */
  readonly sinceMillis: number;
  /**
   * Start of the newest window that the previous search had, 0 = there was none; by default, the
   * window before the newest one. It tells whether a new day has begun, because slow drifts are
   * looked for once a day.
   */
  readonly searchedMillis?: number | undefined;
  /** Largest average share of false changes among those reported at deploys. */
  readonly falseRate: number;
  readonly costMin: number;
}

/**
 * Fraction of `falseRate` that a single search without a deploy may use. There are four such
 * searches a day, or 730 in half a year.
 */
const scanPart = 1 / 50;

/** Returns the changes that are significant now, at most one for each event. */
export function* findChanges(
  service: ServiceWindows,
  context: ChangeContext,
): Steps<FoundChange[]> {
  const changes = yield* findDeployChanges(service, context);
  if (changes.length > 0) return changes;
  const scanned = yield* findUndeclared(service, context);
  return scanned === undefined ? [] : [scanned];
}

function* findDeployChanges(
  service: ServiceWindows,
  { events, sinceMillis, falseRate, costMin }: ChangeContext,
): Steps<FoundChange[]> {
  const { startMillis } = service;
  const changes: FoundChange[] = [];
  for (const [i, event] of events.entries()) {
    const ageMillis = (startMillis.at(-1) ?? 0) - event.doneMillis;
    if (event.startMillis <= sinceMillis || ageMillis > deployWindowsMax * windowMillis) continue;
    const before = {
      from: firstAt(startMillis, sinceMillis),
      to: lastBefore(startMillis, event.startMillis),
    };
    const from = firstAt(startMillis, event.doneMillis);
    const next = events[i + 1]?.startMillis ?? Infinity;
    const to = Math.min(from + deployWindowsMax, lastBefore(startMillis, next));
    const compared: Compared = { before, after: { from, to }, shape: 'step' };
    if (!isEnough(service, compared, baselineWindowsMin)) continue;
    const functions = yield* compareFunctions(service, compared, { falseRate, costMin });
    if (functions.length === 0) continue;
    changes.push(explain(service, { compared, event, functions }));
  }
  return changes;
}

/** A change between the two spans of `compared`. The event, if any, may not be its cause. */
interface Candidate {
  readonly compared: Compared;
  readonly event: ChangeEvent | undefined;
  readonly functions: readonly FunctionChange[];
}

/**
 * Log-likelihoods that decide between explanations. A step at another time must be better than a
 * step at the event by `betterBy`, a slow change must be better than any step by `slowerBy`.
 */
const betterBy = 6;
const slowerBy = 3;
/** Largest distance, in windows, between a change and the event that explains it. */
const nearWindows = 3;

/** Decides whether a change began with its event, at another time, or slowly. */
function explain(service: ServiceWindows, candidate: Candidate): FoundChange {
  const { compared, event, functions } = candidate;
  const { startMillis } = service;
  const { before, after } = compared;
  const whole = { from: before.from, to: after.to };
  const here = startMillis[after.from];
  const plain: FoundChange = {
    kind: event === undefined ? 'unexplained' : 'deploy',
    event,
    timeMillis: event?.startMillis ?? here,
    doneMillis: event?.doneMillis ?? here,
    functions,
  };
  const [clearest] = functions.toSorted((one, other) => other.evidence - one.evidence);
  const found = service.functions.find(({ name }) => name === clearest.name);
  if (found === undefined) return plain;
  const base = findReference(service, before, after).without(found);
  const own = found[clearest.measure];
  const course = findCourse(own, base, whole);
  const { bestAt, rampGain } = course;
  const best = course.stepGain(bestAt);
  if (rampGain > best + slowerBy) {
    return driftOf(startMillis, whole, functions);
  }
  const isFar = Math.abs(bestAt - after.from) > nearWindows;
  const isOther = isFar && best > course.stepGain(after.from) + betterBy;
  if (event !== undefined && !isOther) return plain;
  return {
    kind: 'unexplained',
    event: undefined,
    timeMillis: startMillis[bestAt],
    doneMillis: Math.max(startMillis[bestAt], here),
    functions,
  };
}

function driftOf(
  startMillis: Float64Array,
  { from, to }: Span,
  functions: readonly FunctionChange[],
): FoundChange {
  return {
    kind: 'drift',
    event: undefined,
    timeMillis: startMillis[from],
    doneMillis: startMillis[to - 1],
    functions,
  };
}

/** Searches for a change without an event, at every sixth hour, and then for a slow drift. */
function* findUndeclared(
  service: ServiceWindows,
  { events, sinceMillis, searchedMillis, falseRate, costMin }: ChangeContext,
): Steps<FoundChange | undefined> {
  const { startMillis } = service;
  const { length } = startMillis;
  const demands = { falseRate: falseRate * scanPart, costMin };
  const from = firstAt(startMillis, sinceMillis);
  const stepMillis = scanStepWindows * windowMillis;
  const oldest = Math.max(from + scanBaselineWindowsMin, length - scanWindowsMax);
  for (let at = oldest; at < length - changedWindowsMin; at += 1) {
    const isGrid =
      Math.floor(startMillis[at] / stepMillis) > Math.floor(startMillis[at - 1] / stepMillis);
    const isNearEvent = events.some(
      (event) => Math.abs(event.startMillis - startMillis[at]) < scanWindowsMax * windowMillis,
    );
    if (!isGrid || isNearEvent) continue;
    const compared: Compared = {
      before: { from, to: at },
      after: { from: at, to: length },
      shape: 'step',
    };
    if (!isEnough(service, compared, scanBaselineWindowsMin)) continue;
    const functions = yield* compareFunctions(service, compared, demands);
    if (functions.length > 0) return explain(service, { compared, event: undefined, functions });
  }
  return yield* findDrift(service, from, searchedMillis, demands);
}

function* findDrift(
  service: ServiceWindows,
  from: number,
  searchedMillis: number | undefined,
  demands: { readonly falseRate: number; readonly costMin: number },
): Steps<FoundChange | undefined> {
  const { startMillis } = service;
  const { length } = startMillis;
  if (length - from < driftWindowsMin) return undefined;
  const dayOf = (millis: number): number => Math.floor(millis / (driftStepWindows * windowMillis));
  const isNewDay =
    dayOf(startMillis[length - 1]) > dayOf(searchedMillis ?? startMillis[length - 2]);
  if (!isNewDay) return undefined;
  const compared: Compared = {
    before: { from, to: from },
    after: { from, to: length },
    shape: 'ramp',
  };
  const functions = yield* compareFunctions(service, compared, demands);
  if (functions.length === 0) return undefined;
  return driftOf(startMillis, compared.after, functions);
}

function isEnough(
  service: ServiceWindows,
  { before, after }: Compared,
  windowsMin: number,
): boolean {
  const has = (span: Span, windows: number): boolean =>
    span.to - span.from >= windows && sumOf(service.samples, span) >= sideSamplesMin;
  return has(before, windowsMin) && has(after, changedWindowsMin);
}

/** Returns the index of the first window that starts at the given time or later. */
function firstAt(startMillis: Float64Array, timeMillis: number): number {
  let [low, high] = [0, startMillis.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (startMillis[middle] >= timeMillis) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the number of windows that have ended at the given time. */
function lastBefore(startMillis: Float64Array, timeMillis: number): number {
  return firstAt(startMillis, timeMillis - windowMillis + 1);
}
