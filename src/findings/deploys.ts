// Finds the deploys of a service, which are the times at which a new version replaced an old one.
import type { ChangeEvent } from './statistics/find-changes.ts';

/** CPU time of one version in each step. All versions of a service have the same steps. */
export interface VersionLine {
  readonly version: string;
  /** Starts of the steps in which the version has profiles, in order. */
  readonly startMillis: readonly number[];
  readonly values: readonly number[];
}

/** Change of a service from one version to another. */
export interface Deploy extends ChangeEvent {
  /** Label that contains the version. */
  readonly label: string;
  readonly version: string;
  readonly before: string;
}

/** Share of a service's CPU time that a new version needs to count as deployed. */
const deployedShareMin = 0.9;
/** Share of a service's CPU time below which a version does not count as running. */
const begun = 0.02;

/**
 * Returns the deploys, oldest first. Versions that keep running together are not deploys. A
 * rollback to an earlier version is a deploy.
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
  /** First step in which each version ran, counted since the last deploy. */
  let starts = new Map<string, number>();
  for (const [start, values] of [...steps].toSorted(([a], [b]) => a - b)) {
    const all = [...values.values()].reduce((sum, value) => sum + value, 0);
    for (const [version, value] of values) {
      if (value >= begun * all && !starts.has(version)) starts.set(version, start);
    }
    const main = [...values].find(([, value]) => value >= deployedShareMin * all)?.[0];
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
        // If the version was already the main one in its first step, the deploy took less than a
        // step.
        doneMillis: first === start ? start + stepMillis : start,
      });
    }
    current = main;
    starts = new Map([[main, start]]);
  }
  return deploys;
}
