// The head of a rows section: the offset of each column, and the size of each page.
import { ByteReader } from '../../base/bytes.ts';
import { checkVersion, damaged } from './chunk-format.ts';
import { checkWidth } from './number-column.ts';
import { labelsPlace, type StackDictionary } from './stack-dictionary.ts';

/** The columns of whole profiles, or of profiles stored as changes. */
export class GroupBytes {
  profileCount = 0;
  rowCount = 0;
  countWidth = 0;
  gapWidth = 0;
  labelWidth = 0;
  labelBase = 0;
  readonly valueWidths: number[] = [];
  readonly isSigned: boolean[] = [];
  countsAt = 0;
  gapsAt = 0;
  labelsAt = 0;
  readonly valuesAt: number[] = [];
  gapEscapes = 0;
  gapEscapesAt = 0;
  /** Number of escapes of each value column. An escape takes 8 bytes. */
  readonly escapes: number[] = [];
  /** Offset of the first escape of each value column. */
  readonly escapesAt: number[] = [];

  /** Reads the widths of the columns. */
  readWidths(reader: ByteReader, valueColumnCount: number, hasLabels: boolean): void {
    this.profileCount = 0;
    this.rowCount = 0;
    this.gapEscapes = 0;
    this.countWidth = checkWidth(reader.u8(), 4);
    this.gapWidth = checkWidth(reader.u8(), 4);
    this.labelWidth = hasLabels ? checkWidth(reader.u8(), 4) : 0;
    this.labelBase = hasLabels ? reader.varint() : 0;
    for (let valueColumn = 0; valueColumn < valueColumnCount; valueColumn += 1) {
      const kind = reader.u8();
      if (kind > 31) throw damaged(`values have kind ${kind}`);
      this.isSigned[valueColumn] = (kind & 16) !== 0;
      this.valueWidths[valueColumn] = checkWidth(kind & 15, 8);
      this.escapes[valueColumn] = 0;
    }
  }

  /**
   * Computes the offsets of the columns, starting at `at`, once the counts are known. Returns the
   * end of the columns.
   */
  place(at: number, valueColumnCount: number): number {
    this.countsAt = at;
    this.gapsAt = this.countsAt + this.profileCount * this.countWidth;
    this.labelsAt = this.gapsAt + this.rowCount * this.gapWidth;
    let end = this.labelsAt + this.rowCount * this.labelWidth;
    for (let valueColumn = 0; valueColumn < valueColumnCount; valueColumn += 1) {
      this.valuesAt[valueColumn] = end;
      end += this.rowCount * this.valueWidths[valueColumn];
    }
    this.gapEscapesAt = end;
    end += this.gapEscapes * 4;
    for (let valueColumn = 0; valueColumn < valueColumnCount; valueColumn += 1) {
      this.escapesAt[valueColumn] = end;
      end += this.escapes[valueColumn] * 8;
    }
    return end;
  }
}

/** Reads the head of a rows section. It is reused for one section after another. */
export class RowsIndex {
  bytes: Uint8Array = new Uint8Array(0);
  entryCount = 0;
  profileCount = 0;
  valueColumnCount = 0;
  pageCount = 0;
  readonly full = new GroupBytes();
  readonly changes = new GroupBytes();
  /**
   * Numbers for each page: profiles x 2 + (1 for changes), rows, escapes of gaps, escapes of each
   * value column.
   */
  #pages = new Uint32Array(64);
  #pageWords = 0;

  /** Reads the rows section that belongs to a stacks section. Errors: AppError 'data-loss'. */
  readFor(dictionary: StackDictionary, bytes: Uint8Array): void {
    const { valueColumns, entryCount, profileCount } = dictionary;
    let valueColumnCount = 0;
    for (const { isStored } of valueColumns) if (isStored) valueColumnCount += 1;
    this.#read(bytes, valueColumnCount, entryCount, dictionary.labelsPlace === labelsPlace.rows);
    if (this.profileCount !== profileCount) throw damaged('its rows belong to other profiles');
  }

  #read(bytes: Uint8Array, valueColumnCount: number, entryCount: number, hasLabels: boolean): void {
    const reader = new ByteReader(bytes);
    this.bytes = bytes;
    checkVersion(reader);
    const flags = reader.u8();
    if (flags > 3 || (flags & 1) !== (hasLabels ? 1 : 0)) throw damaged(`rows have flags ${flags}`);
    const hasChanges = (flags & 2) !== 0;
    this.profileCount = reader.varint();
    this.entryCount = reader.varint();
    this.valueColumnCount = reader.u8();
    if (this.entryCount !== entryCount || this.valueColumnCount !== valueColumnCount) {
      throw damaged('its rows belong to other stacks');
    }
    this.full.readWidths(reader, valueColumnCount, hasLabels);
    if (hasChanges) this.changes.readWidths(reader, valueColumnCount, hasLabels);
    this.#readPages(reader, hasChanges);
    let end = this.full.place(reader.at, valueColumnCount);
    if (hasChanges) end = this.changes.place(end, valueColumnCount);
    if (end !== bytes.length) throw damaged(`its rows end at byte ${end} of ${bytes.length}`);
  }

  isChanges(page: number): boolean {
    return (this.#pages[page * this.#pageWords] & 1) === 1;
  }

  countProfiles(page: number): number {
    return this.#pages[page * this.#pageWords] >>> 1;
  }

  countRows(page: number): number {
    return this.#pages[page * this.#pageWords + 1];
  }

  countGapEscapes(page: number): number {
    return this.#pages[page * this.#pageWords + 2];
  }

  countEscapes(page: number, valueColumn: number): number {
    return this.#pages[page * this.#pageWords + 3 + valueColumn];
  }

  /**
   * Returns the page after the unit that starts at `page`. A unit is one page of whole profiles, or
   * a page with one whole profile and the page of changes after it.
   */
  spanEnd(page: number): number {
    return page + 1 < this.pageCount && this.isChanges(page + 1) ? page + 2 : page + 1;
  }

  /** Like spanEnd, but combines pages of whole profiles until they have `rows` rows. */
  runEnd(page: number, rows: number): number {
    let end = this.spanEnd(page);
    if (this.isChanges(end - 1)) return end;
    let found = this.countRows(page);
    while (end < this.pageCount && found < rows && this.spanEnd(end) === end + 1) {
      found += this.countRows(end);
      end += 1;
    }
    return end;
  }

  /** Returns the number of profiles in pages `from` .. `to`. */
  profilesIn(from: number, to: number): number {
    let profiles = 0;
    for (let page = from; page < to; page += 1) profiles += this.countProfiles(page);
    return profiles;
  }

  #readPages(reader: ByteReader, hasChanges: boolean): void {
    const pageCount = reader.varint();
    const words = 3 + this.valueColumnCount;
    if (pageCount * words > reader.end) throw damaged(`its rows have ${pageCount} pages`);
    this.pageCount = pageCount;
    this.#pageWords = words;
    if (this.#pages.length < pageCount * words)
      this.#pages = new Uint32Array(pageCount * words * 2);
    let profiles = 0;
    for (let page = 0; page < pageCount; page += 1) {
      for (let i = 0; i < words; i += 1) this.#pages[page * words + i] = smallVarint(reader);
      const isChanges = this.isChanges(page);
      const isPlaced = hasChanges && page > 0 && !this.isChanges(page - 1);
      if (isChanges && !(isPlaced && this.countProfiles(page - 1) === 1)) {
        throw damaged(`page ${page} has changes against nothing`);
      }
      const group = isChanges ? this.changes : this.full;
      profiles += this.countProfiles(page);
      group.profileCount += this.countProfiles(page);
      group.rowCount += this.countRows(page);
      group.gapEscapes += this.countGapEscapes(page);
      for (let valueColumn = 0; valueColumn < this.valueColumnCount; valueColumn += 1) {
        group.escapes[valueColumn] += this.countEscapes(page, valueColumn);
      }
    }
    if (profiles !== this.profileCount) {
      throw damaged(`its pages have ${profiles} profiles of ${this.profileCount}`);
    }
  }
}

function smallVarint(reader: ByteReader): number {
  const value = reader.varint();
  if (value > 0xffff_ffff) throw damaged(`a page has ${value} rows or profiles`);
  return value;
}
