// Writes a block: a file that never changes afterwards. docs/format/block.md shows its layout.
import { assert } from '../../base/assert.ts';
import { ByteWriter } from '../../base/bytes.ts';
import type { File, Files } from '../../base/files.ts';
import { chunkRowsAtOnce, chunkTimesBytesAtOnce } from '../limits.ts';
import { grown } from '../../model/column.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { StringIndex } from '../../model/rows.ts';
import type { ChunkInput } from '../chunk/chunk-data.ts';
import { ChunkProfiles } from '../chunk/decode-profiles.ts';
import { type ChunkEncoder, encoderHere } from '../chunk/chunk-encoder.ts';
import { encodeChunk } from '../chunk/encode-chunk.ts';
import { chunkHasLabelsInRows } from '../chunk/stack-dictionary.ts';
import { temporaryPath } from '../../base/durable-files.ts';
import type { StreamKey } from '../series/stream-key.ts';
import {
  encodeFooter,
  encodeHeader,
  idSalt,
  type BlockFacts,
  type BlockOrigin,
} from './block-facts.ts';
import {
  sectionKinds,
  type ChunkEntry,
  type SectionKind,
  type SectionPlace,
} from './index/chunk-entry.ts';
import { DenseSymbols } from './dense-symbols.ts';
import { PageWriter, PieceWriter } from './page-writer.ts';
import type { Piece } from './bytes/piece.ts';
import { SeriesIndexWriter } from './index/series-index-writer.ts';

/**
 * Number of rows and new nodes that get a number between two pauses. This takes about a
 * millisecond.
 */
const numberedPerPause = 8_192;
/** Cost of recording a label name, counted in rows. */
const noteCost = 8;

type PageWriters = Readonly<Record<SectionKind, PageWriter>>;

export interface BlockWriterOptions {
  readonly files: Files;
  /** Path of the finished block; until then, the file is `<path>.tmp`. */
  readonly path: string;
  /** Dictionary that rows refer to. It may grow while the block is written. */
  readonly dictionary: Dictionary;
  /** True to compress rows, which halves their size and makes reading a row a few ns slower. */
  readonly isCold: boolean;
  readonly facts: BlockOrigin;
  /** Awaited about every millisecond, so that other work can run. */
  readonly pause?: () => Promise<void>;
  /** Encodes chunks that are too large for one slice of time; by default, in this thread. */
  readonly encoder?: ChunkEncoder;
}

/**
 * Writes streams, each once and in any order. A stream's raw chunks must be in order of time and
 * must not overlap; the same holds for its rollups of one window length.
 *
 * Errors: those of the file, after which the writer must be abandoned.
 */
export class BlockWriter {
  readonly #options: BlockWriterOptions;
  readonly #file: File;
  readonly #pieces: PieceWriter;
  readonly #symbols: DenseSymbols;
  readonly #index: SeriesIndexWriter;
  /**
   * Writers of pages. Raw chunks and rollups have separate pages, so that the rollups of a day can
   * be read without its rows.
   */
  readonly #pages: { readonly raw: PageWriters; readonly rollups: PageWriters };
  /** Pages of sample times; most blocks have none. */
  readonly #times: PageWriter;
  readonly #pause: () => Promise<void>;
  #key: StreamKey | undefined;
  /** True once the current stream is in the index. */
  #isBegun = false;
  #counts = { profileCount: 0, rowCount: 0, chunkCount: 0 };
  #minNanos: bigint | undefined;
  #maxNanos: bigint | undefined;
  /** Last stream for which the label names of each label set in the dictionary were recorded. */
  #notedBy = new Uint32Array(64);
  readonly #stacks = new SharedNumbers();
  readonly #sampleLabels = new SharedNumbers();

  constructor(options: BlockWriterOptions, file: File) {
    this.#options = options;
    this.#file = file;
    this.#pause = options.pause ?? noPause;
    this.#pieces = new PieceWriter(file, idSalt(options.facts.id), this.#pause);
    this.#symbols = new DenseSymbols(options.dictionary);
    const { seed } = options.dictionary.locations;
    this.#index = new SeriesIndexWriter(this.#pieces, seed, this.#pause);
    const pages = (): PageWriters => ({
      profiles: new PageWriter(this.#pieces, true),
      stacks: new PageWriter(this.#pieces, true),
      rows: new PageWriter(this.#pieces, options.isCold),
    });
    this.#pages = { raw: pages(), rollups: pages() };
    this.#times = new PageWriter(this.#pieces, true);
  }

  /** Begins a stream; the next chunks belong to it. A stream without chunks is not written. */
  beginStream(key: StreamKey): void {
    this.#key = key;
    this.#isBegun = false;
  }

  /**
   * Adds a chunk to the stream: raw profiles (`windowSeconds` 0), or sums over windows of
   * `windowSeconds`, whose times are the starts of the windows. Ids are those of the dictionary.
   * The caller must not change the input until the promise settles.
   */
  async addChunk(input: ChunkInput, windowSeconds: number): Promise<void> {
    const key = this.#key;
    assert(key !== undefined, 'a chunk belongs to a stream');
    assert(input.profileCount > 0, 'a chunk has profiles');
    if (!this.#isBegun) this.#index.beginStream(key);
    this.#isBegun = true;
    const rowCount = input.rowStart[input.profileCount];
    const isLabelled = await this.#noteSampleNames(key, input);
    const renumbered = await this.#renumbered(input);
    const { encoder = encoderHere } = this.#options;
    const isLong = rowCount > chunkRowsAtOnce || countTimes(input) > chunkTimesBytesAtOnce;
    const encoded = isLong ? await encoder.encode(renumbered) : encodeChunk(renumbered);
    const profiles = new ChunkProfiles(encoded.profiles);
    const pages = windowSeconds === 0 ? this.#pages.raw : this.#pages.rollups;
    for (const kind of sectionKinds) {
      if (pages[kind].isTooFullFor(encoded[kind].length)) await pages[kind].flush();
    }
    const times = await this.#addTimes(encoded.times);
    const entry: ChunkEntry = {
      times,
      windowSeconds,
      isLabelled,
      hasLabelsInRows: isLabelled && chunkHasLabelsInRows(encoded),
      digests: key.sampleTypes.map((_, valueColumn) => profiles.digest(valueColumn)),
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

  async #addTimes(section: Uint8Array | undefined): Promise<SectionPlace | undefined> {
    if (section === undefined) return undefined;
    if (this.#times.isFull || this.#times.isTooFullFor(section.length)) await this.#times.flush();
    return this.#times.add(section);
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
  async #renumbered(input: ChunkInput): Promise<ChunkInput> {
    const symbols = this.#symbols;
    const rowCount = input.rowStart[input.profileCount];
    const stacks = this.#stacks.upTo(rowCount);
    let due = symbols.nodeCount + numberedPerPause;
    for (let row = 0; row < rowCount; row += 1) {
      stacks[row] = symbols.stack(input.stacks[row]);
      if (symbols.nodeCount + row < due) continue;
      due = symbols.nodeCount + row + numberedPerPause;
      await this.#pause();
    }
    const { sampleLabels: column } = input;
    if (column === undefined) return { ...input, stacks };
    const sampleLabels = this.#sampleLabels.upTo(rowCount);
    for (let row = 0; row < rowCount; row += 1) {
      sampleLabels[row] = symbols.sampleLabels(column[row]);
      if (row % numberedPerPause === numberedPerPause - 1) await this.#pause();
    }
    return { ...input, stacks, sampleLabels };
  }

  /** Records the names of string labels of the samples. Returns true if any sample has labels. */
  async #noteSampleNames(
    key: StreamKey,
    { sampleLabels: column, ...input }: ChunkInput,
  ): Promise<boolean> {
    if (column === undefined) return false;
    const { sampleLabels, strings } = this.#options.dictionary;
    this.#notedBy = grown(this.#notedBy, sampleLabels.length);
    const stream = this.#index.streamCount;
    let isLabelled = false;
    let work = 0;
    for (let row = input.rowStart[input.profileCount] - 1; row >= 0; row -= 1) {
      const set = column[row];
      if (set === 0) continue;
      isLabelled = true;
      if (this.#notedBy[set] === stream) continue;
      this.#notedBy[set] = stream;
      for (let i = sampleLabels.entryStart[set]; i < sampleLabels.entryStart[set + 1]; i += 1) {
        work += 1;
        if (sampleLabels.text[i] === 0) continue;
        this.#index.addSampleName(key, strings.text(sampleLabels.key[i] as StringIndex));
        work += noteCost;
      }
      if (work < numberedPerPause) continue;
      work = 0;
      await this.#pause();
    }
    return isLabelled;
  }

  /**
   * Writes the rest of the block and makes the file durable under its temporary name; `publishFile`
   * then renames it.
   */
  async finish(): Promise<BlockFacts> {
    const pages = new ByteWriter(1024);
    for (const writers of [this.#pages.raw, this.#pages.rollups]) {
      for (const kind of sectionKinds) {
        await writers[kind].flush();
        writers[kind].encode(pages);
      }
    }
    await this.#times.flush();
    const hasTimes = this.#times.pages.length > 0;
    if (hasTimes) this.#times.encode(pages);
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
    const tables = { pages: pageTable, directory, symbols };
    await this.#pieces.writePlain(encodeFooter(facts, tables, hasTimes));
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

/** Returns the bytes that the sample times of a chunk take. */
function countTimes({ sampleTimes = [] }: ChunkInput): number {
  return sampleTimes.reduce((sum, times) => sum + (times?.length ?? 0), 0);
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

/** Numbers in memory that an encoder in another thread reads without a copy. */
class SharedNumbers {
  #numbers = new Uint32Array(new SharedArrayBuffer(0));

  /** Returns memory for `count` numbers. Its earlier content may be lost. */
  upTo(count: number): Uint32Array {
    if (this.#numbers.length < count) {
      this.#numbers = new Uint32Array(new SharedArrayBuffer(8 * count));
    }
    return this.#numbers.subarray(0, count);
  }
}

async function noPause(): Promise<void> {
  // This thread has no other work to pause for.
}
