// When a profile was taken, as one more value that groups are told apart by.
import type { ProfileTime } from '../../report/flame-chart.ts';

/** The span as a value of a group, after the values of its labels. */
export function printSpan({ timeNanos, durationNanos }: ProfileTime): string {
  return `${timeNanos}+${durationNanos}`;
}

/** Reads what `printSpan` wrote; undefined for "", the value of a group of nothing. */
export function parseSpan(text: string): ProfileTime | undefined {
  if (text === '') return undefined;
  const [timeNanos, durationNanos] = text.split('+').map(BigInt);
  return { timeNanos, durationNanos };
}
