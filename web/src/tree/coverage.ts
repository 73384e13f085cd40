// Reads the coverage in an answer: time, snapshots and samples.
import type { Coverage } from '../format/measure.ts';

export function readCoverage({
  coveredNanos,
  snapshots,
  sampleCount,
  period,
}: {
  readonly coveredNanos: bigint;
  readonly snapshots: number;
  readonly sampleCount: bigint;
  readonly period: bigint;
}): Coverage {
  return {
    seconds: Number(coveredNanos) / 1e9,
    snapshots,
    samples: Number(sampleCount),
    period: Number(period),
  };
}
