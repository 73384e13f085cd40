// Decides whether a server has passed an attack, and formats tables of trials.
import { boxBytes, type Trial } from './arena.ts';
import type { ProbeTimes } from './prober.ts';
import { type ProbeName, probeNames } from './probes.ts';

/**
 * Limit for the 99th percentile of each probe in milliseconds. It does not apply to a probe that is
 * as slow without an attack.
 */
const millisMax: Readonly<Record<ProbeName, number>> = { ready: 50, push: 200, question: 500 };
/** Factor by which a probe may be slower than without an attack. */
const timesMax = 4;

/** Strictness about times. */
export interface Strictness {
  /** True if time spent waiting for a core counts, although other processes cause it, too. */
  readonly countsWaits: boolean;
  /** Factor that is applied to all time limits. */
  readonly slack: number;
  /** True if the server may tell the normal client to try again later. */
  readonly allowsRefusals?: boolean;
}

/** Returns sentences that say what is wrong; none if the server has passed. */
export function findFaults(trial: Trial, strictness: Strictness): string[] {
  const { countsWaits, slack, allowsRefusals = false } = strictness;
  const faults: string[] = [];
  if (trial.ended !== undefined) faults.push(`the server ended: ${trial.ended}`);
  if (trial.kills > 0) faults.push(`${trial.kills} processes were killed for their memory`);
  if (trial.peak > boxBytes) faults.push(`memory reached ${megabytes(trial.peak)} MB`);
  for (const name of probeNames) {
    const { baseline, under } = trial;
    const times = (of: ProbeTimes): readonly number[] => (countsWaits ? of.wall : of.own);
    const limit =
      slack * Math.max(millisMax[name], timesMax * percentile(times(baseline[name]), 99));
    const seen = percentile(times(under[name]), 99);
    if (seen > limit) faults.push(`${name} p99 ${seen.toFixed(0)} > ${limit.toFixed(0)} ms`);
    const failures = under[name].failures.filter(
      (failure) => !allowsRefusals || !failure.startsWith('429 '),
    );
    if (failures.length > 0) faults.push(`${failures.length} of ${name} failed: ${failures[0]}`);
  }
  if (!trial.isSettled) {
    const growth = (100 * (trial.after / trial.before - 1)).toFixed(0);
    faults.push(`memory +${growth} % after ${(trial.settledMillis / 1_000).toFixed(0)} s`);
  }
  return faults;
}

/** Returns the value that `percent` of the values do not exceed; 0 if there are no values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0;
}

/** A line of a table, or of a file of results. */
export interface Row {
  readonly attack: string;
  /** Times of each probe in milliseconds, with and without waits for a core. */
  readonly times: Readonly<Record<ProbeName, Readonly<Record<'half' | 'most' | 'own', number>>>>;
  /** Resident megabytes before the attack, at the peak, and at the end. */
  readonly megabytes: readonly number[];
  /** Seconds until memory had shrunk, or until the longest wait was over. */
  readonly settled: number;
  readonly cores: number;
  readonly faults: readonly string[];
}

/** Makes the row of a trial. */
export function makeRow(trial: Trial, faults: readonly string[]): Row {
  const { attack, under, before, peak, after } = trial;
  const times = ({ wall, own }: ProbeTimes): Row['times'][ProbeName] => ({
    half: Math.round(percentile(wall, 50)),
    most: Math.round(percentile(wall, 99)),
    own: Math.round(percentile(own, 99)),
  });
  return {
    attack,
    times: {
      ready: times(under.ready),
      push: times(under.push),
      question: times(under.question),
    },
    megabytes: [before, peak, after].map((bytes) => Number(megabytes(bytes))),
    settled: Math.round(trial.settledMillis / 1_000),
    cores: Number(trial.cores.toFixed(1)),
    faults,
  };
}

/** Makes the row of an attack that could not be tried. */
export function failedRow(attack: string, failure: string): Row {
  const none = { half: 0, most: 0, own: 0 };
  const times = { ready: none, push: none, question: none };
  return { attack, times, megabytes: [0, 0, 0], settled: 0, cores: 0, faults: [failure] };
}

/** Returns the header of a table of rows. */
export function tableHead(): string {
  const names = [
    'attack',
    ...probeNames.map((name) => `${name} p50/p99`),
    'MB before/peak/after',
    'back after',
    'cores',
    'result',
  ];
  return `| ${names.join(' | ')} |\n|${' --- |'.repeat(names.length)}`;
}

/**
 * Returns a line of a table; the number in brackets is the 99th percentile without waits for a
 * core.
 */
export function tableLine({ attack, times, megabytes, settled, cores, faults }: Row): string {
  const cells = [
    attack,
    ...probeNames.map((name) => `${times[name].half}/${times[name].most} (${times[name].own})`),
    megabytes.join('/'),
    `${settled} s`,
    String(cores),
    faults.length === 0 ? 'pass' : `FAIL: ${faults.join('; ')}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}
