// Reads ranges of addresses from .debug_ranges (DWARF 2 to 4) and .debug_rnglists (DWARF 5).
import { dwarfRangesMax } from '../limits.ts';
import { Cursor } from './cursor.ts';
import { addressAt, type Format, type Sections } from './entries.ts';

/** Function that is called with each nonempty range; `end` is exclusive. */
export type TakeRange = (start: number, end: number) => void;

/**
 * Reads the list of ranges at `offset`. The ranges are relative to the address `base`.
 *
 * Errors: RangeError.
 */
export function readRanges(format: Format, offset: number, base: number, take: TakeRange): void {
  if (format.version >= 5) readRangeList(format, offset, base, take);
  else readOldRanges(format, offset, base, take);
}

function readOldRanges(format: Format, offset: number, base: number, take: TakeRange): void {
  const { sections, addressSize } = format;
  const cursor = new Cursor(sections.ranges, sections.isLittleEndian, offset);
  const largest = addressSize === 8 ? 2 ** 64 : 2 ** (8 * addressSize) - 1;
  let from = base;
  for (let count = 0; count < dwarfRangesMax; count += 1) {
    const [start, end] = [cursor.address(addressSize), cursor.address(addressSize)];
    if (start === 0 && end === 0) return;
    if (start >= largest) from = end;
    else if (start < end) take(from + start, from + end);
  }
  throw new RangeError('it has too many ranges');
}

const kinds = {
  end: 0,
  baseIndex: 1,
  startEndIndex: 2,
  startIndexLength: 3,
  offsets: 4,
  base: 5,
  startEnd: 6,
  startLength: 7,
} as const;

function readRangeList(format: Format, offset: number, base: number, take: TakeRange): void {
  const { sections, addressSize } = format;
  const cursor = new Cursor(sections.rangeLists, sections.isLittleEndian, offset);
  const add = (start: number, end: number): void => (start < end ? take(start, end) : undefined);
  let from = base;
  for (let count = 0; count < dwarfRangesMax; count += 1) {
    const kind = cursor.u8();
    if (kind === kinds.end) return;
    if (kind === kinds.baseIndex) from = addressAt(cursor.uleb(), format);
    else if (kind === kinds.base) from = cursor.address(addressSize);
    else if (kind === kinds.offsets) add(from + cursor.wrapped(), from + cursor.wrapped());
    else if (kind === kinds.startEnd) add(cursor.address(addressSize), cursor.address(addressSize));
    else if (kind === kinds.startEndIndex) {
      add(addressAt(cursor.uleb(), format), addressAt(cursor.uleb(), format));
    } else if (kind === kinds.startLength || kind === kinds.startIndexLength) {
      const isIndex = kind === kinds.startIndexLength;
      const start = isIndex ? addressAt(cursor.uleb(), format) : cursor.address(addressSize);
      add(start, start + cursor.uleb());
    } else throw new RangeError(`kind ${kind} of ranges is unknown`);
  }
  throw new RangeError('it has too many ranges');
}

/**
 * Reads the list with the ranges of all units. `take` also gets the offset of each range's unit.
 *
 * Errors: RangeError.
 */
export function readUnitRanges(
  { unitRanges, isLittleEndian }: Sections,
  take: (unit: number, start: number, end: number) => void,
): void {
  const cursor = new Cursor(unitRanges, isLittleEndian);
  while (cursor.at < unitRanges.length) {
    const start = cursor.at;
    let length = cursor.u32();
    const is64 = length === 0xffff_ffff;
    if (is64) length = cursor.u64();
    const end = cursor.at + length;
    cursor.skip(2);
    const unit = cursor.offset(is64);
    const [addressSize, segmentSize] = [cursor.u8(), cursor.u8()];
    if (segmentSize !== 0) throw new RangeError('ranges have segments');
    // Pairs are aligned to their size.
    const used = (cursor.at - start) % (2 * addressSize);
    if (used > 0) cursor.skip(2 * addressSize - used);
    while (cursor.at < end) {
      const address = cursor.address(addressSize);
      const size = cursor.address(addressSize);
      if (size > 0) take(unit, address, address + size);
    }
  }
}
