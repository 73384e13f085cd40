// Coverage of an answer: the time, snapshots and samples that its total is made of.
import type { Coverage } from '../format/measure.ts';

export function coverageOf({
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
