// Parameters of Pyroscope's /ingest: names such as `app.cpu{region="eu"}`, times, units.
import { AppError, errorMessage } from '../../../base/errors.ts';
import { parseInstant } from '../../../base/text/instant.ts';
import type { CountMeaning } from '../../../formats/reading/imported-profile.ts';
import type { Label } from '../../../model/labels.ts';

/** Parts of a name such as `app.cpu{region="eu"}`. */
export interface AppName {
  /** Name without labels: `app.cpu`. */
  readonly app: string;
  readonly labels: readonly Label[];
}

/** Parses `app{key=value,key2=value2}`. Errors: AppError 'invalid-argument'. */
export function parseAppName(text: string): AppName {
  const brace = text.indexOf('{');
  const app = (brace === -1 ? text : text.slice(0, brace)).trim();
  if (app === '') throw invalid(text, 'has no application');
  if (brace === -1) return { app, labels: [] };
  const inner = text.slice(brace + 1).trimEnd();
  if (!inner.endsWith('}')) throw invalid(text, 'has no closing brace');
  const labels = inner
    .slice(0, -1)
    .split(',')
    .filter((pair) => pair.trim() !== '')
    .map((pair) => {
      const sign = pair.indexOf('=');
      if (sign === -1) throw invalid(text, `has a label without "=": ${pair}`);
      const value = pair.slice(sign + 1).trim();
      return { name: pair.slice(0, sign).trim(), value: value.replace(/^"(.*)"$/, '$1') };
    });
  return { app, labels };
}

type Unit = 'count' | 'bytes' | 'nanoseconds';

/** Profile name, sample type and unit, by the last part of an application's name. */
const suffixes: ReadonlyMap<string, readonly [name: string, type: string, unit: Unit]> = new Map([
  ...['inuse_objects', 'alloc_objects', 'live'].map((type) => memory(type, 'count')),
  ...['alloc_in_new_tlab_objects', 'alloc_outside_tlab_objects'].map((type) =>
    memory(type, 'count'),
  ),
  ...['inuse_space', 'alloc_space'].map((type) => memory(type, 'bytes')),
  ...['alloc_in_new_tlab_bytes', 'alloc_outside_tlab_bytes'].map((type) => memory(type, 'bytes')),
  ['bytes', ['memory', 'samples', 'bytes']],
  ['goroutines', ['goroutine', 'goroutines', 'count']],
  ['mutex_count', ['mutex', 'contentions', 'count']],
  ['mutex_duration', ['mutex', 'delay', 'nanoseconds']],
  ['block_count', ['block', 'contentions', 'count']],
  ['block_duration', ['block', 'delay', 'nanoseconds']],
  ['lock_count', ['block', 'contentions', 'count']],
  ['lock_duration', ['block', 'delay', 'nanoseconds']],
  ['exceptions', ['exceptions', 'samples', 'count']],
]);

const wallSuffixes: ReadonlySet<string> = new Set([
  'wall',
  'seconds',
  'nanoseconds',
  'microseconds',
  'milliseconds',
]);
const cpuSuffixes: ReadonlySet<string> = new Set(['cpu', 'itimer']);

function memory(type: string, unit: Unit): [string, readonly [string, string, Unit]] {
  return [type, ['memory', type, unit]];
}

/** Meaning of the counts in a text format, and the service name. */
export interface AppCounts {
  readonly service: string;
  readonly counts: CountMeaning;
}

/**
 * Parses an application's name. If its last part is not a known type, CPU time is assumed.
 * `sampleRate`: samples per second of CPU or wall time.
 */
export function readAppCounts(app: string, sampleRate: number): AppCounts {
  const dot = app.lastIndexOf('.');
  const suffix = app.slice(dot + 1);
  const service = dot <= 0 ? app : app.slice(0, dot);
  const known = suffixes.get(suffix);
  if (known !== undefined && dot > 0) {
    const [name, type, unit] = known;
    return { service, counts: { name, sampleType: { type, unit }, factor: 1n } };
  }
  const period = BigInt(Math.round(1e9 / sampleRate));
  const isWall = wallSuffixes.has(suffix) && dot > 0;
  const cpu = { type: 'cpu', unit: 'nanoseconds' };
  return {
    service: isWall || cpuSuffixes.has(suffix) ? service : app,
    counts: {
      name: isWall ? 'wall' : 'process_cpu',
      sampleType: isWall ? { type: 'wall', unit: 'nanoseconds' } : cpu,
      factor: period,
      // Pyroscope also uses CPU time as the period type of wall profiles.
      periodType: cpu,
      period,
    },
  };
}

/** Parses `sampleRate`; an invalid rate becomes 100, as in Pyroscope. */
export function readSampleRate(text: string | null): number {
  const rate = Number(text ?? '');
  return Number.isFinite(rate) && rate >= 1 && rate <= 1e9 ? rate : 100;
}

const dayForm = /^(\d{4})(\d\d)(\d\d)$/;

/**
 * Parses a time as Pyroscope's clients write it: Unix time in seconds, milliseconds, microseconds
 * or nanoseconds (by the number of digits), YYYYMMDD, or a form of parseInstant.
 *
 * Errors: AppError 'invalid-argument' that begins with `name`.
 */
export function readPyroscopeTime(name: string, text: string, nowMillis: number): bigint {
  const day = dayForm.exec(text);
  if (day !== null) return parseInstant(`${day.slice(1).join('-')}T00:00:00Z`, nowMillis);
  if (/^\d{16}$/.test(text)) return BigInt(text) * 1_000n;
  if (/^\d{19}$/.test(text)) return BigInt.asIntN(64, BigInt(text));
  try {
    return parseInstant(text, nowMillis);
  } catch (error) {
    throw new AppError('invalid-argument', `${name}: ${errorMessage(error)}`, { cause: error });
  }
}

function invalid(text: string, why: string): AppError {
  return new AppError('invalid-argument', `name: ${JSON.stringify(text)} ${why}`);
}
