// Writes the index of a block: entries of streams, labels, postings and the directory.
import { ByteWriter } from '../../../base/bytes.ts';
import { grown } from '../../../model/column.ts';
import { labelValue } from '../../../model/labels.ts';
import { LabelPairs } from '../../series/label-pairs.ts';
import type { StreamKey } from '../../series/stream-key.ts';
import { encodeChunkEntry, type ChunkEntry } from './chunk-entry.ts';
import { encodeDirectory, encodeLabel, streamsPerGroup } from './directory.ts';
import { KeyCollector, type SortedKeys } from './key-collector.ts';
import type { Piece } from '../bytes/piece.ts';
import { encodePostings } from './posting-lists.ts';
import { encodeTexts } from './text-column.ts';

/**
 * Writes pieces, compressed if that saves space. Writes its input as one piece, or as many pieces
 * as a size limit requires.
 */
export interface PieceSink {
  writeMany(raw: Uint8Array): Promise<Piece[]>;
  writeOne(raw: Uint8Array): Promise<Piece>;
}

/** Streams whose samples have a label with this name. */
interface SampleName {
  /**
   * Two ascending lists of stream numbers: streams without a series label of this name, and streams
   * with one.
   */
  readonly lists: readonly [number[], number[]];
}

export class SeriesIndexWriter {
  readonly #pairs: LabelPairs;
  readonly #keys: KeyCollector;
  readonly #entries = new ByteWriter(1 << 16);
  /** Start of each stream's entries. There is one more element than there are streams. */
  #entryStarts = new Uint32Array(64);
  #chunkCounts = new Uint32Array(64);
  readonly #sampleNames = new Map<string, SampleName>();
  #baseNanos: bigint | undefined;
  /** Memory for encoding the tables of one label, which is reused for the next. */
  readonly #scratch = new ByteWriter(1024);
  readonly #refs = new ByteWriter(4096);
  readonly #sink: PieceSink;
  readonly #pause: () => Promise<void>;

  /**
   * Creates a writer. `seed` is a secret number for hash functions; `pause` is awaited about every
   * millisecond.
   */
  constructor(sink: PieceSink, seed: number, pause: () => Promise<void>) {
    this.#pairs = new LabelPairs(seed);
    this.#keys = new KeyCollector(this.#pairs);
    this.#sink = sink;
    this.#pause = pause;
  }

  get streamCount(): number {
    return this.#keys.length;
  }

  /** Begins a stream; the next entries belong to it. */
  beginStream(key: StreamKey): void {
    this.#keys.add(key);
    this.#entryStarts = grown(this.#entryStarts, this.#keys.length + 1);
    this.#chunkCounts = grown(this.#chunkCounts, this.#keys.length);
    this.#entryStarts[this.#keys.length] = this.#entries.length;
  }

  addChunk(entry: ChunkEntry): void {
    this.#baseNanos ??= entry.digests[0].firstNanos;
    encodeChunkEntry(this.#entries, entry, this.#baseNanos);
    this.#chunkCounts[this.#keys.length - 1] += 1;
    this.#entryStarts[this.#keys.length] = this.#entries.length;
  }

  /** Records that samples of the stream have a string label with this name. */
  addSampleName(key: StreamKey, name: string): void {
    let known = this.#sampleNames.get(name);
    if (known === undefined) {
      known = { lists: [[], []] };
      this.#sampleNames.set(name, known);
    }
    const list = known.lists[labelValue(key.labels, name) === '' ? 0 : 1];
    if (list.at(-1) !== this.#keys.length - 1) list.push(this.#keys.length - 1);
  }

  /** Writes everything. Returns the pieces of the directory. */
  async finish(): Promise<Piece[]> {
    const keys = await this.#keys.sort(this.#pause);
    const groups = await this.#writeGroups(keys);
    const labels = await this.#writeLabels(keys);
    const shapePostings = await this.#writeShapes(keys);
    const sampleNames = await this.#writeSampleNames(keys.order);
    const directory = {
      baseNanos: this.#baseNanos ?? 0n,
      streamCount: this.streamCount,
      shapes: keys.shapes.map((shape, i) => ({ ...shape, postings: shapePostings[i] })),
      labelCount: keys.labels.names.length,
      labels,
      sampleNames,
      groups,
    };
    return this.#sink.writeMany(await encodeDirectory(directory, this.#pause));
  }

  async #writeGroups(keys: SortedKeys): Promise<Piece[]> {
    const groups: Piece[] = [];
    const lengths = new ByteWriter(1024);
    const bodies = new ByteWriter(1 << 14);
    for (let first = 0; first < keys.order.length; first += streamsPerGroup) {
      lengths.length = 0;
      bodies.length = 0;
      for (const stream of keys.order.subarray(first, first + streamsPerGroup)) {
        const start = bodies.length;
        this.#encodeStream(bodies, keys, stream);
        lengths.varint(bodies.length - start);
      }
      lengths.raw(bodies.bytes.subarray(0, bodies.length));
      groups.push(await this.#sink.writeOne(lengths.bytes.subarray(0, lengths.length)));
      await this.#pause();
    }
    return groups;
  }

  #encodeStream(writer: ByteWriter, keys: SortedKeys, stream: number): void {
    const { words, starts, labels } = keys;
    const end = starts[stream + 1];
    writer.varint(words[starts[stream]]);
    writer.varint(end - starts[stream] - 1);
    for (let at = starts[stream] + 1; at < end; at += 1) {
      const name = labels.nameOf[words[at]];
      writer.varint(name);
      writer.varint(words[at] - labels.firsts[name]);
    }
    writer.varint(this.#chunkCounts[stream]);
    writer.raw(
      this.#entries.bytes.subarray(this.#entryStarts[stream], this.#entryStarts[stream + 1]),
    );
  }

  /** Writes the values and postings of each label. Returns the labels for the directory. */
  async #writeLabels({ order, words, starts, labels }: SortedKeys): Promise<Uint8Array> {
    const counts = new Uint32Array(labels.rows.length + 1);
    for (let at = 0; at < order.length; at += 1) {
      const stream = order[at];
      for (let word = starts[stream] + 1; word < starts[stream + 1]; word += 1) {
        counts[words[word] + 1] += 1;
      }
      if (at % 8192 === 8191) await this.#pause();
    }
    const { next, refs } = startsOfCounts(counts);
    for (let ref = 0; ref < order.length; ref += 1) {
      const stream = order[ref];
      for (let word = starts[stream] + 1; word < starts[stream + 1]; word += 1) {
        const label = words[word];
        refs[next[label]] = ref;
        next[label] += 1;
      }
      if (ref % 8192 === 8191) await this.#pause();
    }
    const tables = new ByteWriter(4096);
    for (const [rank, name] of labels.names.entries()) {
      const first = labels.firsts[rank];
      const end = labels.firsts[rank + 1];
      const start = first === 0 ? 0 : next[first - 1];
      const values = await this.#writeValues(labels.rows.subarray(first, end));
      const lists = splitLists(refs, next.subarray(first, end), start);
      encodeLabel(tables, name, end - first, values, await this.#writePostings(lists));
    }
    return tables.bytes.subarray(0, tables.length);
  }

  async #writeShapes({ order, shapes, words, starts }: SortedKeys): Promise<Piece[][]> {
    const counts = new Uint32Array(shapes.length + 1);
    for (const stream of order) counts[words[starts[stream]] + 1] += 1;
    const { next, refs } = startsOfCounts(counts);
    for (let ref = 0; ref < order.length; ref += 1) {
      const shape = words[starts[order[ref]]];
      refs[next[shape]] = ref;
      next[shape] += 1;
    }
    const postings: Piece[][] = [];
    for (const list of splitLists(refs, next, 0)) postings.push(await this.#writePostings([list]));
    return postings;
  }

  async #writeSampleNames(order: Uint32Array): Promise<Map<string, Piece[]>> {
    const refByRank = new Uint32Array(order.length);
    for (let ref = 0; ref < order.length; ref += 1) refByRank[order[ref]] = ref;
    const tables = new Map<string, Piece[]>();
    for (const [name, { lists }] of this.#sampleNames) {
      const refs = lists.map((list) =>
        Uint32Array.from(list, (stream) => refByRank[stream]).sort(),
      );
      tables.set(name, await this.#writePostings(refs));
    }
    return tables;
  }

  async #writeValues(labels: Uint32Array): Promise<Piece[]> {
    const writer = this.#scratch;
    writer.length = 0;
    const bytesAt = (i: number): Uint8Array => this.#pairs.valueBytes(labels[i]);
    await encodeTexts(writer, labels.length, bytesAt, this.#pause);
    return this.#sink.writeMany(writer.bytes.subarray(0, writer.length));
  }

  async #writePostings(lists: Iterable<Uint32Array>): Promise<Piece[]> {
    const writer = this.#scratch;
    writer.length = 0;
    await encodePostings(writer, lists, this.#refs, this.#pause);
    return this.#sink.writeMany(writer.bytes.subarray(0, writer.length));
  }
}

/**
 * Returns the start of each list, and memory for all lists. Element i + 1 of `counts` is the length
 * of list i.
 */
function startsOfCounts(counts: Uint32Array): { next: Uint32Array; refs: Uint32Array } {
  for (let i = 1; i < counts.length; i += 1) counts[i] += counts[i - 1];
  return { next: counts.subarray(0, -1), refs: new Uint32Array(counts[counts.length - 1]) };
}

/**
 * Yields each list of `refs`. `next` has the end of each list; the first list begins at `start`.
 */
function* splitLists(refs: Uint32Array, next: Uint32Array, start: number): Generator<Uint32Array> {
  let from = start;
  for (const end of next) {
    yield refs.subarray(from, end);
    from = end;
  }
}
