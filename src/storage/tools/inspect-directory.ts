// Describes a data directory: its files, its blocks and its profile types.
import { errorMessage } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import { labelSetKey, type LabelSet } from '../../model/labels.ts';
import { formatProfileType, type ProfileType } from '../../model/profile-type.ts';
import type { Block } from '../block/block.ts';
import { readDeletions } from '../files/deletions.ts';
import { readMeta } from '../files/meta.ts';
import { openBlockAlone } from './open-block.ts';
import { readSegmentHeader, segmentHeaderBytes, segmentSequence } from '../wal/format.ts';
import { parseBlockId, blocksFolder, joinBlocksPath } from '../files/block-names.ts';

interface InspectedBlock {
  readonly id: string;
  readonly level: number;
  /** Range that contains the times of the block's profiles. */
  readonly from: bigint;
  readonly to: bigint;
  readonly profiles: number;
  readonly rows: number;
  readonly streams: number;
  readonly bytes: number;
  readonly epoch: number;
  readonly sources: readonly string[];
  /** Number of deletions that have not been applied yet. */
  readonly deletions: number;
}

interface InspectedSegment {
  readonly name: string;
  /** Undefined when the header is damaged. */
  readonly epoch: number | undefined;
  readonly bytes: number;
}

/** Profiles of one label set and profile type, or all profiles of one type. */
export interface InspectedSeries {
  readonly profileType: ProfileType;
  /** Labels of the series; empty for all profiles of a type. */
  readonly labels: LabelSet;
  profiles: number;
  rows: number;
}

export interface InspectedDirectory {
  readonly version: number | undefined;
  readonly createdNanos: bigint | undefined;
  /** Blocks in order of time. */
  readonly blocks: readonly InspectedBlock[];
  readonly segments: readonly InspectedSegment[];
  /** Profile types in the blocks, starting with the type that has the most rows. */
  readonly types: readonly InspectedSeries[];
  /** Largest series in the blocks, starting with the series that has the most rows. */
  readonly series: readonly InspectedSeries[];
  readonly seriesCount: number;
  /** One sentence for each file that cannot be read. */
  readonly unreadable: readonly string[];
}

/** Describes a directory without changing it. Reads only the indexes of the blocks. */
export async function inspectDirectory(
  files: Files,
  storagePath: string,
  seriesMax: number,
): Promise<InspectedDirectory> {
  const meta = await readMeta(files, storagePath);
  const blocks: InspectedBlock[] = [];
  const unreadable: string[] = [];
  const types = new Map<string, InspectedSeries>();
  const series = new Map<string, InspectedSeries>();
  for (const name of await files.listFiles(joinBlocksPath(storagePath))) {
    if (parseBlockId(name) === undefined) continue;
    try {
      const path = `${joinBlocksPath(storagePath)}/${name}`;
      const deletions = await readDeletions(files, path);
      const block = await openBlockAlone(files, path);
      try {
        blocks.push({ ...describe(block), deletions: deletions.length });
        await countSeries(block, types, series, unreadable);
      } finally {
        await block.close();
      }
    } catch (error) {
      unreadable.push(`${blocksFolder}/${name}: ${errorMessage(error)}`);
    }
  }
  const byRows = (all: ReadonlyMap<string, InspectedSeries>): InspectedSeries[] =>
    [...all.values()].sort((a, b) => b.rows - a.rows);
  return {
    version: meta?.version,
    createdNanos: meta?.createdNanos,
    blocks: blocks.sort((a, b) => (a.from < b.from ? -1 : 1)),
    segments: await inspectSegments(files, `${storagePath}/wal`),
    types: byRows(types),
    series: byRows(series).slice(0, seriesMax),
    seriesCount: series.size,
    unreadable,
  };
}

function describe(block: Block): Omit<InspectedBlock, 'deletions'> {
  const { facts, fileBytes } = block;
  return {
    id: facts.id,
    level: facts.level,
    from: facts.minNanos,
    to: facts.maxNanos,
    profiles: facts.profileCount,
    rows: facts.rowCount,
    streams: facts.streamCount,
    bytes: fileBytes,
    epoch: facts.epoch,
    sources: facts.sources,
  };
}

async function countSeries(
  block: Block,
  types: Map<string, InspectedSeries>,
  series: Map<string, InspectedSeries>,
  unreadable: string[],
): Promise<void> {
  const range = { from: -(2n ** 63n), to: 2n ** 63n - 1n };
  const query = { matchers: [], profileType: undefined, range };
  const note = (sentence: string): void => void unreadable.push(sentence);
  for (const { labels, profileType, slices } of await block.select(query, 0, note)) {
    const type = formatProfileType(profileType);
    const ofType = entry(types, type, profileType, []);
    const ofSeries = entry(series, type + labelSetKey(labels), profileType, labels);
    for (const slice of slices) {
      const { profileCount, rowCount } = slice.digest();
      for (const sum of [ofType, ofSeries]) {
        sum.profiles += profileCount;
        sum.rows += rowCount;
      }
    }
  }
}

function entry(
  of: Map<string, InspectedSeries>,
  key: string,
  profileType: ProfileType,
  labels: LabelSet,
): InspectedSeries {
  const known = of.get(key);
  if (known !== undefined) return known;
  const added = { profileType, labels, profiles: 0, rows: 0 };
  of.set(key, added);
  return added;
}

async function inspectSegments(files: Files, directory: string): Promise<InspectedSegment[]> {
  const segments: InspectedSegment[] = [];
  for (const name of await files.listFiles(directory)) {
    if (segmentSequence(name) === undefined) continue;
    const file = await files.open(`${directory}/${name}`, { create: false });
    try {
      const bytes = new Uint8Array(segmentHeaderBytes);
      const length = await file.read(bytes, 0);
      const header = readSegmentHeader(bytes.subarray(0, length));
      segments.push({ name, epoch: header?.epoch, bytes: await file.size() });
    } finally {
      await file.close();
    }
  }
  return segments;
}
