// Profiles of many series, for memory benchmarks.
import type { Label } from '../../src/model/labels.ts';
import type { IncomingProfile } from '../../src/storage/interface.ts';

const cpu = { type: 'cpu', unit: 'nanoseconds' };
const samples = { type: 'samples', unit: 'count' };
const sampleTypes = [cpu, samples];

/** Creates a profile with `rows` rows of stacks 1, 2, ..., and `valueColumns` values each. */
export function makeProfile(
  i: number,
  labels: readonly Label[],
  rows: number,
  valueColumns: number,
): IncomingProfile {
  return {
    labels,
    name: 'process_cpu',
    sampleTypes: sampleTypes.slice(0, valueColumns),
    periodType: cpu,
    period: 1n,
    timeNanos: BigInt(i) * 1_000_000n,
    durationNanos: 10_000_000_000n,
    rowCount: rows,
    stacks: Uint32Array.from({ length: rows }, (_, row) => row + 1),
    values: Array.from({ length: valueColumns }, () => new BigInt64Array(rows).fill(BigInt(i))),
    sampleLabels: undefined,
    contentHash: BigInt(i),
  };
}

/** Returns labels; one of them is different in each series. */
export function labelsOfSeries(i: number): Label[] {
  return [
    { name: 'cluster', value: `cluster-${i % 3}` },
    { name: 'instance', value: `frontend-7f9c6d5b8-${i}` },
    { name: 'job', value: `job-${i % 100}` },
    { name: 'namespace', value: `namespace-${i % 70}` },
    { name: 'node', value: `node-${i % 1000}` },
  ];
}
