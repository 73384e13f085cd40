// A store in memory: a head without a log, for tools that read profile files.
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import { rowSegmentBytes } from '../limits.ts';
import type { Random } from '../../base/random.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { HeadAppender } from '../store/appender.ts';
import { Head } from '../head/head.ts';
import type { Storage } from '../interface.ts';
import { PartList } from '../store/part-list.ts';
import type { Part } from '../part.ts';
import { PartsQuerier } from '../store/parts-querier.ts';
import type { MergePool } from '../sum/merge-pool.ts';
import { SumQuerier } from '../sum/sum-querier.ts';
import type { PendingProfile } from '../wal/profiles-record.ts';
import { HeadPart } from '../head/head-part.ts';

/** The methods of a store that tools need. */
type MemoryStore = Pick<Storage, 'appender' | 'querier' | 'close'>;

/**
 * Creates an empty store. Committed profiles are visible immediately but not durable. If there is a
 * `mergePool`, large merges use it, and the store closes it.
 */
export function createMemoryStore(random: Random, mergePool?: MergePool): MemoryStore {
  const seed = (): number => random.uint32() | 0;
  const head = new Head(new Dictionary([seed(), seed(), seed()]), rowSegmentBytes);
  const parts = new PartList<Part>();
  parts.addHead(new HeadPart('memory', head));
  const scratch = new ByteWriter();
  const commit = async (profiles: readonly PendingProfile[]): Promise<void> => {
    // The reader skips the length prefix of the profile, which is four bytes.
    for (const { bytes } of profiles) head.apply(new ByteReader(bytes, 4));
  };
  const series = new PartsQuerier({ parts, onMissing: () => undefined });
  return {
    appender: () => new HeadAppender(head, scratch, commit),
    querier: new SumQuerier(series, mergePool),
    close: async () => mergePool?.close(),
  };
}
