// The entry of a chunk in the index of a block. docs/format/block.md shows its format.
import type { ByteReader, ByteWriter } from '../../../base/bytes.ts';
import { AppError } from '../../../base/errors.ts';
import { readZigzag64, writeZigzag64 } from '../../chunk/chunk-format.ts';
import type { ProfileDigest } from '../../../model/profiles/profile-digest.ts';

/** Position of a section of a chunk: its page, and its bytes in the page. */
export interface SectionPlace {
  readonly page: number;
  readonly offset: number;
  readonly length: number;
}

/** The sections of a chunk. Each type of section has its own pages. */
export const sectionKinds = ['profiles', 'stacks', 'rows'] as const;
export type SectionKind = (typeof sectionKinds)[number];

export interface ChunkEntry {
  /** Length of the summed windows in seconds; 0 = raw profiles. */
  readonly windowSeconds: number;
  /** True if rows have sample labels. */
  readonly isLabelled: boolean;
  /** True if labels are stored row by row. Sums over all profiles then have no labels. */
  readonly hasLabelsInRows: boolean;
  /** Digests, one for each sample type. */
  readonly digests: readonly ProfileDigest[];
  readonly places: Readonly<Record<SectionKind, SectionPlace>>;
  /** Position of the sample times, which have pages of their own; undefined if there are none. */
  readonly times?: SectionPlace | undefined;
}

const flag = { labelled: 1, window: 2, period: 4, labelsInRows: 8, times: 16 } as const;
const doubles = new Float64Array(1);
const doubleBits = new BigInt64Array(doubles.buffer);

/** Writes an entry; times are relative to `baseNanos`. */
export function encodeChunkEntry(writer: ByteWriter, entry: ChunkEntry, baseNanos: bigint): void {
  const { windowSeconds, isLabelled, hasLabelsInRows, digests, places, times } = entry;
  const [first] = digests;
  const { period } = first;
  writer.u8(
    (isLabelled ? flag.labelled : 0) |
      (hasLabelsInRows ? flag.labelsInRows : 0) |
      (windowSeconds === 0 ? 0 : flag.window) |
      (period === undefined ? 0 : flag.period) |
      (times === undefined ? 0 : flag.times),
  );
  if (windowSeconds !== 0) writer.varint(windowSeconds);
  writer.varint(first.profileCount);
  writer.varint(first.rowCount);
  writeZigzag64(writer, BigInt.asIntN(64, first.firstNanos - baseNanos));
  writer.varintBig(first.lastNanos - first.firstNanos);
  if (period !== undefined) writeZigzag64(writer, period);
  if (first.profileCount > 1) {
    writeNumber(writer, first.spacingMinNanos);
    writeNumber(writer, first.spacingMaxNanos);
    writeNumber(writer, first.coveredNanos);
  }
  writeNumber(writer, first.lastDurationNanos);
  for (const { total, magnitude, count } of digests) {
    writeZigzag64(writer, total);
    // If all totals have the same sign, as usual, the magnitude is the total and is not stored.
    writeNumber(writer, magnitude === Math.abs(Number(total)) ? 0 : magnitude);
    writer.varint(count);
  }
  for (const kind of sectionKinds) writePlace(writer, places[kind]);
  if (times !== undefined) writePlace(writer, times);
}

function writePlace(writer: ByteWriter, { page, offset, length }: SectionPlace): void {
  writer.varint(page);
  writer.varint(offset);
  writer.varint(length);
}

/** Reads an entry of a stream with `valueColumns` sample types. Errors: AppError 'data-loss'. */
export function decodeChunkEntry(
  reader: ByteReader,
  valueColumns: number,
  baseNanos: bigint,
): ChunkEntry {
  const flags = reader.u8();
  const windowSeconds = (flags & flag.window) === 0 ? 0 : reader.varint();
  const profileCount = reader.varint();
  const rowCount = reader.varint();
  const firstNanos = BigInt.asIntN(64, baseNanos + readZigzag64(reader));
  const lastNanos = BigInt.asIntN(64, firstNanos + reader.varintBig());
  const period = (flags & flag.period) === 0 ? undefined : readZigzag64(reader);
  const isSpaced = profileCount > 1;
  const common = {
    profileCount,
    rowCount,
    firstNanos,
    lastNanos,
    period,
    spacingMinNanos: isSpaced ? readNumber(reader) : 0,
    spacingMaxNanos: isSpaced ? readNumber(reader) : 0,
    coveredNanos: isSpaced ? readNumber(reader) : 0,
    lastDurationNanos: readNumber(reader),
  };
  const digests: ProfileDigest[] = [];
  for (let valueColumn = 0; valueColumn < valueColumns; valueColumn += 1) {
    const total = readZigzag64(reader);
    const magnitude = readNumber(reader) || Math.abs(Number(total));
    digests.push({ ...common, total, magnitude, count: reader.varint() });
  }
  if (profileCount === 0 || lastNanos < firstNanos) {
    throw new AppError('data-loss', 'cannot read index entry: it has no profiles');
  }
  const isLabelled = (flags & flag.labelled) !== 0;
  const hasLabelsInRows = (flags & flag.labelsInRows) !== 0;
  const places = {
    profiles: readPlace(reader),
    stacks: readPlace(reader),
    rows: readPlace(reader),
  };
  const times = (flags & flag.times) === 0 ? undefined : readPlace(reader);
  return { windowSeconds, isLabelled, hasLabelsInRows, digests, places, times };
}

function readPlace(reader: ByteReader): SectionPlace {
  return { page: reader.varint(), offset: reader.varint(), length: reader.varint() };
}

/** Writes whole numbers from 0 to 2^53 - 2 as varints, any other double after a 0. */
function writeNumber(writer: ByteWriter, value: number): void {
  if (Number.isSafeInteger(value + 1) && Number.isInteger(value) && value >= 0) {
    writer.varint(value + 1);
    return;
  }
  writer.varint(0);
  doubles[0] = value;
  writer.i64(doubleBits[0]);
}

function readNumber(reader: ByteReader): number {
  const value = reader.varint();
  if (value > 0) return value - 1;
  doubleBits[0] = reader.i64();
  return doubles[0];
}
