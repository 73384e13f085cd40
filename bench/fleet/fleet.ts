// The generated fleet: 20 programs on many hosts, as pprof uploads with known totals.
//
// A profile has about 100 samples of 32 frames, 850 locations, symbols and build ids. It is 100 KB,
// or 41 to 46 KB gzipped. The same seed always gives the same bytes.
import { gzipSync } from 'node:zlib';
import { type Random, seededRandom } from '../../src/base/random.ts';
import { createUniverse, type FleetProgram, type Universe } from './universe.ts';
import { writeCpuProfile } from './write-profile.ts';
import { zipfSampler } from './zipf.ts';

export interface FleetOptions {
  readonly seed?: number;
  readonly series?: number;
  readonly profilesPerSeries?: number;
  /** Time of the first round; each round is one interval later than the previous round. */
  readonly startNanos?: bigint;
  readonly intervalNanos?: bigint;
}

/** An upload of the fleet. */
export interface FleetProfile {
  /** Labels without `__name__`. */
  readonly labels: readonly { readonly name: string; readonly value: string }[];
  readonly name: string;
  readonly gzipped: Uint8Array;
  readonly plain: Uint8Array;
  /** Number of the series. The profiles of a series are ordered by time. */
  readonly series: number;
  readonly timeNanos: bigint;
  readonly rowCount: number;
  /** Sums of both value types: samples/count and cpu/nanoseconds. */
  readonly totals: readonly [bigint, bigint];
}

export const fleetDefaults = {
  seed: 1,
  series: 1_000,
  profilesPerSeries: 10,
  startNanos: 1_760_000_000_000_000_000n,
  intervalNanos: 10_000_000_000n,
} as const;

/** Nanoseconds between two samples of a CPU. */
const periodNanos = 10_000_000n;

/** Yields the fleet round by round: every series once, then every series again. */
export function* generateFleet(options: FleetOptions = {}): Generator<FleetProfile> {
  const { seed, series, profilesPerSeries, startNanos, intervalNanos } = {
    ...fleetDefaults,
    ...options,
  };
  const random = seededRandom(seed);
  const universe = createUniverse(random);
  const draw = zipfSampler(random, universe.programs[0].stacks.length, 1.05);
  for (let round = 0; round < profilesPerSeries; round += 1) {
    const timeNanos = startNanos + BigInt(round) * intervalNanos;
    for (let row = 0; row < series; row += 1) {
      yield createProfile(universe, row, timeNanos, intervalNanos, random, draw);
    }
  }
}

/** Draws the number of rows in a profile: log-normal between 20 and 400, mean 103. */
function drawRowCount(random: Random): number {
  const u = (random.uint32() + 1) / 2 ** 32;
  const normal = Math.sqrt(-2 * Math.log(u)) * Math.cos((2 * Math.PI * random.uint32()) / 2 ** 32);
  return Math.round(Math.min(400, Math.max(20, Math.exp(4.47 + 0.55 * normal))));
}

/** Draws distinct stacks, each with its number of samples. */
export function drawSamples(random: Random, draw: () => number): Map<number, number> {
  const rows = drawRowCount(random);
  const counts = new Map<number, number>();
  while (counts.size < rows) {
    const stack = draw();
    counts.set(stack, (counts.get(stack) ?? 0) + 1);
  }
  return counts;
}

function createProfile(
  universe: Universe,
  row: number,
  timeNanos: bigint,
  durationNanos: bigint,
  random: Random,
  draw: () => number,
): FleetProfile {
  const service = row % universe.programs.length;
  const program: FleetProgram = universe.programs[service];
  const counts = drawSamples(random, draw);
  const plain = writeCpuProfile(universe.runtime, program, counts, {
    timeNanos,
    durationNanos,
    periodNanos,
  });
  let total = 0n;
  for (const count of counts.values()) total += BigInt(count);
  return {
    labels: [
      { name: 'instance', value: `10.0.${row >> 8}.${row & 255}:7070` },
      { name: 'job', value: `service-${service}` },
      { name: 'namespace', value: `team-${service % 5}` },
      { name: 'region', value: ['eu-west', 'us-east', 'ap-south'][row % 3] },
    ],
    name: 'process_cpu',
    // Go compresses its profiles with the fastest level.
    gzipped: gzipSync(plain, { level: 1 }),
    plain,
    series: row,
    timeNanos,
    rowCount: counts.size,
    totals: [total, total * periodNanos],
  };
}
