// Reads the memory map at the end of gperftools files.
//
// Lines have the form of /proc/PID/maps, or `start-end: file (@offset) build-id`. Source:
// https://github.com/google/pprof/blob/main/profile/legacy_profile.go
import type { PprofWriter } from '../pprof/writer.ts';

/** A range of addresses that a file was mapped to. */
export interface MappedRange {
  readonly start: bigint;
  readonly limit: bigint;
  readonly offset: bigint;
  readonly file: string;
  /** Build id; "" if the map does not have it. */
  readonly buildId: string;
}

/** Matches lines that introduce a memory map. */
export const mapTitleForm = /^(?:--- Memory map: ---|MAPPED_LIBRARIES:)/;
const procForm =
  /^\s*([0-9a-f]{1,16})-([0-9a-f]{1,16})\s+([-rwxsp]{4})\s+([0-9a-f]{1,16})\s+\S+\s+\d+(?:\s+(\S.*))?$/i;
const briefForm =
  /^\s*(?:0x)?([0-9a-f]{1,16})[\s-]\s*(?:0x)?([0-9a-f]{1,16}):?\s+(\S+)(?:\s+\(?@?([0-9a-f]{1,16})\)?)?(?:\s+([0-9a-f]{8,}))?\s*$/i;
const deletedEnd = / \(deleted\)$/;

/** Reads a line of a map; undefined if the line is no mapping, or is a mapping of data. */
export function readMapLine(line: string): MappedRange | undefined {
  const proc = procForm.exec(line);
  if (proc !== null) {
    const [, start, limit, access, offset, file = ''] = proc;
    if (!access.includes('x')) return undefined;
    return parseRange(start, limit, offset, file.replace(deletedEnd, ''), '');
  }
  const brief = briefForm.exec(line);
  if (brief === null) return undefined;
  const [, start, limit, file, offset = '0', buildId = ''] = brief;
  return parseRange(start, limit, offset, file, buildId.toLowerCase());
}

function parseRange(
  start: string,
  limit: string,
  offset: string,
  file: string,
  buildId: string,
): MappedRange {
  const [from, to, at] = [start, limit, offset].map((digits) => BigInt(`0x${digits}`));
  return { start: from, limit: to, offset: at, file, buildId };
}

/** Writes addresses as locations with the mappings that contain them. */
export class MappedAddresses {
  readonly #ranges: readonly MappedRange[];
  readonly #writer: PprofWriter;
  readonly #buildIds: ReadonlyMap<string, string>;
  readonly #known = new Map<bigint, number>();

  /** `buildIds` maps files to build ids, for memory maps that lack build ids. */
  constructor(
    writer: PprofWriter,
    ranges: readonly MappedRange[],
    buildIds: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#writer = writer;
    this.#buildIds = buildIds;
    this.#ranges = [...ranges].sort((a, b) => (a.start < b.start ? -1 : Number(a.start > b.start)));
  }

  /** Returns the location of an address. */
  location(address: bigint): number {
    const known = this.#known.get(address);
    if (known !== undefined) return known;
    const id = this.#writer.location(this.#mapping(address), address, []);
    this.#known.set(address, id);
    return id;
  }

  /** Returns the mapping of an address; 0 without one. */
  #mapping(address: bigint): number {
    const range = this.#findRange(address);
    if (range === undefined) return 0;
    const buildId = range.buildId || (this.#buildIds.get(range.file) ?? '');
    return this.#writer.mapping({ ...range, buildId });
  }

  #findRange(address: bigint): MappedRange | undefined {
    const ranges = this.#ranges;
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ranges[middle].start <= address) low = middle + 1;
      else high = middle;
    }
    const range = ranges[low - 1];
    return range !== undefined && address < range.limit ? range : undefined;
  }
}
