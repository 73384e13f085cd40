// Writes a block: a file that never changes afterwards. docs/format/block.md draws it.
import { assert } from '../../base/assert.ts';
import { ByteWriter } from '../../base/bytes.ts';
import type { File, Files } from '../../base/files.ts';
import { grown } from '../../model/column.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { StringIndex } from '../../model/rows.ts';
import type { ChunkInput } from '../chunk/chunk-data.ts';
import { ChunkProfiles } from '../chunk/decode-profiles.ts';
import { encodeChunk } from '../chunk/encode-chunk.ts';
import { labelsPlace, StackDictionary } from '../chunk/stack-dictionary.ts';
import { temporaryPath } from '../../base/durable-files.ts';
import type { StreamKey } from '../series/stream-key.ts';
import {
  encodeFooter,
  encodeHeader,
  saltOf,
  type BlockFacts,
  type BlockOrigin,
} from './block-facts.ts';
import { sectionKinds, type ChunkEntry, type SectionKind } from './index/chunk-entry.ts';
import { DenseSymbols } from './dense-symbols.ts';
import { PageWriter, PieceWriter } from './page-writer.ts';
import type { Piece } from './piece.ts';
import { SeriesIndexWriter } from './index/series-index-writer.ts';

type PageWriters = Readonly<Record<SectionKind, PageWriter>>;

export interface BlockWriterOptions {
  readonly files: Files;
  /** Path of the finished block; until then, the file is `<path>.tmp`. */
  readonly path: string;
  /** Dictionary that rows refer to. It may grow while the block is written. */
  readonly dictionary: Dictionary;
  /** True to compress rows, which halves their bytes and makes reading a few ns a row slower. */
  readonly isCold: boolean;
  readonly facts: BlockOrigin;
  /** Awaited between steps of about a millisecond, so that other work goes on. */
  readonly pause?: () => Promise<void>;
}

/**
 * Takes each stream once, in any order. A stream's raw chunks come in the order of time and do not
 * overlap; so do its rollups of one window length.
 *
 * Errors: those of the file; the writer must be abandoned after one.
 */
export class BlockWriter {
  readonly #options: BlockWriterOptions;
  readonly #file: File;
  readonly #pieces: PieceWriter;
  readonly #symbols: DenseSymbols;
  readonly #index: SeriesIndexWriter;
  /** Separate pages, so that a day's rollups are read without its rows. */
  readonly #pages: { readonly raw: PageWriters; readonly rollups: PageWriters };
  readonly #pause: () => Promise<void>;
  #key: StreamKey | undefined;
  /** True once the index has the stream. */
  #isBegun = false;
  #counts = { profileCount: 0, rowCount: 0, chunkCount: 0 };
  #minNanos: bigint | undefined;
  #maxNanos: bigint | undefined;
  /** Number of the last stream that noted the names of each label set of the dictionary. */
  #notedBy = new Uint32Array(64);
  #stacks = new Uint32Array(0);
  #sampleLabels = new Uint32Array(0);

  constructor(options: BlockWriterOptions, file: File) {
    this.#options = options;
    this.#file = file;
    this.#pause = options.pause ?? noPause;
    this.#pieces = new PieceWriter(file, saltOf(options.facts.id), this.#pause);
    this.#symbols = new DenseSymbols(options.dictionary);
    const { seed } = options.dictionary.locations;
    this.#index = new SeriesIndexWriter(this.#pieces, seed, this.#pause);
    const pages = (): PageWriters => ({
      profiles: new PageWriter(this.#pieces, true),
      stacks: new PageWriter(this.#pieces, true),
      rows: new PageWriter(this.#pieces, options.isCold),
    });
    this.#pages = { raw: pages(), rollups: pages() };
  }

  /** Begins a stream; the next chunks belong to it. A stream without chunks is not written. */
  beginStream(key: StreamKey): void {
    this.#key = key;
    this.#isBegun = false;
  }

  /**
   * Adds a chunk of the stream: raw profiles (`windowSeconds` 0), or sums over windows of
   * `windowSeconds`, whose times are the starts of the windows. Ids are those of the dictionary.
   * The input is borrowed until the call returns; the promise waits for the file.
   */
  async addChunk(input: ChunkInput, windowSeconds: number): Promise<void> {
    const key = this.#key;
    assert(key !== undefined, 'a chunk belongs to a stream');
    assert(input.profileCount > 0, 'a chunk has profiles');
    if (!this.#isBegun) this.#index.beginStream(key);
    this.#isBegun = true;
    const isLabelled = this.#noteSampleNames(key, input);
    const encoded = encodeChunk(this.#renumbered(input));
    const profiles = new ChunkProfiles(encoded.profiles);
    const pages = windowSeconds === 0 ? this.#pages.raw : this.#pages.rollups;
    for (const kind of sectionKinds) {
      if (pages[kind].isTooFullFor(encoded[kind].length)) await pages[kind].flush();
    }
    const entry: ChunkEntry = {
      windowSeconds,
      isLabelled,
      hasLabelsInRows: isLabelled && hasLabelsInRows(encoded.stacks),
      digests: key.sampleTypes.map((_, plane) => profiles.digest(plane)),
      places: {
        profiles: pages.profiles.add(encoded.profiles),
        stacks: pages.stacks.add(encoded.stacks),
        rows: pages.rows.add(encoded.rows),
      },
    };
    this.#index.addChunk(entry);
    if (windowSeconds === 0) this.#count(entry);
    for (const kind of sectionKinds) if (pages[kind].isFull) await pages[kind].flush();
  }

  #count({ digests: [digest] }: ChunkEntry): void {
    this.#counts.profileCount += digest.profileCount;
    this.#counts.rowCount += digest.rowCount;
    this.#counts.chunkCount += 1;
    const { firstNanos, lastNanos } = digest;
    if (this.#minNanos === undefined || firstNanos < this.#minNanos) this.#minNanos = firstNanos;
    if (this.#maxNanos === undefined || lastNanos > this.#maxNanos) this.#maxNanos = lastNanos;
  }

  /** Returns the input with ids of the block, valid until the next call. */
  #renumbered(input: ChunkInput): ChunkInput {
    const symbols = this.#symbols;
    const rowCount = input.rowStart[input.profileCount];
    this.#stacks = grown(this.#stacks, rowCount);
    const stacks = this.#stacks;
    for (let row = 0; row < rowCount; row += 1) stacks[row] = symbols.stack(input.stacks[row]);
    const renumbered = { ...input, stacks: stacks.subarray(0, rowCount) };
    if (input.sampleLabels === undefined) return renumbered;
    this.#sampleLabels = grown(this.#sampleLabels, rowCount);
    const sampleLabels = this.#sampleLabels;
    for (let row = 0; row < rowCount; row += 1) {
      sampleLabels[row] = symbols.sampleLabels(input.sampleLabels[row]);
    }
    return { ...renumbered, sampleLabels: sampleLabels.subarray(0, rowCount) };
  }

  /** Notes the names of the samples' text labels. Returns true if a sample has labels. */
  #noteSampleNames(key: StreamKey, { sampleLabels: column, ...input }: ChunkInput): boolean {
    if (column === undefined) return false;
    const { sampleLabels, strings } = this.#options.dictionary;
    this.#notedBy = grown(this.#notedBy, sampleLabels.length);
    const stream = this.#index.streamCount;
    let isLabelled = false;
    for (let row = input.rowStart[input.profileCount] - 1; row >= 0; row -= 1) {
      const set = column[row];
      if (set === 0) continue;
      isLabelled = true;
      if (this.#notedBy[set] === stream) continue;
      this.#notedBy[set] = stream;
      for (let i = sampleLabels.entryStart[set]; i < sampleLabels.entryStart[set + 1]; i += 1) {
        if (sampleLabels.text[i] === 0) continue;
        this.#index.addSampleName(key, strings.text(sampleLabels.key[i] as StringIndex));
      }
    }
    return isLabelled;
  }

  /**
   * Writes the rest and makes the file durable under its temporary name, for `publishFile`.
   */
  async finish(): Promise<BlockFacts> {
    const pages = new ByteWriter(1024);
    for (const writers of [this.#pages.raw, this.#pages.rollups]) {
      for (const kind of sectionKinds) {
        await writers[kind].flush();
        writers[kind].encode(pages);
      }
    }
    const directory = await this.#index.finish();
    const symbols: Piece[][] = [];
    for await (const table of this.#symbols.encode(this.#pause)) {
      symbols.push(await this.#pieces.writeMany(table));
    }
    const facts: BlockFacts = {
      ...this.#options.facts,
      ...this.#counts,
      streamCount: this.#index.streamCount,
      minNanos: this.#minNanos ?? 0n,
      maxNanos: this.#maxNanos ?? 0n,
    };
    const pageTable = await this.#pieces.writeMany(pages.bytes.subarray(0, pages.length));
    await this.#pieces.writePlain(encodeFooter(facts, { pages: pageTable, directory, symbols }));
    await this.#pieces.flush();
    await this.#file.sync();
    await this.#file.close();
    return facts;
  }

  /** Removes the unfinished file. */
  async abandon(): Promise<void> {
    await this.#file.close();
    await this.#options.files.remove(temporaryPath(this.#options.path));
  }

  /** Writes the header, before everything else. */
  async begin(): Promise<void> {
    await this.#pieces.writePlain(encodeHeader(this.#options.facts.createdNanos));
  }
}

/** Begins a block. Overwrites the temporary file of an earlier attempt. */
export async function createBlockWriter(options: BlockWriterOptions): Promise<BlockWriter> {
  const file = await options.files.open(temporaryPath(options.path), { create: true });
  const writer = new BlockWriter(options, file);
  try {
    await file.truncate(0);
    await writer.begin();
  } catch (error) {
    await file.close();
    throw error;
  }
  return writer;
}

function hasLabelsInRows(stacks: Uint8Array): boolean {
  const dictionary = new StackDictionary();
  dictionary.read(stacks);
  return dictionary.labelsPlace === labelsPlace.rows;
}

async function noPause(): Promise<void> {
  // No other work waits for this thread.
}
