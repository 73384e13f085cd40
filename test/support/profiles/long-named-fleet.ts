// Makes profiles of a fleet of programs with different sampling periods and long function names.
import { cpuProfile, gzippedPprof, type TestProfile } from './pprof-builder.ts';

/** CPU time of the fleet. */
export const fleetCpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
/** Memory in use, which is a state. */
export const fleetHeapType = 'memory:inuse_space:bytes:space:bytes';

/** Waiting time since the start of a program, which is a counter. */
export const fleetWaitType = 'mutex:delay:nanoseconds:contentions:count';

/** CPU time of many small programs, one profile each. */
export const sidecarType = 'sidecar:cpu:nanoseconds:cpu:nanoseconds:delta';
const sidecarCount = 24;

/** Number of stacks of each profile. */
export const stacksEach = 160;

/** Programs, the milliseconds between their samples, and the seconds between their profiles. */
export const fleetJobs = [
  { job: 'gateway', periodMillis: 10n, everySeconds: 10, samplesEach: 3n },
  { job: 'coordinator', periodMillis: 1n, everySeconds: 10, samplesEach: 37n },
  { job: 'compactor', periodMillis: 40n, everySeconds: 20, samplesEach: 1n },
] as const;

const organisation = 'github.com/examplecorp-platform/observability-pipeline/internal';
const packages = ['ingestgateway', 'querycoordinator', 'storagecompactor1', 'storagecompactor2'];
const types = ['TenantSeriesShardAllocator', 'WriteAheadLogSegmentReader', 'QueryPlanner'];
const methods = [
  'AllocateShardForTenantSeries',
  'AllocateShardForTenantSeries.func1',
  'ReadSegmentWithChecksum',
  'ReadSegmentWithoutChecksum',
];

/** Names of all functions. Most have more than 80 characters, and have the same starts and ends. */
export const fleetFunctions: readonly string[] = packages.flatMap((pack) =>
  types.flatMap((type) =>
    methods.map((method) => `${organisation}/${pack}/v2.(*${type}[go.shape.string]).${method}`),
  ),
);

/** Returns stacks that differ between profiles; there are far more than a graph has pixels. */
function makeStacks(seed: number): string[] {
  return Array.from({ length: stacksEach }, (_, i) => {
    let state = seed * 1_000 + i;
    const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
    const frames = Array.from({ length: 2 + (i % 4) }, () => {
      return fleetFunctions[(next() >>> 8) % fleetFunctions.length];
    });
    return ['main.main', ...frames].join(';');
  });
}

/**
 * Pushes two minutes of the fleet's profiles from `startMillis` on. Each program has two pods with
 * profiles at different times.
 */
export async function pushFleet(url: string, startMillis: number): Promise<void> {
  const series: Series[] = [];
  for (const [seed, { job, periodMillis, everySeconds, samplesEach }] of fleetJobs.entries()) {
    for (const [offset, pod] of ['ax2kq', 'bw8zp'].entries()) {
      const labels = { job, pod: `${job}-7d9c5f6b8-${pod}` };
      for (let second = 0; second < 120; second += everySeconds) {
        const millis = startMillis + second * 1_000 + offset * 3_000;
        const period = periodMillis * 1_000_000n;
        const samples = makeStacks(seed + offset + second / 10).map(
          (stack, i): [string, bigint] => [stack, samplesEach + BigInt(i % 5)],
        );
        const times = { timeNanos: BigInt(millis) * 1_000_000n, durationNanos: 10_000_000_000n };
        const cpu: TestProfile = {
          ...cpuProfile({ ...times, samples: [] }),
          period,
          samples: samples.map(([stack, count]) => [stack, count, count * period]),
        };
        const heap: TestProfile = {
          ...cpu,
          sampleTypes: [['inuse_space', 'bytes']],
          periodType: ['space', 'bytes'],
          period: 524_288n,
          durationNanos: 0n,
          samples: samples.map(([stack, count]) => [stack, count * 65_536n]),
        };
        const wait: TestProfile = {
          ...cpu,
          sampleTypes: [['delay', 'nanoseconds']],
          periodType: ['contentions', 'count'],
          period: 1n,
          durationNanos: 0n,
          samples: makeStacks(seed + offset).map((stack, i) => [
            stack,
            3_600_000_000_000n + BigInt((i % 5) + 1) * BigInt(second) * 1_000_000n,
          ]),
        };
        series.push(encodeSeries({ __name__: 'process_cpu', ...labels }, cpu));
        series.push(encodeSeries({ __name__: 'mutex', ...labels }, wait));
        series.push(encodeSeries({ __name__: 'memory', ...labels }, heap));
      }
    }
  }
  for (let pod = 0; pod < sidecarCount; pod += 1) {
    const timeNanos = BigInt(startMillis) * 1_000_000n;
    const profile = cpuProfile({ timeNanos, samples: [['main.main', BigInt(10 + pod)]] });
    series.push(encodeSeries({ __name__: 'sidecar', pod: `sidecar-${pod}` }, profile));
  }
  await push(url, series);
}

/** Pushes one CPU profile. */
export function pushCpu(
  url: string,
  job: string,
  samples: readonly (readonly [string, bigint])[],
  atMillis: number,
): Promise<void> {
  const timeNanos = BigInt(atMillis) * 1_000_000n;
  return push(url, [
    encodeSeries({ __name__: 'process_cpu', job }, cpuProfile({ timeNanos, samples })),
  ]);
}

/** A series of a write request, with one profile. */
interface Series {
  readonly labels: {
    readonly labels: readonly { readonly name: string; readonly value: string }[];
  };
  readonly samples: readonly { readonly rawProfile: string }[];
}

function encodeSeries(labels: Readonly<Record<string, string>>, profile: TestProfile): Series {
  const rawProfile = gzippedPprof(profile).toString('base64');
  const set = Object.entries(labels).map(([name, value]) => ({ name, value }));
  return { labels: { labels: set }, samples: [{ rawProfile }] };
}

async function push(url: string, series: readonly Series[]): Promise<void> {
  const response = await fetch(`${url}/api/profiles/writeraw`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ series, normalized: true }),
  });
  if (!response.ok) throw new Error(`cannot push: ${await response.text()}`);
}
