// The time of a profile as one more value that distinguishes groups.
import type { ProfileTime } from '../../report/flame-chart.ts';

/** Prints the time as a value of a group, after the values of its labels. */
export function printSpan({ timeNanos, durationNanos }: ProfileTime): string {
  return `${timeNanos}+${durationNanos}`;
}

/** Reads the text of `printSpan`; undefined for "", the value of a group without profiles. */
export function parseSpan(text: string): ProfileTime | undefined {
  if (text === '') return undefined;
  const [timeNanos, durationNanos] = text.split('+').map(BigInt);
  return { timeNanos, durationNanos };
}
