// The section of a chunk that holds sample times; chunks without sample times do not have it.
// docs/format/sample-times.md shows the format.
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import { decodeSampleTimes, encodeSampleTimes } from '../../model/profiles/sample-times-codec.ts';
import { reorderSampleTimes } from '../../model/profiles/sample-times.ts';
import type { ChunkInput } from './chunk-data.ts';
import { checkVersion, chunkVersion, damaged } from './chunk-format.ts';
import type { SortedRows } from './sort-rows.ts';

/**
 * Encodes the sample times of a chunk. The times are for the rows as they are stored: in a
 * different order than in `input`, and without rows that are 0. Returns undefined if no profile has
 * times.
 */
export function encodeChunkTimes(
  { sampleTimes, rowStart, values, profileCount }: ChunkInput,
  sorted: SortedRows,
): Uint8Array | undefined {
  if (sampleTimes?.some((times) => times !== undefined) !== true) return undefined;
  const writer = new ByteWriter(1024);
  writer.u8(chunkVersion);
  writer.varint(profileCount);
  for (let profile = 0; profile < profileCount; profile += 1) {
    const own = sampleTimes[profile];
    if (own === undefined) {
      writer.varint(0);
      continue;
    }
    const first = rowStart[profile];
    const [from, to] = [sorted.rowStart[profile], sorted.rowStart[profile + 1]];
    const rows = sorted.source.subarray(from, to).map((row) => row - first);
    const times = reorderSampleTimes(decodeSampleTimes(own, rowStart[profile + 1] - first), rows);
    const ofRows = values.map((valueColumn) => {
      const gathered = new BigInt64Array(rows.length);
      for (let i = 0; i < rows.length; i += 1) gathered[i] = valueColumn[first + rows[i]];
      return gathered;
    });
    const encoded = encodeSampleTimes(times, ofRows);
    writer.varint(encoded.length);
    writer.raw(encoded);
  }
  return writer.copy();
}

/**
 * Returns the sample times of each profile of a chunk; undefined for profiles without sample times.
 * Ownership: the arrays are views of the section.
 *
 * Errors: AppError 'data-loss'.
 */
export function decodeChunkTimes(
  section: Uint8Array,
  profileCount: number,
): (Uint8Array | undefined)[] {
  const reader = new ByteReader(section);
  checkVersion(reader);
  const count = reader.varint();
  if (count !== profileCount) throw damaged(`it has times of ${count} profiles`);
  const times = Array.from({ length: count }, () => {
    const length = reader.varint();
    const start = reader.skip(length);
    return length === 0 ? undefined : section.subarray(start, start + length);
  });
  if (reader.at !== reader.end) throw damaged('bytes follow its times');
  return times;
}
