// Verifies a complete block: all checksums are right, and everything can be decoded and is
// consistent.
import { AppError, errorMessage } from '../../base/errors.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { decodeSampleTimes } from '../../model/profiles/sample-times-codec.ts';
import { decodeRows } from '../chunk/decode-rows.ts';
import type { BlockContent } from './block-content.ts';
import { headerBytes, isHeader } from './block-facts.ts';
import { BlockSearch } from './block-search.ts';
import { sectionKinds, type ChunkEntry } from './index/chunk-entry.ts';
import type { Piece } from './bytes/piece.ts';
import { allRefs } from './index/posting-lists.ts';

/** A damaged part of a block file. */
export interface BlockDamage {
  /** Offset in the file, in bytes. */
  readonly offset: number;
  readonly what: string;
}

/** Finds all damage of a block whose footer can be read. */
export async function verifyBlock(content: BlockContent): Promise<BlockDamage[]> {
  const findings: BlockDamage[] = [];
  const attempt = async (offset: number, check: () => Promise<void>): Promise<void> => {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      findings.push({ offset, what: errorMessage(error) });
    }
  };
  const { file } = content;
  await attempt(0, async () => {
    if (isHeader(await file.readBytes(0, headerBytes))) return;
    throw new AppError('data-loss', 'cannot read header: it is not a block');
  });
  for (const piece of file.tables.symbols.flat()) {
    await attempt(piece.offset, async () => void (await file.readPiece(piece)));
  }
  const tables = [file.tables.directory, file.tables.pages];
  for (const piece of tables.flat()) {
    await attempt(piece.offset, async () => void (await file.readPiece(piece)));
  }
  await attempt(0, async () => {
    for (const piece of await pagePieces(content)) {
      await attempt(piece.offset, async () => void (await file.readPiece(piece)));
    }
  });
  await attempt(0, async () => {
    for (const piece of await indexPieces(content)) {
      await attempt(piece.offset, async () => void (await file.readPiece(piece)));
    }
  });
  // Streams are read only if all checksums are right: a wrong checksum already explains further
  // damage.
  if (findings.length === 0) await attempt(0, () => verifyStreams(content, attempt));
  return findings;
}

function ignore(): undefined {
  // This thread has no other work to pause for.
}

async function pagePieces(content: BlockContent): Promise<Piece[]> {
  return (await content.pages()).flat();
}

async function indexPieces(content: BlockContent): Promise<Piece[]> {
  const { shapes, labels, sampleNames, groups } = await content.directory();
  const pieces = shapes.flatMap(({ postings }) => postings);
  for (let label = 0; label < labels.length; label += 1) {
    pieces.push(...labels.values(label), ...labels.postings(label));
  }
  for (const postings of sampleNames.values()) pieces.push(...postings);
  for (const group of groups) pieces.push(group);
  return pieces;
}

async function verifyStreams(
  content: BlockContent,
  attempt: (offset: number, check: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const dictionary = await content.dictionary();
  const noteMissing = (sentence: string): void => {
    throw new AppError('data-loss', sentence);
  };
  const search = await BlockSearch.begin({ content, deletions: [], noteMissing, pause: ignore });
  const { streamCount, shapes, labels, sampleNames } = search.directory;
  for (const shape of shapes.keys()) await search.labels.ofShape(shape);
  for (let label = 0; label < labels.length; label += 1) {
    await content.labelTexts(search.directory, label);
    await content.labelPostings(search.directory, label);
  }
  for (const name of sampleNames.keys()) await search.labels.sampleStreams(name);
  const refs = allRefs(streamCount);
  const pages = await content.pages();
  for await (const streams of search.streams(refs)) {
    for (const { chunks, rollups } of streams) {
      for (const chunk of [...chunks, ...rollups]) {
        const list = chunk.windowSeconds === 0 ? 0 : sectionKinds.length;
        const offset = pages[list]?.[chunk.places.profiles.page]?.offset ?? 0;
        await attempt(offset, () => verifyChunk(content, dictionary, chunk));
      }
    }
  }
}

async function verifyChunk(
  content: BlockContent,
  dictionary: Dictionary,
  chunk: ChunkEntry,
): Promise<void> {
  const profiles = await content.profiles(chunk);
  const stacks = await content.section(chunk, 'stacks');
  const rows = await content.section(chunk, 'rows');
  const decoded = decodeRows({ stacks, rows }, 0, profiles.profileCount);
  const [{ profileCount, rowCount }] = chunk.digests;
  if (profiles.profileCount !== profileCount || decoded.stacks.length !== rowCount) {
    throw new AppError('data-loss', 'cannot read chunk: it is not the one that the index names');
  }
  await verifyTimes(content, chunk, decoded.rowStart);
  checkRows(decoded.stacks, dictionary.stacks.length, 'stack');
  checkRows(decoded.sampleLabels ?? [], dictionary.sampleLabels.length, 'label set');
  for (const [valueColumn, digest] of chunk.digests.entries()) {
    let total = 0n;
    for (const value of decoded.values[valueColumn]) total += value;
    if (BigInt.asIntN(64, total) !== digest.total) {
      throw new AppError('data-loss', 'cannot read chunk: its rows add up to another total');
    }
  }
}

async function verifyTimes(
  content: BlockContent,
  chunk: ChunkEntry,
  rowStart: Uint32Array,
): Promise<void> {
  const all = (await content.sampleTimes(chunk)) ?? [];
  for (const [i, times] of all.entries()) {
    if (times !== undefined) decodeSampleTimes(times, rowStart[i + 1] - rowStart[i]);
  }
}

function checkRows(rows: Iterable<number>, count: number, what: string): void {
  for (const row of rows) {
    if (row >= count)
      throw new AppError('data-loss', `cannot read chunk: it has no ${what} ${row}`);
  }
}
