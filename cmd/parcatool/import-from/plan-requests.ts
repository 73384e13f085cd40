// Plans as few requests as possible for the profiles of a type. A request has at most one profile
// per series. If each sample is a separate profile, a request has all samples in a window.
import type { Labels, NanoRange, StoredSeries } from './history.ts';

/** A profile to import. */
export interface WantedProfile {
  readonly key: string;
  readonly labels: Labels;
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
  readonly value: bigint;
}

/** A range to request, and the profiles that are expected in it. */
export interface PlannedRequest {
  readonly range: NanoRange;
  readonly profiles: readonly WantedProfile[];
}

/** Maximum number of profiles in a request. It keeps responses to a few megabytes. */
const profilesMax = 64;
const usualWindowNanos = 10_000_000_000n;

/**
 * Returns the requests for the profiles in `range`. Parca's agents store each sample with its own
 * time. Such a type is split into windows that are as long as its profiles.
 */
export function planRequests(
  found: ReadonlyMap<string, StoredSeries>,
  range: NanoRange,
): readonly PlannedRequest[] {
  const window = chooseWindow(found);
  return window === undefined ? planApart(found) : planWindows(found, range, window);
}

/** Returns the length of windows; undefined if profiles do not overlap. */
function chooseWindow(found: ReadonlyMap<string, StoredSeries>): bigint | undefined {
  let overlapping = 0;
  let others = 0;
  let longest = 0n;
  for (const { profiles } of found.values()) {
    const times = [...profiles.keys()].sort(compare);
    times.forEach((time, i) => {
      const { durationNanos } = profiles.get(time) ?? { durationNanos: 0n };
      if (durationNanos > longest) longest = durationNanos;
      if (i > 0 && (time - times[i - 1]) * 2n < durationNanos) overlapping += 1;
      else others += 1;
    });
  }
  if (overlapping <= others) return undefined;
  return longest > usualWindowNanos ? usualWindowNanos : longest;
}

function planWindows(
  found: ReadonlyMap<string, StoredSeries>,
  range: NanoRange,
  window: bigint,
): readonly PlannedRequest[] {
  const byStart = new Map<bigint, Map<string, WantedProfile>>();
  for (const [key, { labels, profiles }] of found) {
    for (const [time, { value }] of profiles) {
      const aligned = (time / window) * window;
      const start = aligned < range.start ? range.start : aligned;
      const known = byStart.get(start) ?? new Map<string, WantedProfile>();
      byStart.set(start, known);
      const before = known.get(key)?.value ?? 0n;
      known.set(key, {
        key,
        labels,
        timeNanos: start,
        durationNanos: window,
        value: before + value,
      });
    }
  }
  return [...byStart]
    .sort(([a], [b]) => compare(a, b))
    .map(([start, profiles]) => {
      const last = (start / window) * window + window - 1n;
      const end = last > range.end ? range.end : last;
      return { range: { start, end }, profiles: [...profiles.values()] };
    });
}

function planApart(found: ReadonlyMap<string, StoredSeries>): readonly PlannedRequest[] {
  // Profiles with the same time are in one request, because a range that contains one of them
  // contains all of them.
  const byTime = new Map<bigint, WantedProfile[]>();
  for (const [key, { labels, profiles }] of found) {
    for (const [timeNanos, profile] of profiles) {
      const wanted = { key, labels, timeNanos, ...profile };
      const known = byTime.get(timeNanos);
      if (known === undefined) byTime.set(timeNanos, [wanted]);
      else known.push(wanted);
    }
  }
  const requests: PlannedRequest[] = [];
  let profiles: WantedProfile[] = [];
  let seen = new Set<string>();
  const finish = (): void => {
    if (profiles.length === 0) return;
    const range = { start: profiles[0].timeNanos, end: profiles[profiles.length - 1].timeNanos };
    requests.push({ range, profiles });
    profiles = [];
    seen = new Set();
  };
  for (const [, group] of [...byTime].sort(([a], [b]) => compare(a, b))) {
    const isFull = profiles.length + group.length > profilesMax;
    if (isFull || group.some(({ key }) => seen.has(key))) finish();
    for (const one of group) {
      profiles.push(one);
      seen.add(one.key);
    }
  }
  finish();
  return requests;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
