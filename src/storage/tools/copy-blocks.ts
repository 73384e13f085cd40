// Copies the profiles of blocks to another store.
import type { Block } from '../block/block.ts';
import type { ChunkInput } from '../chunk/chunk-data.ts';
import type { IncomingProfile, Storage } from '../interface.ts';
import type { StreamKey } from '../series/stream-key.ts';
import { type CopiedProfiles, copyProfiles } from './copy-profiles.ts';
import { sumValues } from './expected-totals.ts';

/**
 * Copies all profiles of a block except deleted profiles. Reports data that cannot be read.
 *
 * Errors: as in copyProfiles; AppError 'data-loss' if symbols cannot be read.
 */
export async function copyBlock(
  block: Block,
  target: Pick<Storage, 'appender' | 'querier'>,
): Promise<CopiedProfiles> {
  const { range, id } = block;
  if (range === undefined) return { profileCount: 0, rowCount: 0, missing: [] };
  const lost: string[] = [];
  const profiles = blockProfiles(block, (sentence) => lost.push(sentence));
  const dictionary = await block.dictionary();
  const copied = await copyProfiles({ name: `block ${id}`, range, dictionary, profiles }, target);
  return { ...copied, missing: [...lost, ...copied.missing] };
}

/** Yields all profiles except deleted ones. */
export async function* blockProfiles(
  block: Block,
  onMissing: (sentence: string) => void,
): AsyncGenerator<IncomingProfile> {
  for await (const stream of block.streams(onMissing)) {
    for await (const chunk of stream.chunks()) {
      for (let i = 0; i < chunk.profileCount; i += 1) yield toProfile(stream.key, chunk, i);
    }
  }
}

function toProfile(
  { labels, name, sampleTypes, periodType }: StreamKey,
  chunk: ChunkInput,
  i: number,
): IncomingProfile {
  const [first, end] = [chunk.rowStart[i], chunk.rowStart[i + 1]];
  const values = chunk.values.map((column) => column.slice(first, end));
  return {
    labels,
    name,
    sampleTypes,
    periodType,
    values,
    period: chunk.period[i],
    timeNanos: chunk.timeNanos[i],
    durationNanos: chunk.durationNanos[i],
    rowCount: end - first,
    stacks: chunk.stacks.slice(first, end),
    sampleLabels: chunk.sampleLabels?.slice(first, end),
    // Old blocks contain no hashes. The hash is computed, because all copies of a profile must have
    // the same hash.
    contentHash: BigInt(chunk.contentHash?.[i] ?? 0) || hashContent(values, chunk.durationNanos[i]),
  };
}

/** Returns a hash of a profile's values that does not depend on the order of its rows. */
function hashContent(values: readonly BigInt64Array[], durationNanos: bigint): bigint {
  let content = durationNanos;
  for (const column of values) {
    content = content * 31n + sumValues(column);
    content = content * 31n + sumValues(column.map((value) => value * value));
  }
  return BigInt.asIntN(64, content);
}
