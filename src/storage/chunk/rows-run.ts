// Consecutive profiles of a rows section: the offsets of their columns, and simple loops that read
// them.
import { grown } from '../../model/column.ts';
import { damaged, escapeByWidth, readUnsigned } from './chunk-format.ts';
import type { PlacedNumbers } from './number-column.ts';
import type { GroupBytes, RowsIndex } from './rows-index.ts';

/**
 * Consecutive profiles, all whole or all changes. Fields that end in `At` and `End` are byte
 * offsets in the section.
 */
export interface RowsRun {
  bytes: Uint8Array;
  profiles: number;
  rows: number;
  /** Number of rows of each profile. */
  counts: Uint32Array;
  gapWidth: number;
  gapsAt: number;
  gapEscapesAt: number;
  gapEscapesEnd: number;
  labelWidth: number;
  labelBase: number;
  labelsAt: number;
  readonly valueColumns: PlacedNumbers[];
  /** Number of entries of the chunk. The entry of each row must be smaller. */
  entryCount: number;
}

/**
 * Walks forwards over the pages of one group. Ownership: `take` returns `run`, which is valid until
 * the next call.
 */
export class RowsWalker {
  readonly run: RowsRun = {
    bytes: new Uint8Array(0),
    profiles: 0,
    rows: 0,
    counts: new Uint32Array(64),
    gapWidth: 1,
    gapsAt: 0,
    gapEscapesAt: 0,
    gapEscapesEnd: 0,
    labelWidth: 0,
    labelBase: 0,
    labelsAt: 0,
    valueColumns: [],
    entryCount: 0,
  };
  readonly #index: RowsIndex;
  readonly #group: GroupBytes;
  /** Numbers of profiles, rows and escapes before the next page. */
  #profile = 0;
  #row = 0;
  #gapEscape = 0;
  readonly #escape: number[] = [];

  constructor(index: RowsIndex, group: GroupBytes) {
    this.#index = index;
    this.#group = group;
  }

  /** Moves to the first page of the section that `index` has read. */
  rewind(): void {
    this.#profile = 0;
    this.#row = 0;
    this.#gapEscape = 0;
    this.run.valueColumns.length = 0;
    for (let valueColumn = 0; valueColumn < this.#index.valueColumnCount; valueColumn += 1) {
      this.#escape[valueColumn] = 0;
      this.run.valueColumns.push({ width: 1, isSigned: false, at: 0, escapesAt: 0, escapesEnd: 0 });
    }
  }

  /** Skips a page. */
  skip(page: number): void {
    const index = this.#index;
    this.#profile += index.countProfiles(page);
    this.#row += index.countRows(page);
    this.#gapEscape += index.countGapEscapes(page);
    for (let valueColumn = 0; valueColumn < index.valueColumnCount; valueColumn += 1) {
      this.#escape[valueColumn] += index.countEscapes(page, valueColumn);
    }
  }

  /**
   * Moves over pages `page` .. `pageEnd` of the group and returns their profiles `from` .. `to`.
   * Profiles are counted from the first of these pages. Errors: AppError 'data-loss'.
   */
  take(page: number, pageEnd: number, from: number, to: number): RowsRun {
    const { run } = this;
    const group = this.#group;
    const index = this.#index;
    const { bytes } = index;
    const firstRow = this.#row;
    const rowsBefore = this.#readCounts(from, to);
    const row = firstRow + rowsBefore;
    run.bytes = bytes;
    run.entryCount = index.entryCount;
    run.gapWidth = group.gapWidth;
    run.gapsAt = group.gapsAt + row * group.gapWidth;
    run.labelWidth = group.labelWidth;
    run.labelBase = group.labelBase;
    run.labelsAt = group.labelsAt + row * group.labelWidth;
    run.gapEscapesAt = group.gapEscapesAt + this.#gapEscape * 4;
    for (const [valueColumn, of] of run.valueColumns.entries()) {
      of.width = group.valueWidths[valueColumn];
      of.isSigned = group.isSigned[valueColumn];
      of.at = group.valuesAt[valueColumn] + row * of.width;
      of.escapesAt = group.escapesAt[valueColumn] + this.#escape[valueColumn] * 8;
    }
    if (rowsBefore > 0) this.#skipEscapes(firstRow, rowsBefore);
    for (let i = page; i < pageEnd; i += 1) this.skip(i);
    run.gapEscapesEnd = group.gapEscapesAt + this.#gapEscape * 4;
    for (const [valueColumn, of] of run.valueColumns.entries()) {
      of.escapesEnd = group.escapesAt[valueColumn] + this.#escape[valueColumn] * 8;
    }
    if (row + run.rows > this.#row) throw damaged(`page ${page} has too many rows`);
    return run;
  }

  /** Reads the row counts of profiles `from` .. `to` and returns the number of rows before them. */
  #readCounts(from: number, to: number): number {
    const { run } = this;
    const group = this.#group;
    const index = this.#index;
    const { bytes } = index;
    const { countWidth } = group;
    const at = group.countsAt + this.#profile * countWidth;
    let before = 0;
    for (let i = 0; i < from; i += 1)
      before += readUnsigned(bytes, at + i * countWidth, countWidth);
    run.counts = grown(run.counts, to - from);
    run.profiles = to - from;
    run.rows = readAll(bytes, at + from * countWidth, countWidth, run.counts, to - from);
    return before;
  }

  /** Advances the escapes of the run past those of the next `rows` rows, starting with `row`. */
  #skipEscapes(row: number, rows: number): void {
    const { run } = this;
    const group = this.#group;
    const index = this.#index;
    if (row + rows > group.rowCount) throw damaged('a page has too many rows');
    const gapsAt = group.gapsAt + row * run.gapWidth;
    run.gapEscapesAt += countEscapes(index.bytes, gapsAt, run.gapWidth, rows) * 4;
    for (const [valueColumn, of] of run.valueColumns.entries()) {
      const at = group.valuesAt[valueColumn] + row * of.width;
      of.escapesAt += countEscapes(index.bytes, at, of.width, rows) * 8;
    }
  }
}

/**
 * Reads `count` numbers into `into` and returns their sum. Most row counts have two bytes. A loop
 * for this width takes 1.5 ns a number, and the loop for all widths 2.8 ns.
 */
function readAll(
  bytes: Uint8Array,
  at: number,
  width: number,
  into: Uint32Array,
  count: number,
): number {
  let sum = 0;
  if (width === 2) {
    for (let i = 0; i < count; i += 1) {
      const number = bytes[at + i * 2] | (bytes[at + i * 2 + 1] << 8);
      into[i] = number;
      sum += number;
    }
    return sum;
  }
  for (let i = 0; i < count; i += 1) {
    const number = readUnsigned(bytes, at + i * width, width);
    into[i] = number;
    sum += number;
  }
  return sum;
}

/** Writes the entry of each row into `entries`. Errors: AppError 'data-loss'. */
export function readEntries(run: RowsRun, entries: Uint32Array): void {
  const { bytes, counts, profiles, gapWidth, gapEscapesEnd, entryCount } = run;
  const escape = escapeByWidth[gapWidth];
  let escapeAt = run.gapEscapesAt;
  let at = run.gapsAt;
  let row = 0;
  for (let profile = 0; profile < profiles; profile += 1) {
    let entry = 0;
    for (const end = row + counts[profile]; row < end; row += 1) {
      let gap = gapWidth === 1 ? bytes[at] : readUnsigned(bytes, at, gapWidth);
      if (gap === escape) {
        if (escapeAt >= gapEscapesEnd) throw damaged('escapes of its stacks are missing');
        gap = readUnsigned(bytes, escapeAt, 4);
        escapeAt += 4;
      }
      entry += gap;
      entries[row] = entry;
      at += gapWidth;
    }
    if (entry >= entryCount && counts[profile] > 0) throw damaged(`it has no stack ${entry}`);
  }
}

/** Writes the SampleLabelsIndex of each row into `labels`, starting at element `into`. */
export function readLabels(run: RowsRun, labels: Uint32Array, into: number): void {
  const { bytes, rows, labelsAt, labelWidth, labelBase } = run;
  for (let row = 0; row < rows; row += 1) {
    const number = readUnsigned(bytes, labelsAt + row * labelWidth, labelWidth);
    labels[into + row] = number === 0 ? 0 : number + labelBase - 1;
  }
}

function countEscapes(bytes: Uint8Array, at: number, width: number, count: number): number {
  if (width === 8) return 0;
  const escape = escapeByWidth[width];
  let found = 0;
  for (let i = 0; i < count; i += 1) {
    const number = width === 1 ? bytes[at + i] : readUnsigned(bytes, at + i * width, width);
    if (number === escape) found += 1;
  }
  return found;
}
