// A naive evaluation of flame charts: profiles side by side in time.
import type { PlainProfile } from './plain-data.ts';
import { pathOf, total } from './text-sums.ts';
import type { TextStack } from './text-sums.ts';

/** A stack of one profile, in the lane of its labels' values. */
export interface TimedStack extends TextStack {
  readonly profile: PlainProfile;
  readonly lane: readonly string[];
  /** The same as text, "" = none. */
  readonly labels: string;
}

/**
 * The stacks with frames that say when they start, `main@1000`. Calls of one frame are one when
 * `gapNanosMax` lies between them. `isTime`: values are nanoseconds.
 */
export function oracleChart(
  stacks: readonly TimedStack[],
  isTime: boolean,
  gapNanosMax: number,
): TextStack[] {
  const byMoment = Map.groupBy(stacks, ({ lane, profile: { timeNanos, durationNanos } }) =>
    JSON.stringify([lane, ...[timeNanos, durationNanos].map((nanos) => `${nanos}`.padStart(20))]),
  );
  const moments = [...byMoment].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, all]) => all);
  const firstNanos = moments.at(0)?.[0].profile.timeNanos ?? 0n;
  const drawn: TextStack[] = [];
  /** By path, the last call below it; its end in nanoseconds since the first profile. */
  const lastOf = new Map<string, { name: string; text: string; end: number }>();
  for (const moment of moments) {
    const [{ labels, profile }] = moment;
    const [width, lasts] = [Number(total(moment)[0]), Number(profile.durationNanos)];
    const stretch = isTime && (lasts === 0 || width <= lasts) ? 1 : lasts / width;
    const begin = Number(profile.timeNanos - firstNanos);
    const draw = (above: readonly string[], inside: readonly TextStack[], from: number): void => {
      let at = from;
      const calls = Map.groupBy(inside, ({ frames }) => frames.at(0) ?? '');
      for (const { values } of calls.get('') ?? []) drawn.push({ frames: above, values });
      for (const name of [...calls.keys()].filter(Boolean).sort()) {
        const called = calls.get(name) ?? [];
        const [start, value] = [begin + at * stretch, Number(total(called)[0])];
        const last = lastOf.get(pathOf(above));
        const goesOn = last?.name === name && start - last.end <= gapNanosMax;
        const text = goesOn ? last.text : `${name}@${firstNanos + BigInt(Math.round(start))}`;
        lastOf.set(pathOf(above), { name, text, end: start + value * stretch });
        const rest = called.map(({ frames, values }) => ({ frames: frames.slice(1), values }));
        draw([...above, text], rest, at);
        at += value;
      }
    };
    draw(labels === '' ? [] : [`${labels}@0`], moment, 0);
  }
  return drawn;
}
