// Formats the labels of axes: values in a common unit, and times as short as the range allows.
import type { Measure } from '../format/measure.ts';

interface Unit {
  readonly name: string;
  /** Value of one unit. */
  readonly size: number;
}

const units: Readonly<Record<Measure['kind'], readonly Unit[]>> = {
  cpu: [
    { name: 'mcores', size: 1e-3 },
    { name: 'cores', size: 1 },
  ],
  wait: [
    { name: 'ms/s', size: 1e-3 },
    { name: 's/s', size: 1 },
  ],
  bytes: ['B', 'KiB', 'MiB', 'GiB', 'TiB'].map((name, i) => ({ name, size: 1_024 ** i })),
  count: ['', 'k', 'M', 'G', 'T'].map((name, i) => ({ name, size: 1_000 ** i })),
};

/**
 * Returns the largest unit that `max` reaches; for cores and seconds, a tenth of the unit is
 * enough.
 */
function unitFor(max: number, measure: Measure): Unit {
  const choices = units[measure.kind];
  const least = measure.kind === 'cpu' || measure.kind === 'wait' ? 0.1 : 1;
  return choices.findLast(({ size }) => max >= size * least) ?? choices[0];
}

/** Formats all values on an axis with the highest value `max`. */
export function valueAxisTexts(values: readonly number[], max: number, measure: Measure): string[] {
  if (!measure.delta && (measure.kind === 'cpu' || measure.kind === 'wait')) {
    return values.map((value) => `${Number((value / 1e9).toPrecision(4))}\u202fs`);
  }
  const { name, size } = unitFor(max, measure);
  const perSecond = measure.delta && (measure.kind === 'bytes' || measure.kind === 'count');
  const suffix = `${name}${perSecond ? '/s' : ''}`;
  return values.map((value) => {
    const text = String(Number((value / size).toPrecision(4)));
    return suffix === '' ? text : `${text}\u202f${suffix}`;
  });
}

/** Formats times in seconds since the epoch, `step` seconds apart. */
export function timeAxisTexts(times: readonly number[], step: number, utc: boolean): string[] {
  const zone = utc ? { timeZone: 'UTC' } : {};
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...zone });
  const clock = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    ...(step < 60 ? { second: '2-digit' } : {}),
    ...zone,
  });
  return times.map((time) => {
    const text = clock.format(time * 1e3);
    return step >= 86_400 || text === '00:00' ? day.format(time * 1e3) : text;
  });
}
