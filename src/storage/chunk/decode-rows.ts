// Gives back the rows of a range of a chunk's profiles as plain columns.
import { chunkRowsMax } from '../../base/limits.ts';
import { grown } from '../../model/column.ts';
import type { ChunkSections } from './chunk-bytes.ts';
import { damaged } from './chunk-format.ts';
import type { ChunkInput } from './chunk-input.ts';
import { RowsCursor } from './rows-cursor.ts';
import { RowsIndex } from './rows-index.ts';
import { factorOf, labelsPlace, multiply, StackDictionary } from './stack-dictionary.ts';

/** Rows as in ChunkInput, those of the first asked profile first. Ownership: the caller's. */
export type DecodedRows = Pick<
  ChunkInput,
  'profileCount' | 'rowStart' | 'stacks' | 'sampleLabels' | 'values'
>;

/**
 * Rows of profiles `first` .. `end`. They come by frequency of their stacks; those that are 0 in
 * every plane are not kept.
 *
 * Errors: AppError 'data-loss', also when the bytes speak of more than chunkRowsMax rows.
 */
export function decodeRows(chunk: ChunkSections, first: number, end: number): DecodedRows {
  const decoder = new RowsDecoder(chunk, end - first);
  decoder.decode(first, end);
  return decoder.finish();
}

class RowsDecoder {
  private readonly dictionary = new StackDictionary();
  private readonly index = new RowsIndex();
  /** Planes that have bytes. */
  private readonly stored: readonly number[];
  private readonly hasLabels: boolean;
  private readonly rowStart: Uint32Array;
  private profileCount = 0;
  private rowCount = 0;
  private entries = new Uint32Array(0);
  private labels = new Uint32Array(0);
  /** By stored plane. */
  private values: BigInt64Array[];
  /** By stored plane: each entry's number in the last profile, where profiles are changes. */
  private state: BigInt64Array[] = [];

  constructor({ stacks, rows }: ChunkSections, profileCount: number) {
    if (rows === undefined) throw damaged('its rows are not there');
    const { dictionary, index } = this;
    dictionary.read(stacks);
    const { planes, entryCount } = dictionary;
    this.stored = Array.from(planes.keys()).filter((plane) => planes[plane].isStored);
    this.hasLabels = dictionary.labelsPlace === labelsPlace.rows;
    index.read(rows, this.stored.length, entryCount, this.hasLabels);
    if (index.profileCount !== dictionary.profileCount) throw damaged('its rows are of another');
    this.rowStart = new Uint32Array(profileCount + 1);
    this.values = this.stored.map(() => new BigInt64Array(0));
  }

  decode(first: number, end: number): void {
    const { index } = this;
    const full = new RowsCursor(index, index.full);
    const changes = new RowsCursor(index, index.changes);
    full.rewind();
    changes.rewind();
    let start = 0;
    for (let page = 0; page < index.pageCount && start < end; page += 1) {
      const next = start + index.profilesOf(page);
      const from = Math.max(first, start);
      const to = Math.min(end, next);
      if (index.isChanges(page)) {
        if (to > from) this.decodeChanges(changes, start, from, to);
        else changes.skipPage(page);
      } else if (page + 1 < index.pageCount && index.isChanges(page + 1)) {
        const isNeeded = next + index.profilesOf(page + 1) > first;
        if (isNeeded) this.decodeState(full, from < to);
        else full.skipPage(page);
      } else if (to > from) {
        full.skipProfiles(from - start);
        for (let profile = from; profile < to; profile += 1) this.decodeWhole(full);
      } else {
        full.skipPage(page);
      }
      start = next;
    }
  }

  finish(): DecodedRows {
    const { dictionary, rowCount, profileCount, rowStart, stored } = this;
    const { planes } = dictionary;
    const entries = this.entries.subarray(0, rowCount);
    const values = planes.map(({ isStored, factor }, plane) => {
      const own = this.values[isStored ? stored.indexOf(plane) : 0].slice(0, rowCount);
      multiply(own, rowCount, factorOf(planes, plane));
      if (!isStored) multiply(own, rowCount, factor);
      return own;
    });
    const ofEntries = dictionary.labelsPlace === labelsPlace.entries;
    const byEntry = ofEntries ? entries.map((entry) => dictionary.labels[entry]) : undefined;
    return {
      profileCount,
      rowStart,
      stacks: entries.map((entry) => dictionary.stacks[entry]),
      sampleLabels: this.hasLabels ? this.labels.slice(0, rowCount) : byEntry,
      values,
    };
  }

  private reserve(rows: number): void {
    if (this.rowCount + rows > chunkRowsMax) {
      throw damaged(`it speaks of more than ${chunkRowsMax} rows`);
    }
    const needed = this.rowCount + rows;
    this.entries = grown(this.entries, needed);
    if (this.hasLabels) this.labels = grown(this.labels, needed);
    this.values = this.values.map((plane) => grown(plane, needed));
  }

  private endProfile(rows: number): void {
    this.rowCount += rows;
    this.profileCount += 1;
    this.rowStart[this.profileCount] = this.rowCount;
  }

  private decodeWhole(cursor: RowsCursor): void {
    cursor.readProfile();
    const rows = cursor.rowCount;
    this.reserve(rows);
    const { rowCount } = this;
    this.entries.set(cursor.entries.subarray(0, rows), rowCount);
    this.values.forEach((plane, i) => {
      cursor.readValues(i, new Int32Array(plane.buffer), rowCount);
    });
    if (this.hasLabels) {
      for (let i = 0; i < rows; i += 1) this.labels[rowCount + i] = cursor.labelOf(i);
    }
    this.endProfile(rows);
  }

  /** Reads the whole profile that the next page changes; keeps its rows when it is asked for. */
  private decodeState(cursor: RowsCursor, isAsked: boolean): void {
    this.state = this.stored.map(() => new BigInt64Array(this.dictionary.entryCount));
    this.addChanges(cursor);
    if (isAsked) this.appendState();
  }

  private decodeChanges(cursor: RowsCursor, start: number, from: number, to: number): void {
    for (let profile = start; profile < to; profile += 1) {
      this.addChanges(cursor);
      if (profile >= from) this.appendState();
    }
  }

  private addChanges(cursor: RowsCursor): void {
    cursor.readProfile();
    const { entries, rowCount } = cursor;
    const numbers = new BigInt64Array(rowCount);
    const words = new Int32Array(numbers.buffer);
    this.state.forEach((state, plane) => {
      cursor.readValues(plane, words, 0);
      for (let i = 0; i < rowCount; i += 1) state[entries[i]] += numbers[i];
    });
  }

  private appendState(): void {
    const { state } = this;
    const { entryCount } = this.dictionary;
    const bits = new Int32Array(entryCount);
    for (const plane of state) {
      const words = new Int32Array(plane.buffer);
      for (let i = 0; i < entryCount; i += 1) bits[i] |= words[i * 2] | words[i * 2 + 1];
    }
    let rows = 0;
    for (let i = 0; i < entryCount; i += 1) if (bits[i] !== 0) rows += 1;
    this.reserve(rows);
    const { entries, values } = this;
    let at = this.rowCount;
    for (let entry = 0; entry < entryCount; entry += 1) {
      if (bits[entry] === 0) continue;
      entries[at] = entry;
      for (let plane = 0; plane < state.length; plane += 1) values[plane][at] = state[plane][entry];
      at += 1;
    }
    this.endProfile(rows);
  }
}
