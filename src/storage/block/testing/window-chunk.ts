// Sums profiles over windows of time in the simplest way, for tests of rollups.
import type { ChunkInput } from '../../chunk/chunk-data.ts';

interface WindowRow {
  readonly stack: number;
  readonly labels: number;
  readonly values: bigint[];
}

/**
 * Returns one "profile" for each window of `seconds` that has profiles, which must share one
 * period.
 */
export function windowChunk(input: ChunkInput, seconds: number): ChunkInput {
  const nanos = BigInt(seconds) * 1_000_000_000n;
  const windows = new Map<bigint, Map<string, WindowRow>>();
  for (let i = 0; i < input.profileCount; i += 1) {
    const start = (input.timeNanos[i] / nanos) * nanos;
    const rows = windows.get(start) ?? new Map<string, WindowRow>();
    windows.set(start, rows);
    for (let row = input.rowStart[i]; row < input.rowStart[i + 1]; row += 1) {
      const labels = input.sampleLabels?.[row] ?? 0;
      const key = `${input.stacks[row]} ${labels}`;
      const known = rows.get(key) ?? {
        stack: input.stacks[row],
        labels,
        values: input.values.map(() => 0n),
      };
      rows.set(key, known);
      for (const [valueColumn, values] of input.values.entries())
        known.values[valueColumn] += values[row];
    }
  }
  const rows = [...windows.values()].map((window) => [...window.values()]);
  const all = rows.flat();
  const rowStart = new Uint32Array(rows.length + 1);
  for (const [i, window] of rows.entries()) rowStart[i + 1] = rowStart[i] + window.length;
  return {
    profileCount: rows.length,
    timeNanos: BigInt64Array.from(windows.keys()),
    durationNanos: new BigInt64Array(rows.length),
    period: new BigInt64Array(rows.length).fill(input.period[0]),
    contentHash: undefined,
    rowStart,
    stacks: Uint32Array.from(all, ({ stack }) => stack),
    sampleLabels: input.sampleLabels && Uint32Array.from(all, ({ labels }) => labels),
    values: input.values.map((_, valueColumn) =>
      BigInt64Array.from(all, ({ values }) => BigInt.asIntN(64, values[valueColumn])),
    ),
  };
}
