// Durations as text: Prometheus's form for config files, Go's for flags and the API.
import { AppError } from '../errors.ts';

const prometheusForm =
  /^(?:(\d+)y)?(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/;

/**
 * Units and their milliseconds, in the order in which they are written; a year has 365 days, a day
 * 24 hours.
 */
const prometheusUnits: readonly (readonly [string, number])[] = [
  ['y', 31_536_000_000],
  ['w', 604_800_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
];

/** Longest duration, in milliseconds: Prometheus and Go keep durations as int64 nanoseconds. */
const durationMillisMax = 9_223_372_036_854;

/**
 * Returns the milliseconds of a duration such as "1d12h", "90s", "1m30s500ms" or "0".
 *
 * Errors: AppError 'invalid-argument'.
 * Source: prometheus/common model.ParseDuration.
 */
export function parseDuration(text: string): number {
  if (text === '0') return 0;
  const match = text === '' ? null : prometheusForm.exec(text);
  if (match === null) throw cannotRead(text, 'a duration such as 10s, 1m30s or 1d12h');
  let millis = 0;
  prometheusUnits.forEach(([, unitMillis], i) => {
    millis += Number(match[i + 1] ?? 0) * unitMillis;
  });
  if (millis > durationMillisMax) throw cannotRead(text, 'a duration of at most 292 years');
  return millis;
}

/**
 * Formats whole milliseconds >= 0 in the form that parseDuration reads. Uses years and weeks only
 * if there is no remainder.
 */
export function formatDuration(millis: number): string {
  if (millis === 0) return '0s';
  let rest = millis;
  let text = '';
  for (const [unit, unitMillis] of prometheusUnits) {
    const mustBeExact = unit === 'y' || unit === 'w';
    if (mustBeExact && rest % unitMillis !== 0) continue;
    const count = Math.floor(rest / unitMillis);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * unitMillis;
  }
  return text;
}

const goUnitMillis: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

const goForm = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const goPart = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;

/**
 * Returns the milliseconds, possibly fractional, of a duration such as "1m30s", "1.5h", "300ms",
 * "-2s" or "0".
 *
 * Errors: AppError 'invalid-argument'. Source: Go's time.ParseDuration.
 */
export function parseGoDuration(text: string): number {
  if (/^[+-]?0$/.test(text)) return 0;
  const form = goForm.exec(text);
  if (form === null) throw cannotRead(text, 'a duration such as 1m30s, 1.5h or 300ms');
  let millis = 0;
  for (const [, number, unit] of form[2].matchAll(goPart)) {
    millis += Number(number) * (goUnitMillis.get(unit) ?? 0);
  }
  if (millis > durationMillisMax) throw cannotRead(text, 'a duration of at most 292 years');
  return form[1] === '-' ? -millis : millis;
}

function cannotRead(text: string, expected: string): AppError {
  const message = `cannot read duration ${JSON.stringify(text)}: expected ${expected}`;
  return new AppError('invalid-argument', message);
}
