// Creates chunks for the fleet, each with the profiles of one series. They have the format in which
// a block's writer passes chunks to the encoder.
import { randomBelow, seededRandom } from '../../src/base/random.ts';
import type { ChunkInput } from '../../src/storage/chunk/chunk-data.ts';
import { drawSamples } from './fleet.ts';
import { zipfSampler } from './zipf.ts';

export interface FleetChunks {
  readonly chunks: readonly ChunkInput[];
  readonly rowCount: number;
  /** One more than the largest stack number. */
  readonly stackCount: number;
}

const programs = 20;
const stacksPerProgram = 2_500;
const periodNanos = 10_000_000n;

/**
 * Creates CPU profiles with counts and nanoseconds: one every ten seconds, for two hours per
 * series. The series take turns, and stacks are numbered in the order of their first use. Times and
 * durations vary by up to 2 ms.
 */
export function generateChunks(series: number, profilesPerChunk = 720): FleetChunks {
  const random = seededRandom(1);
  const draw = zipfSampler(random, stacksPerProgram, 1.05);
  const numbers = new Map<number, number>();
  const samples: [number, number][][][] = Array.from({ length: series }, () => []);
  for (let round = 0; round < profilesPerChunk; round += 1) {
    for (let row = 0; row < series; row += 1) {
      const first = (row % programs) * stacksPerProgram;
      const profile: [number, number][] = [];
      for (const [stack, count] of drawSamples(random, draw)) {
        const number = numbers.get(first + stack) ?? numbers.size + 1;
        numbers.set(first + stack, number);
        profile.push([number, count]);
      }
      samples[row].push(profile);
    }
  }
  const jitter = (): bigint => BigInt(randomBelow(random, 2_000_000));
  const chunks = samples.map((profiles): ChunkInput => {
    const rows = profiles.flat();
    const rowStart = new Uint32Array(profiles.length + 1);
    for (const [i, profile] of profiles.entries()) rowStart[i + 1] = rowStart[i] + profile.length;
    const start = 1_760_000_000_000_000_000n + BigInt(randomBelow(random, 1e9)) * 10n;
    return {
      profileCount: profiles.length,
      timeNanos: BigInt64Array.from(
        profiles,
        (_, i) => start + BigInt(i) * 10_000_000_000n + jitter(),
      ),
      durationNanos: BigInt64Array.from(profiles, () => 10_000_000_000n + jitter()),
      period: new BigInt64Array(profiles.length).fill(periodNanos),
      contentHash: undefined,
      rowStart,
      stacks: Uint32Array.from(rows, ([stack]) => stack),
      sampleLabels: undefined,
      values: [
        BigInt64Array.from(rows, ([, count]) => BigInt(count)),
        BigInt64Array.from(rows, ([, count]) => BigInt(count) * periodNanos),
      ],
    };
  });
  const rowCount = chunks.reduce((sum, { rowStart }) => sum + rowStart[rowStart.length - 1], 0);
  return { chunks, rowCount, stackCount: numbers.size + 1 };
}
