// Converts chunks of streams to tables with one row per sample value. Each table has a limited
// number of rows.
import type { SampleTable, Words } from '../../../src/formats/sample-table/sample-table.ts';
import { StackTexts } from '../../../src/formats/stack-text.ts';
import type { Dictionary } from '../../../src/model/dictionary.ts';
import { formatProfileType } from '../../../src/model/profile-type.ts';
import type { SampleLabelsIndex, StackIndex, StringIndex } from '../../../src/model/rows.ts';
import type { ChunkInput } from '../../../src/storage/chunk/chunk-data.ts';
import { listProfileTypes, type StreamKey } from '../../../src/storage/series/stream-key.ts';

/** Distinct strings in a table. */
class WordColumn {
  readonly indices: Uint32Array;
  readonly #texts: string[] = [];
  readonly #rows = new Map<string, number>();

  constructor(rowsMax: number) {
    this.indices = new Uint32Array(rowsMax);
  }

  intern(text: string): number {
    let row = this.#rows.get(text);
    if (row === undefined) {
      row = this.#texts.push(text) - 1;
      this.#rows.set(text, row);
    }
    return row;
  }

  take(rowCount: number): Words {
    const words = { indices: this.indices.slice(0, rowCount), texts: [...this.#texts] };
    this.#texts.length = 0;
    this.#rows.clear();
    return words;
  }
}

/** Rows of a block. Omits values of 0; in memory profiles, most values are 0. */
export class SampleRows {
  readonly #dictionary: Dictionary;
  readonly #stackTexts: StackTexts;
  readonly #rowsMax: number;
  #rowCount = 0;
  readonly #timeNanos: BigInt64Array;
  readonly #durationNanos: BigInt64Array;
  readonly #period: BigInt64Array;
  readonly #value: BigInt64Array;
  readonly #profileType: WordColumn;
  readonly #labels: WordColumn;
  readonly #sampleLabels: WordColumn;
  readonly #stack: WordColumn;
  /** For each row of the dictionary, the row in the current table's word column. */
  readonly #stackRows = new Map<number, number>();
  readonly #sampleLabelRows = new Map<number, number>();

  constructor(dictionary: Dictionary, rowsMax: number) {
    dictionary.deriveCallNodes();
    this.#dictionary = dictionary;
    this.#stackTexts = new StackTexts(dictionary);
    this.#rowsMax = rowsMax;
    this.#timeNanos = new BigInt64Array(rowsMax);
    this.#durationNanos = new BigInt64Array(rowsMax);
    this.#period = new BigInt64Array(rowsMax);
    this.#value = new BigInt64Array(rowsMax);
    this.#profileType = new WordColumn(rowsMax);
    this.#labels = new WordColumn(rowsMax);
    this.#sampleLabels = new WordColumn(rowsMax);
    this.#stack = new WordColumn(rowsMax);
  }

  /** Adds a chunk, and yields each table that becomes full. */
  *add(key: StreamKey, chunk: ChunkInput): Generator<SampleTable> {
    const labels = JSON.stringify(Object.fromEntries(key.labels.map((it) => [it.name, it.value])));
    const types = listProfileTypes(key).map(formatProfileType);
    for (let profile = 0; profile < chunk.profileCount; profile += 1) {
      for (let row = chunk.rowStart[profile]; row < chunk.rowStart[profile + 1]; row += 1) {
        for (let valueColumn = 0; valueColumn < types.length; valueColumn += 1) {
          const value = chunk.values[valueColumn][row];
          if (value === 0n) continue;
          if (this.#rowCount === this.#rowsMax) yield this.#take();
          const at = this.#rowCount;
          this.#rowCount += 1;
          this.#timeNanos[at] = chunk.timeNanos[profile];
          this.#durationNanos[at] = chunk.durationNanos[profile];
          this.#period[at] = chunk.period[profile];
          this.#value[at] = value;
          this.#profileType.indices[at] = this.#profileType.intern(types[valueColumn]);
          this.#labels.indices[at] = this.#labels.intern(labels);
          this.#stack.indices[at] = this.#stackRow(chunk.stacks[row]);
          this.#sampleLabels.indices[at] = this.#sampleLabelRow(chunk.sampleLabels?.[row] ?? 0);
        }
      }
    }
  }

  /** Returns the last table; undefined if no rows are left. */
  finish(): SampleTable | undefined {
    return this.#rowCount === 0 ? undefined : this.#take();
  }

  #take(): SampleTable {
    const rowCount = this.#rowCount;
    this.#rowCount = 0;
    this.#stackRows.clear();
    this.#sampleLabelRows.clear();
    return {
      rowCount,
      timeNanos: this.#timeNanos.slice(0, rowCount),
      durationNanos: this.#durationNanos.slice(0, rowCount),
      period: this.#period.slice(0, rowCount),
      value: this.#value.slice(0, rowCount),
      profileType: this.#profileType.take(rowCount),
      labels: this.#labels.take(rowCount),
      sampleLabels: this.#sampleLabels.take(rowCount),
      stack: this.#stack.take(rowCount),
    };
  }

  #stackRow(stack: number): number {
    let row = this.#stackRows.get(stack);
    if (row === undefined) {
      const node = this.#dictionary.callNodeOfStack(stack as StackIndex);
      row = this.#stack.intern(this.#stackTexts.format(node));
      this.#stackRows.set(stack, row);
    }
    return row;
  }

  #sampleLabelRow(labels: number): number {
    let row = this.#sampleLabelRows.get(labels);
    if (row === undefined) {
      row = this.#sampleLabels.intern(
        sampleLabelsJson(this.#dictionary, labels as SampleLabelsIndex),
      );
      this.#sampleLabelRows.set(labels, row);
    }
    return row;
  }
}

/**
 * Formats sample labels as JSON. Numbers are strings with a unit, because JSON numbers cannot hold
 * every int64 exactly.
 */
function sampleLabelsJson({ sampleLabels, strings }: Dictionary, row: SampleLabelsIndex): string {
  const object: Record<string, string> = {};
  const text = (of: number): string => strings.text(of as StringIndex);
  for (let i = sampleLabels.entryStart[row]; i < sampleLabels.entryStart[row + 1]; i += 1) {
    const isText = sampleLabels.text[i] !== 0;
    const number = `${sampleLabels.number[i]}${text(sampleLabels.unit[i])}`;
    object[text(sampleLabels.key[i])] = isText ? text(sampleLabels.text[i]) : number;
  }
  return JSON.stringify(object);
}
