// Computes the bias of a binary, which is the number to subtract from run-time addresses to get ELF
// addresses.
//
// A mapping says that the bytes of a file from `offset` on are at the address `start`. The program
// headers have the ELF virtual address of the same bytes. The difference between the two addresses
// is the bias, which is the same for the whole mapping. This is also true for mappings of several
// segments, in which an address minus the start is not an offset in the file.
import type { LoadedRange } from './file-addresses.ts';

/** A segment that is loaded into memory. Addresses are ELF virtual addresses. */
export interface LoadSegment {
  readonly offset: number;
  readonly address: number;
  readonly fileSize: number;
  readonly memorySize: number;
  readonly align: number;
  readonly isExecutable: boolean;
}

/** Properties of a program's file that determine where the program can be loaded. */
export interface ProgramLayout {
  /** True if it can only run at the addresses in the file. */
  readonly isFixed: boolean;
  readonly segments: readonly LoadSegment[];
}

/** Sizes of pages that Linux uses, the usual size first. */
const pageSizes = [4_096, 16_384, 65_536];
const [usualPage] = pageSizes;
/**
 * End of the addresses of user space. Higher addresses belong to the kernel and are not exact as
 * doubles.
 */
const userAddressMax = 2 ** 48;
/**
 * Lowest address that ingest converts. Lower addresses of fixed programs are stored as they were
 * sent.
 */
const movedAddressMin = 2 ** 32;

/**
 * Returns the number to subtract from the addresses of a mapping; 0 if they are already addresses
 * in the file, or are not in the file.
 *
 * A mapping that starts at 0 and is larger than the program is not a real mapping. It comes from a
 * sender that already sends addresses in the file.
 */
export function loadBias({ isFixed, segments }: ProgramLayout, range: LoadedRange): number {
  const { start, limit, offset } = range;
  if (limit <= start || limit > userAddressMax || offset > userAddressMax) return 0;
  const loaded = segments.filter(({ memorySize }) => memorySize > 0).sort(byAddress);
  if (loaded.length === 0 || (isFixed && loaded[0].address < movedAddressMin)) return 0;
  if (start === 0 && limit > loadedSpan(loaded)) return 0;
  const { placed, isRebuilt } = withOffsets(loaded);
  const code = placed.filter(({ isExecutable }) => isExecutable);
  const exact = loadedPages(range).flatMap(
    (page) => code.find((segment) => isSegment(segment, range, page)) ?? [],
  );
  if (exact.length > 0) return computeBias(exact[0], range);
  const sized = isRebuilt ? code.filter((segment) => hasSize(segment, range)) : [];
  if (sized.length === 1) return biasAt(floorTo(sized[0].address, usualPage), range);
  const found =
    code.find((segment) => isWithin(segment, range)) ??
    placed.find((segment) => floorTo(segment.offset, usualPage) === floorTo(offset, usualPage)) ??
    placed.find((segment) => segment.offset <= offset && offset < fileEnd(segment));
  return found === undefined ? 0 : computeBias(found, range);
}

/** Returns true if a segment has code that the file does not contain. */
export function isWithoutCode(segment: LoadSegment): boolean {
  return segment.isExecutable && segment.fileSize < segment.memorySize;
}

function byAddress(a: LoadSegment, b: LoadSegment): number {
  return a.address - b.address;
}

/** Returns the size of a program in memory; its segments must be in order. */
function loadedSpan(loaded: readonly LoadSegment[]): number {
  const ends = loaded.map(({ address, memorySize }) => address + memorySize);
  return ceilTo(Math.max(...ends), usualPage) - floorTo(loaded[0].address, usualPage);
}

/**
 * Returns the segments with their offsets in the program. Debug files without code (`objcopy
 * --only-keep-debug`) keep the addresses and sizes in memory, but have other offsets. The original
 * offsets can be computed, because linkers put each segment at the first possible offset after the
 * previous segment.
 */
function withOffsets(loaded: readonly LoadSegment[]): {
  readonly placed: readonly LoadSegment[];
  readonly isRebuilt: boolean;
} {
  const isRebuilt = loaded.some(isWithoutCode);
  if (!isRebuilt) return { placed: loaded, isRebuilt };
  const placed: LoadSegment[] = [];
  let end = 0;
  for (const segment of loaded) {
    const align = Math.max(1, segment.align);
    const before = floorTo(end, align) + (segment.address % align);
    const offset = placed.length === 0 ? 0 : before < end ? before + align : before;
    placed.push({ ...segment, offset, fileSize: segment.memorySize });
    end = offset + segment.memorySize;
  }
  return { placed, isRebuilt };
}

/** Returns the page sizes that are possible for a mapping. */
function loadedPages({ start, limit, offset }: LoadedRange): number[] {
  const fits = (page: number): boolean => [start, limit, offset].every((at) => at % page === 0);
  return pageSizes.filter((page) => page === usualPage || fits(page));
}

function computeBias({ address, offset }: LoadSegment, range: LoadedRange): number {
  return biasAt(address - offset + range.offset, range);
}

/**
 * Returns the bias of a mapping whose start corresponds to `address` in the file; 0 if the mapping
 * is impossible.
 */
function biasAt(address: number, { start, limit }: LoadedRange): number {
  return address >= 0 && address + limit - start <= userAddressMax ? start - address : 0;
}

/** Returns true if a mapping has exactly the pages of a segment. */
function isSegment(segment: LoadSegment, range: LoadedRange, page: number): boolean {
  return (
    floorTo(segment.offset, page) === floorTo(range.offset, page) &&
    ceilTo(fileEnd(segment), page) === ceilTo(endOfFile(range), page)
  );
}

/** Returns true if a mapping has as many pages as a segment. */
function hasSize({ address, memorySize }: LoadSegment, { start, limit }: LoadedRange): boolean {
  const size = ceilTo(address + memorySize, usualPage) - floorTo(address, usualPage);
  return size === ceilTo(limit, usualPage) - floorTo(start, usualPage);
}

/** Returns true if a mapping has only pages of a segment. */
function isWithin(segment: LoadSegment, range: LoadedRange): boolean {
  return (
    floorTo(segment.offset, usualPage) <= range.offset &&
    endOfFile(range) <= ceilTo(fileEnd(segment), usualPage)
  );
}

/** Returns the offset in the file at which a segment ends. */
function fileEnd({ offset, fileSize }: LoadSegment): number {
  return offset + fileSize;
}

/** Returns the offset in the file at which a mapping ends. */
function endOfFile({ start, limit, offset }: LoadedRange): number {
  return offset + limit - start;
}

function floorTo(value: number, unit: number): number {
  return value - (value % unit);
}

function ceilTo(value: number, unit: number): number {
  return floorTo(value + unit - 1, unit);
}
