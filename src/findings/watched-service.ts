// One service of the search: its windows, those that are missing, and what its events are.
import type { StoredMark } from '../shares/interface.ts';
import { findDeploys, type VersionLine } from './deploys.ts';
import type { ServiceName } from './interface.ts';
import { emptyWindowsMax, windowsMax } from './limits.ts';
import { windowMillis } from './statistics/limits.ts';
import { type AnsweredWindow, KeptWindows } from './service-windows.ts';
import type { NamedEvent } from './update-findings.ts';

/** A service whose windows are kept. */
export class WatchedService {
  readonly name: ServiceName;
  readonly windows = new KeptWindows();
  cores = 0;
  events: readonly NamedEvent[] = [];
  /** Start of the earliest window that was asked for; windows before it are still missing. */
  #earliest = Infinity;
  /** Empty windows in a row at the beginning of what is known. */
  #emptyCount = 0;

  constructor(name: ServiceName) {
    this.name = name;
  }

  /** Returns the start of the window to ask for next; undefined if none is missing. */
  missing(newestMillis: number): number | undefined {
    if (!this.windows.has(newestMillis)) return newestMillis;
    const oldest = newestMillis - (windowsMax - 1) * windowMillis;
    for (
      let at = newestMillis - windowMillis;
      at >= Math.max(oldest, this.#earliest);
      at -= windowMillis
    ) {
      if (!this.windows.has(at)) return at;
    }
    const earlier = this.#earliest - windowMillis;
    return this.#emptyCount < emptyWindowsMax && earlier >= oldest ? earlier : undefined;
  }

  add(window: AnsweredWindow): void {
    this.windows.add(window);
    if (window.startMillis > this.#earliest) return;
    this.#earliest = window.startMillis;
    this.#emptyCount = window.samples === 0 ? this.#emptyCount + 1 : 0;
  }
}

/** Window of a deploy within which a mark is about the same change. */
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
