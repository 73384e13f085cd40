// The format of a log segment: its name, its header, and the header of a record.
//
// docs/format/wal.md shows the layout of the headers. All numbers are little-endian.
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import { crc32c } from '../../base/crc32c.ts';
import { finishAtOnce, type Steps } from '../../base/pacer.ts';
import type { Seeds } from '../../model/dictionary.ts';

export const segmentHeaderBytes = 64;
export const recordHeaderBytes = 20;
export const walVersion = 1;
const segmentMagic = 0x4c41_5750; // "PWAL"
export const recordMagic = 0x4352_5750; // "PWRC"
/** Flag in the type of a record: the record is the first record of its group. */
const groupFlag = 256;
/** Flag in a segment header: the previous segment has the same epoch. */
const continuesFlag = 1;
/** Offset of the segment header's checksum. */
const headerChecksumAt = 60;

/**
 * Type of a record's payload. An `end` record has no payload; it says that the log was closed
 * properly.
 */
export const recordType = { symbols: 1, profiles: 2, end: 3 } as const;
type RecordType = (typeof recordType)[keyof typeof recordType];

/**
 * End of the valid log at the time when a new segment was started: byte `bytes` of segment
 * `sequence`. Later bytes of that segment are invalid, and so are all segments between it and the
 * new segment. Sequence 0 means that nothing was valid.
 */
export interface WalPosition {
  readonly sequence: number;
  readonly bytes: number;
}

export interface SegmentHeader {
  readonly version: number;
  readonly sequence: number;
  /** Epoch that the records belong to; see docs/format/wal.md. */
  readonly epoch: number;
  /** True if the previous segment belongs to the same epoch. */
  readonly continuesEpoch: boolean;
  /** End of the valid log before this segment. */
  readonly previous: WalPosition;
  readonly seeds: Seeds;
  readonly createdNanos: bigint;
}

/** Returns the file name of a segment, such as `00000001.wal` for sequence 1. */
export function segmentName(sequence: number): string {
  return `${sequence.toString().padStart(8, '0')}.wal`;
}

/** Returns the sequence number in the file name of a segment; undefined for other files. */
export function segmentSequence(name: string): number | undefined {
  return /^\d{8,15}\.wal$/.test(name) ? Number.parseInt(name, 10) : undefined;
}

/**
 * Returns the start value of the checksums of a segment. The value is secret, so that nobody can
 * choose a function name whose bytes look like a record. It depends on the epoch, so that a record
 * is valid in only one epoch.
 */
export function segmentSalt(seeds: Seeds, sequence: number, epoch: number): number {
  const writer = new ByteWriter(24);
  for (const seed of seeds) writer.u32(seed);
  writer.u64(sequence);
  writer.u32(epoch);
  return crc32c(writer.bytes, 0, writer.length);
}

export function writeSegmentHeader(writer: ByteWriter, header: SegmentHeader): void {
  const start = writer.length;
  writer.u32(segmentMagic);
  writer.u32(header.version);
  writer.u64(header.sequence);
  writer.u64(header.previous.sequence);
  writer.u64(header.previous.bytes);
  for (const seed of header.seeds) writer.u32(seed);
  writer.u32(header.epoch);
  writer.i64(header.createdNanos);
  writer.u32(header.continuesEpoch ? continuesFlag : 0);
  writer.u32(crc32c(writer.bytes, start, start + headerChecksumAt));
}

/**
 * Returns the segment header at the start of `bytes`; undefined if the header is incomplete or
 * damaged.
 */
export function readSegmentHeader(bytes: Uint8Array): SegmentHeader | undefined {
  if (bytes.length < segmentHeaderBytes) return undefined;
  const reader = new ByteReader(bytes);
  if (reader.u32() !== segmentMagic) return undefined;
  const version = reader.u32();
  const sequence = reader.u64();
  const previous = { sequence: reader.u64(), bytes: reader.u64() };
  const seeds: Seeds = [reader.u32() | 0, reader.u32() | 0, reader.u32() | 0];
  const epoch = reader.u32();
  const createdNanos = reader.i64();
  const continuesEpoch = (reader.u32() & continuesFlag) !== 0;
  if (reader.u32() !== crc32c(bytes, 0, headerChecksumAt)) return undefined;
  return { version, sequence, epoch, continuesEpoch, previous, seeds, createdNanos };
}

/**
 * Leaves space for the header of a record, which `endRecord` fills. Returns the start of the
 * record.
 */
export function beginRecord(writer: ByteWriter): number {
  const start = writer.length;
  writer.reserve(recordHeaderBytes);
  writer.length += recordHeaderBytes;
  return start;
}

/** Completes the record that starts at `start` and ends at the position of the writer. */
export function endRecord(
  writer: ByteWriter,
  start: number,
  type: RecordType,
  startsGroup: boolean,
  salt: number,
): void {
  const steps = endRecordInSteps(writer, start, type, startsGroup, salt);
  if (steps !== undefined) finishAtOnce(steps);
}

/**
 * Number of bytes of a record that are checksummed in one step, which takes about a millisecond.
 */
const checksumStepBytes = 512 * 1024;

/**
 * Completes a record like `endRecord`. A small record is completed immediately, and the result is
 * undefined. A large record, which may have many megabytes, is completed by the returned steps.
 */
export function endRecordInSteps(
  writer: ByteWriter,
  start: number,
  type: RecordType,
  startsGroup: boolean,
  salt: number,
): Steps<void> | undefined {
  const payload = start + recordHeaderBytes;
  const { length } = writer;
  writer.setU32(start, recordMagic);
  writer.setU32(start + 4, type | (startsGroup ? groupFlag : 0));
  writer.setU32(start + 8, length - payload);
  if (length - payload > checksumStepBytes) return setChecksumsInSteps(writer, start, length, salt);
  setChecksums(writer, start, crc32c(writer.bytes, payload, length, salt), salt);
  return undefined;
}

function* setChecksumsInSteps(
  writer: ByteWriter,
  start: number,
  end: number,
  salt: number,
): Steps<void> {
  const payload = start + recordHeaderBytes;
  setChecksums(writer, start, yield* checksumInSteps(writer.bytes, payload, end, salt), salt);
}

/** Sets the checksum of a record's payload, and then the checksum of the record's header. */
function setChecksums(writer: ByteWriter, start: number, checksum: number, salt: number): void {
  writer.setU32(start + 12, checksum);
  writer.setU32(start + 16, crc32c(writer.bytes, start, start + 16, salt));
}

/** Returns the checksum of a payload, in steps of about a millisecond. */
export function* checksumInSteps(
  bytes: Uint8Array,
  start: number,
  end: number,
  salt: number,
): Steps<number> {
  let checksum = salt;
  for (let from = start; from < end; from += checksumStepBytes) {
    if (from > start) yield;
    checksum = crc32c(bytes, from, Math.min(end, from + checksumStepBytes), checksum);
  }
  return checksum;
}

/** The header of a record. */
export interface RecordHeader {
  readonly type: number;
  /**
   * True if the record is the first of a group. When a group is written, everything before it is
   * already durable.
   */
  readonly startsGroup: boolean;
  readonly payloadBytes: number;
  readonly payloadChecksum: number;
}

/** Returns the record header at `at`; undefined if it is missing or damaged. */
export function readRecordHeader(
  bytes: Uint8Array,
  at: number,
  salt: number,
): RecordHeader | undefined {
  const reader = new ByteReader(bytes, at);
  if (reader.u32() !== recordMagic) return undefined;
  const kind = reader.u32();
  const payloadBytes = reader.u32();
  const payloadChecksum = reader.u32();
  if (reader.u32() !== crc32c(bytes, at, at + 16, salt)) return undefined;
  const startsGroup = (kind & groupFlag) !== 0;
  return { type: kind & 255, startsGroup, payloadBytes, payloadChecksum };
}
