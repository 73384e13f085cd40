// State of one service that is searched: its windows, the windows that are missing, and its events.
import type { StoredMark } from '../shares/interface.ts';
import { findDeploys, type VersionLine } from './deploys.ts';
import type { ServiceName } from './interface.ts';
import { windowMillis } from './statistics/limits.ts';
import { KeptWindows } from './service-windows.ts';
import type { NamedEvent } from './update-findings.ts';
import type { WatchedType } from './watched-types.ts';

/** One resource of a service, with the windows that are kept for it. */
export class WatchedService {
  readonly type: WatchedType;
  readonly name: ServiceName;
  readonly windows = new KeptWindows();
  /** Use of the resource in the newest window. */
  amount = 0;
  /** Start of the newest window at the time of the last search; 0 = never searched. */
  searchedMillis = 0;
  events: readonly NamedEvent[] = [];
  /** Starts of the hours with profiles, in order. */
  hours: readonly number[] = [];

  constructor(type: WatchedType, name: ServiceName) {
    this.type = type;
    this.name = name;
  }

  /** Returns the start of the latest missing window; undefined if no window is missing. */
  missing(): number | undefined {
    return this.hours.findLast((hour) => !this.windows.has(hour));
  }
}

/** Longest time in milliseconds between a deploy and a mark that describe the same change. */
const sameEventMillis = 2 * windowMillis;

/** Returns the deploys and marks of a service, in order. */
export function listEvents(
  { label, name }: ServiceName,
  versions: { readonly label: string; readonly lines: readonly VersionLine[] } | undefined,
  marks: readonly StoredMark[],
): NamedEvent[] {
  const deploys =
    versions === undefined ? [] : findDeploys(versions.label, versions.lines, windowMillis);
  const events = deploys.map((deploy): NamedEvent => ({
    key: deploy.key,
    startMillis: deploy.startMillis,
    doneMillis: deploy.doneMillis,
    source: 'deploy',
    names: deploy,
  }));
  for (const { id, timeMillis, text, labels } of marks) {
    const isAbout = Object.entries(labels).every(
      ([mark, value]) => mark === label && value === name,
    );
    const isKnown = deploys.some(
      ({ startMillis, doneMillis }) =>
        timeMillis > startMillis - sameEventMillis && timeMillis < doneMillis + sameEventMillis,
    );
    if (!isAbout || isKnown) continue;
    events.push({
      key: `mark ${id}`,
      startMillis: timeMillis,
      doneMillis: (Math.floor(timeMillis / windowMillis) + 1) * windowMillis,
      source: 'mark',
      names: { label: '', version: text, before: '' },
    });
  }
  return events.toSorted((a, b) => a.startMillis - b.startMillis);
}
