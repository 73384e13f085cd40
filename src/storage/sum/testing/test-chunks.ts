// Encodes profiles of a test store into chunks like the chunks of a block.
import { encodeChunk } from '../../chunk/encode-chunk.ts';
import type { ChunkInput } from '../../chunk/chunk-data.ts';
import type { ChunkRows } from '../../selection.ts';

/** The fields of a stored profile that are written to a chunk. */
export interface ChunkedProfile {
  readonly timeNanos: bigint;
  readonly durationNanos?: bigint;
  readonly period?: bigint;
  readonly stacks: readonly number[];
  readonly values: readonly bigint[];
  readonly sampleLabels: readonly number[];
}

/**
 * Returns chunks of at most `size` profiles, in order of time. The values are in value column 1. If
 * `isWhole`, every other chunk contains only its own profiles, and its rows are left out. All other
 * chunks have rows, and also contain the profile before and the profile after their own.
 */
export function cutIntoChunks(
  profiles: readonly ChunkedProfile[],
  size: number,
  isWhole: boolean,
): ChunkRows[] {
  const chunks: ChunkRows[] = [];
  let from = 0;
  for (let i = 1; i <= profiles.length; i += 1) {
    const isLast = i === profiles.length;
    const isCut =
      isLast || i - from >= size || readPeriod(profiles[i]) !== readPeriod(profiles[from]);
    if (!isCut) continue;
    chunks.push(makeChunk(profiles, from, i, isWhole && chunks.length % 2 === 0));
    from = i;
  }
  return chunks;
}

function readPeriod({ period }: ChunkedProfile): bigint {
  return period ?? 0n;
}

function makeChunk(
  profiles: readonly ChunkedProfile[],
  from: number,
  to: number,
  isAlone: boolean,
): ChunkRows {
  // A chunk whose rows are read also contains the profile before and the profile after its own,
  // which must not be read.
  const first = isAlone ? from : Math.max(0, from - 1);
  const end = isAlone ? to : Math.min(profiles.length, to + 1);
  const encoded = encodeChunk(chunkInput(profiles.slice(first, end)));
  const own = profiles.slice(from, to);
  return {
    kind: 'chunk',
    chunk: {
      stacks: sharedCopy(encoded.stacks),
      rows: isAlone ? undefined : sharedCopy(encoded.rows),
    },
    valueColumn: 1,
    first: from - first,
    end: to - first,
    rowCount: own.reduce((sum, { stacks }) => sum + stacks.length, 0),
    period: readPeriod(profiles[from]),
  };
}

function chunkInput(profiles: readonly ChunkedProfile[]): ChunkInput {
  const rowStart = [0];
  for (const { stacks } of profiles) rowStart.push((rowStart.at(-1) ?? 0) + stacks.length);
  const values = BigInt64Array.from(profiles.flatMap((profile) => profile.values));
  const labels = Uint32Array.from(profiles.flatMap(({ sampleLabels }) => sampleLabels));
  return {
    profileCount: profiles.length,
    timeNanos: BigInt64Array.from(profiles, ({ timeNanos }) => timeNanos),
    durationNanos: BigInt64Array.from(profiles, ({ durationNanos }) => durationNanos ?? 0n),
    period: BigInt64Array.from(profiles, readPeriod),
    contentHash: undefined,
    rowStart: Uint32Array.from(rowStart),
    stacks: Uint32Array.from(profiles.flatMap(({ stacks }) => stacks)),
    sampleLabels: labels.some(Boolean) ? labels : undefined,
    // Value column 0 is another sample type, which must not be read.
    values: [values.map(() => -77n), values],
  };
}

function sharedCopy(bytes: Uint8Array): Uint8Array<SharedArrayBuffer> {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}
