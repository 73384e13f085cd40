// Puts lists of rows into shared memory, so that all merge workers read the same copy.
import type { RowRuns, RunFilters } from '../../model/merge.ts';
import type { RowSegment } from '../selection.ts';
import type { ChunkTask } from './chunk-sums.ts';
import type { RowList } from './row-lists.ts';

/** Rows to be summed. The rows are already in shared memory; the lists of them are not. */
export type ListTask = Pick<RowList, 'runs' | 'chunks' | 'chunkCost'>;

/** A list of rows whose columns are in shared memory. */
export interface SharedList {
  readonly runs: RowRuns;
  readonly chunks: SharedChunks;
}

/**
 * Chunks of a list, stored as columns, because posting one object for each chunk takes longer than
 * summing a small chunk.
 */
export interface SharedChunks {
  readonly length: number;
  /** Cost of all chunks. */
  readonly cost: number;
  /** `wordsPerChunk` words for each chunk. */
  readonly words: Uint32Array;
  /** Distinct row filters; element 0 is unused. */
  readonly filters: readonly Uint8Array[];
}

/** Lists in the form that is sent to workers. */
export interface SharedLists {
  readonly lists: readonly SharedList[];
  /** Buffers with the rows that the runs refer to. */
  readonly segments: readonly SharedArrayBuffer[];
  /** Buffers with the bytes that the chunks refer to. */
  readonly buffers: readonly SharedArrayBuffer[];
  /** Size of the lists, in bytes, without the memory that they refer to. */
  readonly ownBytes: number;
}

/**
 * Number of words for each chunk. Words 0 to 2 are the chunk's dictionary: the number of its
 * buffer, and its start and length in bytes. Words 3 to 5 are the same for the chunk's rows. The
 * other words are the value column, the first profile, the end of the profiles, the cost, and the
 * number of the row filter (0 = none).
 */
const wordsPerChunk = 11;
/** Buffer number of a chunk without rows. */
const noBuffer = 0xffff_ffff;

/** Copies lists into shared memory. The runs of the lists refer to `segments`. */
export function shareLists(
  tasks: readonly ListTask[],
  segments: readonly RowSegment[],
): SharedLists {
  const words = tasks.reduce((sum, task) => sum + countWords(task), 0);
  const memory = new SharedWords(words);
  const buffers = new BufferTable();
  const lists = tasks.map(({ runs, chunks, chunkCost }) => ({
    runs: shareRuns(runs, memory),
    chunks: { ...shareChunks(chunks, memory, buffers), cost: chunkCost },
  }));
  const memories = segments.map(({ buffer }) => buffer);
  return { lists, segments: memories, buffers: buffers.all, ownBytes: words * 4 };
}

/** Returns chunk `i`, whose bytes are views of `buffers`. */
export function chunkAt(
  { words, filters }: SharedChunks,
  i: number,
  buffers: readonly SharedArrayBuffer[],
): ChunkTask {
  const at = i * wordsPerChunk;
  const view = (from: number): Uint8Array<SharedArrayBuffer> =>
    new Uint8Array(buffers[words[from]], words[from + 1], words[from + 2]);
  return {
    chunk: { stacks: view(at), rows: words[at + 3] === noBuffer ? undefined : view(at + 3) },
    valueColumn: words[at + 6],
    first: words[at + 7],
    end: words[at + 8],
    cost: words[at + 9],
    rowFilter: words[at + 10] === 0 ? undefined : filters[words[at + 10]],
  };
}

function countWords({ runs, chunks }: ListTask): number {
  const columnCount = runs.filters === undefined ? 4 : 6;
  return runs.length * columnCount + chunks.length * wordsPerChunk;
}

function shareRuns(runs: RowRuns, memory: SharedWords): RowRuns {
  const { length, rowCount, filters } = runs;
  const share = (column: Uint32Array): Uint32Array => memory.copy(column.subarray(0, length));
  return {
    length,
    rowCount,
    memory: share(runs.memory),
    valueStart: share(runs.valueStart),
    stackStart: share(runs.stackStart),
    rows: share(runs.rows),
    filters: filters && shareFilters(filters, share),
  };
}

function shareFilters(
  { filters, filter, labelStart }: RunFilters,
  share: (column: Uint32Array) => Uint32Array,
): RunFilters {
  return { filters, filter: share(filter), labelStart: share(labelStart) };
}

function shareChunks(
  tasks: readonly ChunkTask[],
  memory: SharedWords,
  buffers: BufferTable,
): Omit<SharedChunks, 'cost'> {
  const words = memory.take(tasks.length * wordsPerChunk);
  const filters: Uint8Array[] = [new Uint8Array(0)];
  const filterRows = new Map<Uint8Array | undefined, number>([[undefined, 0]]);
  for (const [i, { chunk, valueColumn, first, end, cost, rowFilter }] of tasks.entries()) {
    let filter = filterRows.get(rowFilter);
    if (filter === undefined && rowFilter !== undefined) {
      filter = filters.push(rowFilter) - 1;
      filterRows.set(rowFilter, filter);
    }
    const own = [...buffers.place(chunk.stacks), ...buffers.place(chunk.rows)];
    words.set([...own, valueColumn, first, end, cost, filter ?? 0], i * wordsPerChunk);
  }
  return { length: tasks.length, words, filters };
}

/** A block of shared memory, from which arrays are allocated one after the other. */
class SharedWords {
  readonly #words: Uint32Array;
  #used = 0;

  constructor(length: number) {
    this.#words = new Uint32Array(new SharedArrayBuffer(length * 4));
  }

  take(length: number): Uint32Array {
    const taken = this.#words.subarray(this.#used, this.#used + length);
    this.#used += length;
    return taken;
  }

  copy(column: Uint32Array): Uint32Array {
    const copy = this.take(column.length);
    copy.set(column);
    return copy;
  }
}

/** Distinct buffers. */
class BufferTable {
  readonly all: SharedArrayBuffer[] = [];
  readonly #rows = new Map<SharedArrayBuffer, number>();

  /** Returns the number of the buffer that contains the bytes, and their start and length in it. */
  place(bytes: Uint8Array<SharedArrayBuffer> | undefined): [number, number, number] {
    if (bytes === undefined) return [noBuffer, 0, 0];
    const { buffer, byteOffset, byteLength } = bytes;
    let row = this.#rows.get(buffer);
    if (row === undefined) {
      row = this.all.push(buffer) - 1;
      this.#rows.set(buffer, row);
    }
    return [row, byteOffset, byteLength];
  }
}
