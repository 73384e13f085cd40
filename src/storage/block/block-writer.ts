// Writes a block: one file that is never changed again; docs/format/block.md draws it.
import { assert } from '../../base/assert.ts';
import { ByteWriter } from '../../base/bytes.ts';
import type { File, Files } from '../../base/files.ts';
import { grown } from '../../model/column.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { StringIndex } from '../../model/rows.ts';
import type { ChunkInput } from '../chunk/chunk-input.ts';
import { ChunkProfiles } from '../chunk/decode-profiles.ts';
import { encodeChunk } from '../chunk/encode-chunk.ts';
import { labelsPlace, StackDictionary } from '../chunk/stack-dictionary.ts';
import { temporaryPath } from '../files/durable-files.ts';
import type { StreamKey } from '../series/stream-key.ts';
import {
  encodeFooter,
  encodeHeader,
  saltOf,
  type BlockFacts,
  type BlockOrigin,
} from './block-facts.ts';
import { sectionKinds, type ChunkEntry, type SectionKind } from './chunk-entry.ts';
import { DenseSymbols } from './dense-symbols.ts';
import { FrameWriter, PieceWriter } from './frame-writer.ts';
import type { Piece } from './piece.ts';
import { SeriesIndexWriter } from './series-index-writer.ts';

type FrameWriters = Readonly<Record<SectionKind, FrameWriter>>;

export interface BlockWriterOptions {
  readonly files: Files;
  /** Where the block is going to be; it is written to `<path>.tmp`. */
  readonly path: string;
  /** What rows refer to; it may grow while the block is written. */
  readonly dictionary: Dictionary;
  /** Whether rows are compressed, too: half the bytes, and a few ns a row to read. */
  readonly isCold: boolean;
  readonly facts: BlockOrigin;
  /** Awaited between steps of a millisecond or so, so that others get their turn. */
  readonly pause?: () => Promise<void>;
}

/**
 * Takes streams one after the other, in any order, each once. A stream's raw chunks come in order
 * of time and do not overlap; so do those of one window length.
 *
 * Errors: those of the file system; then the writer is to be abandoned.
 */
export class BlockWriter {
  readonly #options: BlockWriterOptions;
  readonly #file: File;
  readonly #pieces: PieceWriter;
  readonly #symbols: DenseSymbols;
  readonly #index: SeriesIndexWriter;
  /** Apart, so that a day's sums are read without the day's rows. */
  readonly #frames: { readonly raw: FrameWriters; readonly rollups: FrameWriters };
  readonly #pause: () => Promise<void>;
  #key: StreamKey | undefined;
  /** Whether the index has the stream. */
  #isBegun = false;
  #counts = { profileCount: 0, rowCount: 0, chunkCount: 0 };
  #minNanos: bigint | undefined;
  #maxNanos: bigint | undefined;
  /** Label sets of the dictionary whose names the stream is known to have: number of the stream. */
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
    const frames = (): FrameWriters => ({
      profiles: new FrameWriter(this.#pieces, true),
      stacks: new FrameWriter(this.#pieces, true),
      rows: new FrameWriter(this.#pieces, options.isCold),
    });
    this.#frames = { raw: frames(), rollups: frames() };
  }

  /** Bytes in the file so far. */
  get bytesWritten(): number {
    return this.#pieces.length;
  }

  /** The chunks that follow belong to this stream. A stream without chunks leaves no trace. */
  beginStream(key: StreamKey): void {
    this.#key = key;
    this.#isBegun = false;
  }

  /**
   * Adds a chunk of the stream: profiles as they came (`windowSeconds` 0), or sums over windows of
   * so many seconds, whose times are the windows' starts. Ids are those of the dictionary. The
   * input is borrowed until the call returns; the promise is there for the file.
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
    const frames = windowSeconds === 0 ? this.#frames.raw : this.#frames.rollups;
    for (const kind of sectionKinds) {
      if (frames[kind].isTooFullFor(encoded[kind].length)) await frames[kind].flush();
    }
    const entry: ChunkEntry = {
      windowSeconds,
      isLabelled,
      hasLabelsInRows: isLabelled && hasLabelsInRows(encoded.stacks),
      digests: key.sampleTypes.map((_, plane) => profiles.digest(plane)),
      places: {
        profiles: frames.profiles.add(encoded.profiles),
        stacks: frames.stacks.add(encoded.stacks),
        rows: frames.rows.add(encoded.rows),
      },
    };
    this.#index.addChunk(entry);
    if (windowSeconds === 0) this.#count(entry);
    for (const kind of sectionKinds) if (frames[kind].isFull) await frames[kind].flush();
  }

  #count({ digests: [digest] }: ChunkEntry): void {
    this.#counts.profileCount += digest.profileCount;
    this.#counts.rowCount += digest.rowCount;
    this.#counts.chunkCount += 1;
    const { firstNanos, lastNanos } = digest;
    if (this.#minNanos === undefined || firstNanos < this.#minNanos) this.#minNanos = firstNanos;
    if (this.#maxNanos === undefined || lastNanos > this.#maxNanos) this.#maxNanos = lastNanos;
  }

  /** The input with ids of the block; valid until the next call. */
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

  /** Notes names of text labels that the stream's samples have; whether any has labels at all. */
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
   * Writes what is left and makes the file durable, still under its temporary name; `publishFile`
   * comes next.
   */
  async finish(): Promise<BlockFacts> {
    const frames = new ByteWriter(1024);
    for (const writers of [this.#frames.raw, this.#frames.rollups]) {
      for (const kind of sectionKinds) {
        await writers[kind].flush();
        writers[kind].encode(frames);
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
    const framesTable = await this.#pieces.writeMany(frames.bytes.subarray(0, frames.length));
    await this.#pieces.writePlain(encodeFooter(facts, { frames: framesTable, directory, symbols }));
    await this.#file.sync();
    await this.#file.close();
    return facts;
  }

  /** Removes what was written; for a block that is not to be finished. */
  async abandon(): Promise<void> {
    await this.#file.close();
    await this.#options.files.remove(temporaryPath(this.#options.path));
  }

  /** Writes the header; the first thing. */
  async begin(): Promise<void> {
    await this.#pieces.writePlain(encodeHeader(this.#options.facts.createdNanos));
  }
}

/** Begins a block. What an earlier attempt left behind under its temporary name is overwritten. */
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
  // Nobody else waits for this thread.
}
