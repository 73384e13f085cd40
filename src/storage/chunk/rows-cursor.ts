// Reads rows of one group forwards: counts, ids and stored numbers, escapes resolved.
import { grown } from '../../model/column.ts';
import { damaged, escapeOf, readUnsigned } from './chunk-format.ts';
import type { GroupBytes, RowsIndex } from './rows-index.ts';

/**
 * A place in a group. `skipTo` and `readProfile` go forwards only; `jump` to where a page starts.
 *
 * Ownership: `entries` is valid until the next `readProfile`.
 */
export class RowsCursor {
  /** Rows of the profile that was read last, and their entries. */
  rowCount = 0;
  entries = new Uint32Array(1024);
  /** First row of that profile in the group. */
  firstRow = 0;
  private readonly index: RowsIndex;
  private readonly group: GroupBytes;
  private profile = 0;
  private row = 0;
  private gapEscape = 0;
  /** By plane: how many escapes lie before the row that is read next. */
  private readonly escape: number[] = [];

  constructor(index: RowsIndex, group: GroupBytes) {
    this.index = index;
    this.group = group;
  }

  rewind(): void {
    this.profile = 0;
    this.row = 0;
    this.gapEscape = 0;
    for (let plane = 0; plane < this.index.planeCount; plane += 1) this.escape[plane] = 0;
  }

  /** Moves over a whole page. */
  skipPage(page: number): void {
    const { index } = this;
    this.profile += index.profilesOf(page);
    this.row += index.rowsOf(page);
    this.gapEscape += index.gapEscapesOf(page);
    for (let plane = 0; plane < index.planeCount; plane += 1) {
      this.escape[plane] += index.escapesOf(page, plane);
    }
  }

  /** Moves over `count` profiles, reading only what says how many escapes they have. */
  skipProfiles(count: number): void {
    const { group, index } = this;
    let rows = 0;
    for (let i = 0; i < count; i += 1) rows += this.nextCount();
    const gapsAt = group.gapsAt + this.row * group.gapWidth;
    this.gapEscape += countEscapes(index.bytes, gapsAt, group.gapWidth, rows);
    for (let plane = 0; plane < index.planeCount; plane += 1) {
      const width = group.valueWidths[plane];
      const valuesAt = group.valuesAt[plane] + this.row * width;
      this.escape[plane] += countEscapes(index.bytes, valuesAt, width, rows);
    }
    this.row += rows;
  }

  /** Reads the entries of the next profile. Errors: AppError 'data-loss'. */
  readProfile(): void {
    const { group, index } = this;
    const { bytes } = index;
    const { gapWidth } = group;
    const count = this.nextCount();
    this.firstRow = this.row;
    this.rowCount = count;
    this.entries = grown(this.entries, count);
    const { entries } = this;
    let at = group.gapsAt + this.row * gapWidth;
    let entry = 0;
    const escape = escapeOf[gapWidth];
    for (let i = 0; i < count; i += 1) {
      const gap = gapWidth === 1 ? bytes[at] : readUnsigned(bytes, at, gapWidth);
      at += gapWidth;
      entry += gap === escape ? this.nextGap() : gap;
      entries[i] = entry;
    }
    if (entry >= index.entryCount && count > 0) throw damaged(`it has no stack ${entry}`);
    this.row += count;
  }

  /**
   * The stored numbers of one plane for the profile read last, as int64 in the words from
   * `into` x 2 on. Call it once for each plane and profile, or for none.
   */
  readValues(plane: number, words: Int32Array, into: number): void {
    const { group, index, rowCount } = this;
    const { bytes } = index;
    const width = group.valueWidths[plane];
    const isSigned = group.isSigned[plane];
    const escape = escapeOf[width];
    let at = group.valuesAt[plane] + this.firstRow * width;
    for (let to = into * 2; to < (into + rowCount) * 2; to += 2) {
      if (width === 8) {
        words[to] = readUnsigned(bytes, at, 4);
        words[to + 1] = readUnsigned(bytes, at + 4, 4);
      } else {
        const number = readUnsigned(bytes, at, width);
        if (number === escape) {
          const from = this.nextEscape(plane);
          words[to] = readUnsigned(bytes, from, 4);
          words[to + 1] = readUnsigned(bytes, from + 4, 4);
        } else if (isSigned) {
          words[to] = (number >>> 1) ^ -(number & 1);
          words[to + 1] = -(number & 1);
        } else {
          words[to] = number;
          words[to + 1] = 0;
        }
      }
      at += width;
    }
  }

  /**
   * The stored numbers of one plane as doubles into `numbers`; those that are not exact are 0
   * there and go to `low` and `high` instead, multiplied by `weight`, by entry.
   */
  readNumbers(
    plane: number,
    numbers: Float64Array,
    low: Float64Array,
    high: Float64Array,
    weight: number,
  ): void {
    const { group, index, rowCount, entries } = this;
    const { bytes } = index;
    const width = group.valueWidths[plane];
    const isSigned = group.isSigned[plane];
    const escape = escapeOf[width];
    let at = group.valuesAt[plane] + this.firstRow * width;
    for (let i = 0; i < rowCount; i += 1) {
      const number = width === 8 ? 0 : readUnsigned(bytes, at, width);
      numbers[i] = isSigned ? ((number & 1) === 0 ? number / 2 : -(number + 1) / 2) : number;
      if (width === 8 || number === escape) {
        const from = width === 8 ? at : this.nextEscape(plane);
        numbers[i] = 0;
        low[entries[i]] += weight * readUnsigned(bytes, from, 4);
        high[entries[i]] += weight * (readUnsigned(bytes, from + 4, 4) | 0);
      }
      at += width;
    }
  }

  /** SampleLabelsIndex of row `i` of the profile read last. */
  labelOf(i: number): number {
    const { labelWidth, labelsAt, labelBase } = this.group;
    const at = labelsAt + (this.firstRow + i) * labelWidth;
    const number = readUnsigned(this.index.bytes, at, labelWidth);
    return number === 0 ? 0 : number + labelBase - 1;
  }

  private nextCount(): number {
    const { group, index } = this;
    const at = group.countsAt + this.profile * group.countWidth;
    const count = readUnsigned(index.bytes, at, group.countWidth);
    if (count > group.rowCount - this.row)
      throw damaged(`profile ${this.profile} has ${count} rows`);
    this.profile += 1;
    return count;
  }

  private nextGap(): number {
    const { group, index } = this;
    if (this.gapEscape >= group.gapEscapes) throw damaged('escapes of its stacks are missing');
    const gap = readUnsigned(index.bytes, group.gapEscapesAt + this.gapEscape * 4, 4);
    this.gapEscape += 1;
    return gap;
  }

  /** Where the 8 bytes of the plane's next escape are. */
  private nextEscape(plane: number): number {
    const at = this.escape[plane];
    if (at >= this.group.escapes[plane]) throw damaged('escapes of its values are missing');
    this.escape[plane] = at + 1;
    return this.group.escapesAt[plane] + at * 8;
  }
}

function countEscapes(bytes: Uint8Array, at: number, width: number, count: number): number {
  if (width === 8) return 0;
  const escape = escapeOf[width];
  let found = 0;
  for (let i = 0; i < count; i += 1) {
    const number = width === 1 ? bytes[at + i] : readUnsigned(bytes, at + i * width, width);
    if (number === escape) found += 1;
  }
  return found;
}
