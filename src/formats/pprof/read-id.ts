// Ids of mappings, locations and functions: uint64 on the wire, int32 in columns.
import type { PprofColumns } from './columns.ts';
import type { WireReader } from './wire-reader.ts';

/** Reads an id: itself below 2^31, else the negative number that stands for it. */
export function readId(reader: WireReader, columns: PprofColumns, end: number): number {
  const id = reader.index(end);
  return id >= 0 ? id : columns.wideId(reader.low, reader.high);
}
