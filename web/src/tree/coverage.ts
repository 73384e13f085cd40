// What a total is made of, from an answer of the server.
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
