// The content of a block file, loaded on demand and kept in the cache of all blocks.
import { ByteReader } from '../../base/bytes.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError, errorCode } from '../../base/errors.ts';
import { Pacer, finishPausing, type Steps } from '../../base/pacer.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { Cached, type BlockCache } from './block-cache.ts';
import type { BlockFile } from './block-file.ts';
import { decodeChunkTimes } from '../chunk/chunk-times.ts';
import type { SampleTimesOfProfiles } from '../selection.ts';
import {
  sectionKinds,
  type ChunkEntry,
  type SectionKind,
  type SectionPlace,
} from './index/chunk-entry.ts';
import { DecodedProfiles } from './decoded-profiles.ts';
import { decodeDirectory, type Directory } from './index/directory.ts';
import { decodePieces, type Piece } from './bytes/piece.ts';
import { PostingLists } from './index/posting-lists.ts';
import { StreamGroup } from './index/stream-group.ts';
import { decodeSymbols, dictionaryBytes } from './symbol-tables.ts';
import { TextColumn } from './index/text-column.ts';

/** Approximate memory of one shape, label name or group in the directory, in bytes. */
const tableBytes = 200;
/**
 * Labels whose values stay in memory while a block is read. A series has few labels with many
 * values.
 */
const lastTextsMax = 2;

/** Index of the list of pages with sample times: the last one. */
const timesList = sectionKinds.length * 2;

/** A value with its approximate memory, in bytes. */
interface Loaded<T> {
  readonly value: T;
  readonly bytes: number;
}

/**
 * Methods return values synchronously if they are in memory, else promises.
 *
 * Errors of all methods: AppError 'data-loss' when a piece is damaged, which is reported to
 * `noteCorruption` once for each damaged part; errors of the file.
 */
export class BlockContent {
  readonly file: BlockFile;
  readonly #cache: BlockCache;
  readonly #noteCorruption: (error: unknown) => void;
  readonly #clock: Clock | undefined;
  readonly #corrupt = new Set<number>();
  readonly #directorySlot: Cached<Directory>;
  readonly #pageTableSlot: Cached<readonly (readonly Piece[])[]>;
  readonly #dictionarySlot: Cached<Dictionary>;
  readonly #groupSlots = new Map<number, Cached<StreamGroup>>();
  readonly #textSlots = new Map<number, Cached<TextColumn>>();
  /** Label values that were used last, the latest at the end; see `forgetTexts`. */
  readonly #lastTexts = new Map<number, TextColumn>();
  /** Postings by the offset of their first piece. */
  readonly #postingSlots = new Map<number, Cached<PostingLists>>();
  readonly #profileSlots = new Map<number, Cached<DecodedProfiles>>();
  readonly #pageSlots = new Map<Piece, Cached<Uint8Array<SharedArrayBuffer>>>();

  /** Without a clock, symbols are decoded without pauses. */
  constructor(
    file: BlockFile,
    cache: BlockCache,
    noteCorruption: (error: unknown) => void,
    clock: Clock | undefined,
  ) {
    this.#clock = clock;
    this.file = file;
    this.#cache = cache;
    this.#noteCorruption = noteCorruption;
    this.#directorySlot = new Cached(cache, () => this.#loadDirectory());
    this.#pageTableSlot = new Cached(cache, () => this.#loadPages());
    this.#dictionarySlot = new Cached(cache, () => this.#loadDictionary());
  }

  directory(): Directory | Promise<Directory> {
    return this.#directorySlot.get();
  }

  dictionary(): Dictionary | Promise<Dictionary> {
    return this.#dictionarySlot.get();
  }

  /**
   * Pages by kind of section: first those of raw chunks, then of rollups, then of sample times if
   * there are any.
   */
  pages(): readonly (readonly Piece[])[] | Promise<readonly (readonly Piece[])[]> {
    return this.#pageTableSlot.get();
  }

  /** Returns the entries of a group of streams. */
  group({ groups }: Directory, group: number): StreamGroup | Promise<StreamGroup> {
    const load = async (): Promise<Loaded<StreamGroup>> => {
      const value = new StreamGroup(await this.#read([groups[group]]), group);
      return { value, bytes: value.byteLength };
    };
    return this.#slot(this.#groupSlots, group, load).get();
  }

  /** Returns the values of the label with index `label` in the directory. */
  labelTexts(directory: Directory, label: number): TextColumn | Promise<TextColumn> {
    return this.#lastTexts.get(label) ?? this.#loadTexts(directory, label);
  }

  /**
   * Drops the values that were used last. They are kept until then even if they are larger than the
   * cache, because a write looks up thousands of series one by one.
   */
  forgetTexts(): void {
    this.#lastTexts.clear();
  }

  #loadTexts({ labels }: Directory, label: number): TextColumn | Promise<TextColumn> {
    const load = async (): Promise<Loaded<TextColumn>> => {
      const bytes = await this.#read(labels.values(label));
      const value = new TextColumn(bytes, labels.valueCount(label));
      for (const oldest of this.#lastTexts.keys()) {
        if (this.#lastTexts.size < lastTextsMax) break;
        this.#lastTexts.delete(oldest);
      }
      this.#lastTexts.set(label, value);
      return { value, bytes: value.byteLength };
    };
    return this.#slot(this.#textSlots, label, load).get();
  }

  /** Returns the postings of each value of label `label` of the directory. */
  labelPostings(directory: Directory, label: number): PostingLists | Promise<PostingLists> {
    const { labels, streamCount } = directory;
    return this.postings(labels.postings(label), labels.valueCount(label), streamCount);
  }

  /** Returns the `count` postings lists stored in `pieces`. */
  postings(
    pieces: readonly Piece[],
    count: number,
    streamCount: number,
  ): PostingLists | Promise<PostingLists> {
    const load = async (): Promise<Loaded<PostingLists>> => {
      const value = new PostingLists(await this.#read(pieces), count, streamCount);
      return { value, bytes: value.byteLength };
    };
    return this.#slot(this.#postingSlots, pieces[0].offset, load).get();
  }

  /** Reads a section of a chunk. */
  section(chunk: ChunkEntry, kind: SectionKind): Promise<Uint8Array<SharedArrayBuffer>> {
    const list = sectionKinds.indexOf(kind) + (chunk.windowSeconds === 0 ? 0 : sectionKinds.length);
    return this.#sectionAt(list, chunk.places[kind], kind);
  }

  /** Returns the sample times of each profile of a chunk; undefined if it has none. */
  async sampleTimes({ times, digests }: ChunkEntry): Promise<SampleTimesOfProfiles> {
    if (times === undefined) return undefined;
    const section = await this.#sectionAt(timesList, times, 'times');
    return decodeChunkTimes(section, digests[0].profileCount);
  }

  async #sectionAt(
    list: number,
    { page, offset, length }: SectionPlace,
    kind: SectionKind | 'times',
  ): Promise<Uint8Array<SharedArrayBuffer>> {
    const piece = (await this.pages())[list]?.[page];
    const bytes = piece === undefined ? undefined : await this.page(piece);
    if (bytes === undefined || offset + length > bytes.length) {
      throw new AppError(
        'data-loss',
        `cannot read ${kind} of a chunk: page ${page} has no such section`,
      );
    }
    return bytes.subarray(offset, offset + length);
  }

  /** Returns the columns of a chunk's profiles. */
  profiles(chunk: ChunkEntry): DecodedProfiles | Promise<DecodedProfiles> {
    const { page, offset } = chunk.places.profiles;
    const number = page * 2 + (chunk.windowSeconds === 0 ? 0 : 1);
    const load = async (): Promise<Loaded<DecodedProfiles>> => {
      const value = new DecodedProfiles(await this.section(chunk, 'profiles'));
      return { value, bytes: value.byteLength };
    };
    // The offset of a section in its page is below 2^22.
    return this.#slot(this.#profileSlots, number * 2 ** 22 + offset, load).get();
  }

  page(piece: Piece): Uint8Array<SharedArrayBuffer> | Promise<Uint8Array<SharedArrayBuffer>> {
    const load = async (): Promise<Loaded<Uint8Array<SharedArrayBuffer>>> => {
      const raw = await this.#read([piece]);
      const value = new Uint8Array(new SharedArrayBuffer(raw.length));
      value.set(raw);
      return { value, bytes: value.length };
    };
    return this.#slot(this.#pageSlots, piece, load).get();
  }

  /** Drops all cached values and closes the file. */
  async close(): Promise<void> {
    for (const slot of [this.#directorySlot, this.#pageTableSlot, this.#dictionarySlot])
      slot.drop();
    this.forgetTexts();
    const groupSlots = this.#groupSlots;
    const textSlots = this.#textSlots;
    const postingSlots = this.#postingSlots;
    const profileSlots = this.#profileSlots;
    const pageSlots = this.#pageSlots;
    for (const map of [groupSlots, textSlots, postingSlots, profileSlots, pageSlots]) {
      for (const slot of map.values()) slot.drop();
    }
    await this.file.close();
  }

  #slot<K, T>(map: Map<K, Cached<T>>, key: K, load: () => Promise<Loaded<T>>): Cached<T> {
    let slot = map.get(key);
    if (slot === undefined) {
      slot = new Cached(this.#cache, load, () => map.delete(key));
      map.set(key, slot);
    }
    return slot;
  }

  async #read(pieces: readonly Piece[]): Promise<Uint8Array> {
    try {
      return await this.file.readPieces(pieces, this.#clock && new Pacer(this.#clock));
    } catch (error) {
      const place = pieces[0]?.offset ?? 0;
      if (errorCode(error) === 'data-loss' && !this.#corrupt.has(place)) {
        this.#corrupt.add(place);
        this.#noteCorruption(error);
      }
      throw error;
    }
  }

  async #loadDirectory(): Promise<Loaded<Directory>> {
    const bytes = await this.#read(this.file.tables.directory);
    const value = await this.#inSteps(decodeDirectory(bytes, this.file.fileBytes));
    const { shapes, sampleNames, groups, labels } = value;
    const pieces = groups.length + shapes.length + sampleNames.size;
    return { value, bytes: bytes.length + pieces * tableBytes + labels.byteLength };
  }

  async #loadPages(): Promise<Loaded<readonly (readonly Piece[])[]>> {
    const bytes = await this.#read(this.file.tables.pages);
    const reader = new ByteReader(bytes);
    const value = Array.from({ length: timesList }, () =>
      decodePieces(reader, this.file.fileBytes),
    );
    if (reader.at < reader.end) value.push(decodePieces(reader, this.file.fileBytes));
    return { value, bytes: bytes.length * 6 };
  }

  async #loadDictionary(): Promise<Loaded<Dictionary>> {
    const { symbols } = this.file.tables;
    const tables = await Promise.all(symbols.map((pieces) => this.#read(pieces)));
    const value = await this.#inSteps(decodeSymbols(tables));
    return { value, bytes: dictionaryBytes(value) };
  }

  #inSteps<T>(steps: Steps<T>): Promise<T> {
    return finishPausing(steps, this.#clock && new Pacer(this.#clock));
  }
}
