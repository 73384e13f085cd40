// A naive evaluation of flame charts: profiles side by side in time.
import { none, pathOf, plus, total } from './oracle-sums.ts';
import type { OracleStack, OracleSum, OracleTree } from './oracle-sums.ts';
import type { PlainProfile } from './plain-data.ts';

/** A stack of one profile, in the lane of its labels' values. */
export interface TimedStack extends OracleStack {
  readonly profile: PlainProfile;
  readonly lane: readonly string[];
  /** The same as text, "" = none. */
  readonly labels: string;
}

/** `isTime`: values are nanoseconds. Rows of one frame are one when `gapNanosMax` lies between. */
export function oracleChart(
  stacks: readonly TimedStack[],
  isTime: boolean,
  gapNanosMax: number,
): OracleTree {
  const byMoment = Map.groupBy(stacks, ({ lane, profile: { timeNanos, durationNanos } }) =>
    JSON.stringify([lane, ...[timeNanos, durationNanos].map((nanos) => `${nanos}`.padStart(20))]),
  );
  const moments = [...byMoment].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, all]) => all);
  const firstNanos = moments.at(0)?.[0].profile.timeNanos ?? 0n;
  const tree = new Map<string, OracleSum>();
  /** By path, the last of its children; its end in nanoseconds since the first profile. */
  const lastOf = new Map<string, { name: string; path: string; end: number }>();
  for (const moment of moments) {
    const [{ labels, profile }] = moment;
    const [width, lasts] = [Number(total(moment)[0]), Number(profile.durationNanos)];
    const stretch = isTime && (lasts === 0 || width <= lasts) ? 1 : lasts / width;
    const begin = Number(profile.timeNanos - firstNanos);
    const draw = (path: string, inside: readonly OracleStack[], from: number): void => {
      const sum = tree.get(path) ?? none;
      const flat = plus(sum.flat, total(inside.filter(({ frames }) => frames.length === 0)));
      tree.set(path, { flat, cumulative: plus(sum.cumulative, total(inside)) });
      let at = from;
      const calls = Map.groupBy(inside, ({ frames }) => frames.at(0) ?? '');
      for (const name of [...calls.keys()].filter(Boolean).sort()) {
        const called = calls.get(name) ?? [];
        const [start, value] = [begin + at * stretch, Number(total(called)[0])];
        const last = lastOf.get(path);
        const goesOn = last?.name === name && start - last.end <= gapNanosMax;
        const began = firstNanos + BigInt(Math.round(start));
        const child = goesOn ? last.path : path + pathOf([`${name}@${began}`]);
        lastOf.set(path, { name, path: child, end: start + value * stretch });
        draw(
          child,
          called.map(({ frames, values }) => ({ frames: frames.slice(1), values })),
          at,
        );
        at += value;
      }
    };
    draw(labels === '' ? '' : pathOf([`${labels}@0`]), moment, 0);
  }
  return tree.set('', { flat: tree.get('')?.flat ?? none.flat, cumulative: total(stacks) });
}
