// The content of a block file, loaded on demand and kept in the cache of all blocks.
import { ByteReader } from '../../base/bytes.ts';
import type { Clock } from '../../base/clock.ts';
import { AppError, errorCode } from '../../base/errors.ts';
import { Pacer, finishPausing, type Steps, stoppablePacer } from '../../base/pacer.ts';
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

/** Approximate memory of one shape, label name or group of streams in the directory, in bytes. */
const tableBytes = 200;
/**
 * Maximum number of labels whose values stay in memory while a block is read. A series has few
 * labels with many values.
 */
const lastTextsMax = 2;

/** Index of the list of pages with sample times, which comes last. */
const timesList = sectionKinds.length * 2;

/** A value with its approximate memory, in bytes. */
interface Loaded<T> {
  readonly value: T;
  readonly bytes: number;
}

export interface BlockContentOptions {
  readonly file: BlockFile;
  readonly cache: BlockCache;
  readonly noteCorruption: (error: unknown) => void;
  /** Clock for pauses while symbols are decoded; without a clock, decoding does not pause. */
  readonly clock: Clock | undefined;
}

/** Loaded values, which all readers of a block share. */
interface Slots {
  readonly corrupt: Set<number>;
  readonly directory: Cached<Directory>;
  readonly pageTable: Cached<readonly (readonly Piece[])[]>;
  readonly dictionary: Cached<Dictionary>;
  readonly groups: Map<number, Cached<StreamGroup>>;
  readonly texts: Map<number, Cached<TextColumn>>;
  /** Values of the labels that were used last, the latest at the end; see `forgetTexts`. */
  readonly lastTexts: Map<number, TextColumn>;
  /** Postings by the offset of their first piece. */
  readonly postings: Map<number, Cached<PostingLists>>;
  readonly profiles: Map<number, Cached<DecodedProfiles>>;
  readonly pages: Map<Piece, Cached<Uint8Array<SharedArrayBuffer>>>;
}

/**
 * Reads a block. Methods return values synchronously if they are in memory, otherwise promises.
 *
 * Errors of all methods: AppError 'data-loss' when a piece is damaged, which is reported to
 * `noteCorruption` once for each damaged part; errors of the file; the reason of the signal.
 */
export class BlockContent {
  readonly file: BlockFile;
  readonly #options: BlockContentOptions;
  readonly #signal: AbortSignal | undefined;
  /**
   * The content that loads values for all callers. It has no signal, because a loaded value must
   * not keep the signal of a caller.
   */
  readonly #root: BlockContent;
  readonly #slots: Slots;

  /** Creates the content. Only `until` passes `root` and `signal`. */
  constructor(options: BlockContentOptions, root?: BlockContent, signal?: AbortSignal) {
    this.#options = options;
    this.file = options.file;
    this.#signal = signal;
    this.#root = root ?? this;
    this.#slots = root === undefined ? this.#createSlots() : root.#slots;
  }

  /**
   * Returns the same content for one caller. When `signal` is aborted, reads end unless another
   * caller waits for them.
   */
  until(signal: AbortSignal | undefined): BlockContent {
    return signal === undefined ? this : new BlockContent(this.#options, this.#root, signal);
  }

  /** Throws the reason of the caller's signal if it is aborted. */
  throwIfAborted(): void {
    this.#signal?.throwIfAborted();
  }

  directory(): Directory | Promise<Directory> {
    return this.#slots.directory.get(this.#signal);
  }

  dictionary(): Dictionary | Promise<Dictionary> {
    return this.#slots.dictionary.get(this.#signal);
  }

  /**
   * Returns the pages of each type of section: first the pages of raw chunks, then of rollups, then
   * of sample times if there are any.
   */
  pages(): readonly (readonly Piece[])[] | Promise<readonly (readonly Piece[])[]> {
    return this.#slots.pageTable.get(this.#signal);
  }

  /** Returns the entries of a group of streams. */
  group({ groups }: Directory, group: number): StreamGroup | Promise<StreamGroup> {
    const root = this.#root;
    const load = async (signal: AbortSignal): Promise<Loaded<StreamGroup>> => {
      const value = new StreamGroup(await root.#read([groups[group]], signal), group);
      return { value, bytes: value.byteLength };
    };
    return this.#get(this.#slots.groups, group, load);
  }

  /** Returns the values of the label with index `label` in the directory. */
  labelTexts(directory: Directory, label: number): TextColumn | Promise<TextColumn> {
    return this.#slots.lastTexts.get(label) ?? this.#loadTexts(directory, label);
  }

  /**
   * Drops the values of the labels that were used last. Until then they are kept, even if they are
   * larger than the cache, because the writer of a block looks up thousands of series one by one.
   */
  forgetTexts(): void {
    this.#slots.lastTexts.clear();
  }

  #loadTexts({ labels }: Directory, label: number): TextColumn | Promise<TextColumn> {
    const root = this.#root;
    const { lastTexts, texts } = this.#slots;
    const load = async (signal: AbortSignal): Promise<Loaded<TextColumn>> => {
      const bytes = await root.#read(labels.values(label), signal);
      const value = new TextColumn(bytes, labels.valueCount(label));
      for (const oldest of lastTexts.keys()) {
        if (lastTexts.size < lastTextsMax) break;
        lastTexts.delete(oldest);
      }
      lastTexts.set(label, value);
      return { value, bytes: value.byteLength };
    };
    return this.#get(texts, label, load);
  }

  /** Returns the postings of each value of the label with index `label` in the directory. */
  labelPostings(directory: Directory, label: number): PostingLists | Promise<PostingLists> {
    const { labels, streamCount } = directory;
    return this.postings(labels.postings(label), labels.valueCount(label), streamCount);
  }

  /** Returns the `count` lists of postings that are stored in `pieces`. */
  postings(
    pieces: readonly Piece[],
    count: number,
    streamCount: number,
  ): PostingLists | Promise<PostingLists> {
    const root = this.#root;
    const load = async (signal: AbortSignal): Promise<Loaded<PostingLists>> => {
      const value = new PostingLists(await root.#read(pieces, signal), count, streamCount);
      return { value, bytes: value.byteLength };
    };
    return this.#get(this.#slots.postings, pieces[0].offset, load);
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
    const root = this.#root;
    const load = async (signal: AbortSignal): Promise<Loaded<DecodedProfiles>> => {
      const value = new DecodedProfiles(await root.until(signal).section(chunk, 'profiles'));
      return { value, bytes: value.byteLength };
    };
    // The offset of a section in its page is below 2^22.
    return this.#get(this.#slots.profiles, number * 2 ** 22 + offset, load);
  }

  page(piece: Piece): Uint8Array<SharedArrayBuffer> | Promise<Uint8Array<SharedArrayBuffer>> {
    const root = this.#root;
    const load = async (signal: AbortSignal): Promise<Loaded<Uint8Array<SharedArrayBuffer>>> => {
      const raw = await root.#read([piece], signal);
      const value = new Uint8Array(new SharedArrayBuffer(raw.length));
      value.set(raw);
      return { value, bytes: value.length };
    };
    return this.#get(this.#slots.pages, piece, load);
  }

  /** Drops all cached values and closes the file. */
  async close(): Promise<void> {
    const { directory, pageTable, dictionary } = this.#slots;
    for (const slot of [directory, pageTable, dictionary]) slot.drop();
    this.forgetTexts();
    const { groups, texts, postings, profiles, pages } = this.#slots;
    for (const map of [groups, texts, postings, profiles, pages]) {
      for (const slot of map.values()) slot.drop();
    }
    await this.file.close();
  }

  #createSlots(): Slots {
    const { cache } = this.#options;
    return {
      corrupt: new Set(),
      directory: new Cached(cache, (signal) => this.#loadDirectory(signal)),
      pageTable: new Cached(cache, (signal) => this.#loadPages(signal)),
      dictionary: new Cached(cache, (signal) => this.#loadDictionary(signal)),
      groups: new Map(),
      texts: new Map(),
      lastTexts: new Map(),
      postings: new Map(),
      profiles: new Map(),
      pages: new Map(),
    };
  }

  #get<K, T>(
    map: Map<K, Cached<T>>,
    key: K,
    load: (signal: AbortSignal) => Promise<Loaded<T>>,
  ): T | Promise<T> {
    let slot = map.get(key);
    if (slot === undefined) {
      slot = new Cached(this.#options.cache, load, () => map.delete(key));
      map.set(key, slot);
    }
    return slot.get(this.#signal);
  }

  async #read(pieces: readonly Piece[], signal: AbortSignal): Promise<Uint8Array> {
    const { corrupt } = this.#slots;
    try {
      return await this.file.readPieces(pieces, this.#pacer(signal), signal);
    } catch (error) {
      const place = pieces[0]?.offset ?? 0;
      if (errorCode(error) === 'data-loss' && !corrupt.has(place)) {
        corrupt.add(place);
        this.#options.noteCorruption(error);
      }
      throw error;
    }
  }

  async #loadDirectory(signal: AbortSignal): Promise<Loaded<Directory>> {
    const bytes = await this.#read(this.file.tables.directory, signal);
    const value = await this.#inSteps(decodeDirectory(bytes, this.file.fileBytes), signal);
    const { shapes, sampleNames, groups, labels } = value;
    const pieces = groups.length + shapes.length + sampleNames.size;
    return { value, bytes: bytes.length + pieces * tableBytes + labels.byteLength };
  }

  async #loadPages(signal: AbortSignal): Promise<Loaded<readonly (readonly Piece[])[]>> {
    const bytes = await this.#read(this.file.tables.pages, signal);
    const reader = new ByteReader(bytes);
    const value = Array.from({ length: timesList }, () =>
      decodePieces(reader, this.file.fileBytes),
    );
    if (reader.at < reader.end) value.push(decodePieces(reader, this.file.fileBytes));
    return { value, bytes: bytes.length * 6 };
  }

  async #loadDictionary(signal: AbortSignal): Promise<Loaded<Dictionary>> {
    const { symbols } = this.file.tables;
    const tables = await Promise.all(symbols.map((pieces) => this.#read(pieces, signal)));
    const value = await this.#inSteps(decodeSymbols(tables), signal);
    return { value, bytes: dictionaryBytes(value) };
  }

  #inSteps<T>(steps: Steps<T>, signal: AbortSignal): Promise<T> {
    return finishPausing(steps, this.#pacer(signal));
  }

  #pacer(signal: AbortSignal): Pick<Pacer, 'pause'> | undefined {
    const { clock } = this.#options;
    return clock && stoppablePacer(new Pacer(clock), signal);
  }
}
