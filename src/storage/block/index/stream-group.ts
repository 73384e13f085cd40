// The index entries of a group of streams of a block, decoded one by one.
import { ByteReader } from '../../../base/bytes.ts';
import { AppError } from '../../../base/errors.ts';
import type { Label } from '../../../model/labels.ts';
import type { StreamKey } from '../../series/stream-key.ts';
import { decodeChunkEntry, type ChunkEntry } from './chunk-entry.ts';
import { streamsPerGroup, type Directory } from './directory.ts';
import type { TextColumn } from './text-column.ts';

/** A stream of a block. Its labels and their values are given as numbers in the directory. */
export interface StreamNumbers {
  readonly ref: number;
  /** Number of each label, followed by the number of its value. */
  readonly labels: readonly number[];
  /** Stored profiles, in order of time. */
  readonly chunks: readonly ChunkEntry[];
}

/** One stream of a block. */
export interface StreamEntry {
  readonly ref: number;
  readonly key: StreamKey;
  /** Stored profiles, in order of time. */
  readonly chunks: readonly ChunkEntry[];
  /** Sums over windows. Windows of one length are in order of time. */
  readonly rollups: readonly ChunkEntry[];
}

export class StreamGroup {
  readonly byteLength: number;
  readonly #firstRef: number;
  readonly #bytes: Uint8Array;
  readonly #starts: readonly number[];

  /** Reads a group. Errors: AppError 'data-loss'. */
  constructor(bytes: Uint8Array, group: number) {
    const reader = new ByteReader(bytes);
    const starts = [0];
    let end = 0;
    // The lengths of the entries come first. The entries themselves fill the rest of the bytes.
    while (starts.length <= streamsPerGroup && end < bytes.length - reader.at) {
      end += reader.varint();
      starts.push(end);
    }
    if (end !== bytes.length - reader.at) {
      throw new AppError('data-loss', `cannot read streams of group ${group}: bad lengths`);
    }
    this.#firstRef = group * streamsPerGroup;
    this.#bytes = bytes.subarray(reader.at);
    this.#starts = starts;
    this.byteLength = bytes.length + starts.length * 8;
  }

  /** Adds the labels of the stream `ref` of this group, as label numbers of the directory. */
  addLabels(ref: number, labels: Set<number>): void {
    const reader = this.#openStream(ref);
    reader.varint();
    for (let left = reader.varint(); left > 0; left -= 1) {
      labels.add(reader.varint());
      reader.varint();
    }
  }

  /**
   * Returns the stream `ref` of this group; `labelTexts` has the label values.
   *
   * Errors: AppError 'data-loss'.
   */
  stream(
    ref: number,
    directory: Directory,
    labelTexts: Pick<ReadonlyMap<number, TextColumn>, 'get'>,
  ): StreamEntry {
    const reader = this.#openStream(ref);
    const number = reader.varint();
    const shape = directory.shapes[number];
    if (shape === undefined) throw new AppError('data-loss', `cannot read stream ${ref}: no shape`);
    const labels: Label[] = [];
    for (let left = reader.varint(); left > 0; left -= 1) {
      const label = reader.varint();
      const value = reader.varint();
      const texts = labelTexts.get(label);
      if (texts === undefined || value >= texts.length) {
        throw new AppError('data-loss', `cannot read stream ${ref}: no label ${label}`);
      }
      labels.push({ name: directory.labels.names[label], value: texts.text(value) });
    }
    const { name, sampleTypes, periodType, delta } = shape;
    const chunks: ChunkEntry[] = [];
    const rollups: ChunkEntry[] = [];
    for (let left = reader.varint(); left > 0; left -= 1) {
      const chunk = decodeChunkEntry(reader, sampleTypes.length, directory.baseNanos);
      (chunk.windowSeconds === 0 ? chunks : rollups).push(chunk);
    }
    const key = { labels, name, sampleTypes, periodType, delta };
    return { ref, key, chunks, rollups };
  }

  /** Returns the stream `ref` without its strings. Errors: AppError 'data-loss'. */
  numbers(ref: number, directory: Directory): StreamNumbers {
    const reader = this.#openStream(ref);
    const shape = directory.shapes[reader.varint()];
    if (shape === undefined) throw new AppError('data-loss', `cannot read stream ${ref}: no shape`);
    const labels: number[] = [];
    for (let left = 2 * reader.varint(); left > 0; left -= 1) labels.push(reader.varint());
    const chunks: ChunkEntry[] = [];
    for (let left = reader.varint(); left > 0; left -= 1) {
      const chunk = decodeChunkEntry(reader, shape.sampleTypes.length, directory.baseNanos);
      if (chunk.windowSeconds === 0) chunks.push(chunk);
    }
    return { ref, labels, chunks };
  }

  #openStream(ref: number): ByteReader {
    const row = ref - this.#firstRef;
    return new ByteReader(this.#bytes, this.#starts[row], this.#starts[row + 1]);
  }
}
