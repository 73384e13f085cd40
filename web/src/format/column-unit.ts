// Chooses a common unit for all numbers of a column, so that they are easy to compare.
import type { Coverage, Measure } from './measure.ts';

/** Unit of a column, and its number format. */
export interface ColumnUnit {
  /** Unit such as `cores` or `MiB/s`; "" for plain counts. */
  readonly unit: string;
  /** Formats a result of `perSecond`, without its unit. */
  text(value: number): string;
}

/** A unit, its size, and the smallest maximum of a column for which it is used. */
type UnitStep = readonly [unit: string, size: number, from: number];

const step = (unit: string, size: number): UnitStep => [unit, size, size];
const coreSteps: readonly UnitStep[] = [step('mcores', 1e-3), ['cores', 1, 0.1]];
const waitSteps = [step('s/s', 1)];
const nanoSteps = [
  step('ns', 1),
  step('µs', 1e3),
  step('ms', 1e6),
  step('s', 1e9),
  step('h', 3.6e12),
];
const byteSteps = ['B', 'KiB', 'MiB', 'GiB', 'TiB'].map((unit, i) => step(unit, 1_024 ** i));
const countSteps = ['', 'k', 'M', 'G'].map((unit, i) => step(unit, 1_000 ** i));

/** Chooses the unit for the largest value of a column. */
export function columnUnit(max: number, measure: Measure): ColumnUnit {
  const steps = listSteps(measure);
  const [unit, size] = steps.findLast(([, , from]) => max >= from) ?? steps[0];
  const digits = Math.min(3, Math.max(0, 2 - Math.floor(Math.log10(max / size || 1))));
  return {
    unit:
      measure.delta && (measure.kind === 'bytes' || measure.kind === 'count') ? `${unit}/s` : unit,
    text: (value) => fixed(value / size, digits),
  };
}

function listSteps({ kind, delta }: Measure): readonly UnitStep[] {
  if (kind === 'bytes') return byteSteps;
  if (kind === 'count') return countSteps;
  if (!delta) return nanoSteps;
  return kind === 'cpu' ? coreSteps : waitSteps;
}

/** Formats a number; a value above 0 is never shown as 0. */
function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return value > 0 && Number(text) === 0 ? `<${(10 ** -digits).toFixed(digits)}` : text;
}

/** Returns the unit for shares, 0 .. 1. */
export function shareUnit(max: number): ColumnUnit {
  const digits = max < 0.1 ? 2 : 1;
  return { unit: '%', text: (value) => fixed(value * 100, digits) };
}

/**
 * Returns a value as a rate or as an average of snapshots; returns the sum if the time is unknown.
 */
export function perSecond(
  value: bigint,
  { kind, delta }: Measure,
  { seconds, snapshots }: Coverage,
): number {
  const rate = Number(value) / ((delta ? seconds : snapshots) || 1);
  return delta && (kind === 'cpu' || kind === 'wait') ? rate / 1e9 : rate;
}
