// Finds the deploys of a service: the times at which another version took over.
import type { ChangeEvent } from './statistics/find-changes.ts';

/** Values of one version over time; the steps of all versions of a service are the same. */
export interface VersionLine {
  readonly version: string;
  /** Starts of steps in order, without those that have no profiles. */
  readonly startMillis: readonly number[];
  readonly values: readonly number[];
}

/** A version that took over. */
export interface Deploy extends ChangeEvent {
  /** Label that names versions. */
  readonly label: string;
  readonly version: string;
  readonly before: string;
}

/** Share of a service from which a version has taken over from the others. */
const takenOver = 0.9;
/** Share of a service below which a version has not started to run. */
const begun = 0.02;

/**
 * Returns the deploys, the oldest first. Versions that run next to each other are none: no one of
 * them takes over. A version that comes back is one again.
 */
export function findDeploys(
  label: string,
  lines: readonly VersionLine[],
  stepMillis: number,
): Deploy[] {
  const steps = new Map<number, Map<string, number>>();
  for (const { version, startMillis, values } of lines) {
    startMillis.forEach((start, i) => {
      const step = steps.get(start) ?? new Map<string, number>();
      steps.set(start, step);
      step.set(version, (step.get(version) ?? 0) + values[i]);
    });
  }
  const deploys: Deploy[] = [];
  let current: string | undefined;
  /** First steps of versions since the current one took over. */
  let starts = new Map<string, number>();
  for (const [start, values] of [...steps].toSorted(([a], [b]) => a - b)) {
    const all = [...values.values()].reduce((sum, value) => sum + value, 0);
    for (const [version, value] of values) {
      if (value >= begun * all && !starts.has(version)) starts.set(version, start);
    }
    const main = [...values].find(([, value]) => value >= takenOver * all)?.[0];
    if (main === undefined || main === current) {
      if (main !== undefined) starts = new Map([[main, start]]);
      continue;
    }
    if (current !== undefined) {
      const first = starts.get(main) ?? start;
      deploys.push({
        key: `${label} ${main} ${first}`,
        label,
        version: main,
        before: current,
        startMillis: first,
        // A version that was alone from its first step took over within that step.
        doneMillis: first === start ? start + stepMillis : start,
      });
    }
    current = main;
    starts = new Map([[main, start]]);
  }
  return deploys;
}
