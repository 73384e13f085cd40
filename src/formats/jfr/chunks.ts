// The chunks of a recording, found by their headers. Each is self-contained: it has its own types
// and constants.
//
// A header is 68 bytes long: "FLR\0", the version, the chunk's size, the offsets of its last
// constants and of its types, the time in nanoseconds and in ticks, and flags. All are big-endian.
import { DecodeError } from '../decode-error.ts';
import { what } from './cursor.ts';

const headerBytes = 68;
const magic = [0x46, 0x4c, 0x52, 0x00];
/** The major version that is read. Oracle's JDK 7 and 8 write 0.9 and 1.0 in another layout. */
const versionRead = 2;
const compressedFlag = 1;

/** A chunk whose header was read. Offsets are counted from the start of the file. */
export interface JfrChunk {
  /** Number of the chunk, counted from 1. */
  readonly number: number;
  readonly start: number;
  readonly end: number;
  /** Offset of the first event. */
  readonly events: number;
  /** Offset of the metadata event, which has the types. */
  readonly metadata: number;
  readonly isCompressed: boolean;
  readonly startNanos: bigint;
  readonly durationNanos: bigint;
  /** Time at the start of the chunk in ticks, and ticks per second. */
  readonly startTicks: number;
  readonly ticksPerSecond: number;
}

/** Chunks of a recording, and a sentence about a part that was left out. */
export interface JfrChunks {
  readonly chunks: readonly JfrChunk[];
  readonly note: string | undefined;
}

/** Returns true for bytes that begin like a recording. */
export function isJfr(bytes: Uint8Array): boolean {
  return magic.every((byte, i) => bytes[i] === byte);
}

/**
 * Lists the chunks. A last chunk that is unfinished or truncated is left out, because its constants
 * are at its end.
 *
 * Errors: DecodeError, also if no chunk is finished.
 */
export function readChunks(bytes: Uint8Array): JfrChunks {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: JfrChunk[] = [];
  for (let start = 0; start < bytes.length;) {
    const number = chunks.length + 1;
    const fault = faultAt(bytes, view, start);
    if (fault !== undefined) {
      if (number === 1 || !fault.isUnfinished) {
        throw new DecodeError(what, `chunk ${number} ${fault.why}`, start);
      }
      const read = number === 2 ? 'the chunk before it was read' : `${number - 1} chunks were read`;
      const note = `chunk ${number} ${fault.why} at byte ${start} and was left out; ${read}`;
      return { chunks, note };
    }
    const size = Number(view.getBigInt64(start + 8));
    chunks.push({
      number,
      start,
      end: start + size,
      events: start + headerBytes,
      metadata: start + Number(view.getBigInt64(start + 24)),
      isCompressed: (view.getInt32(start + 64) & compressedFlag) !== 0,
      startNanos: view.getBigInt64(start + 32),
      durationNanos: view.getBigInt64(start + 40),
      startTicks: Number(view.getBigInt64(start + 48)),
      ticksPerSecond: Number(view.getBigInt64(start + 56)),
    });
    start += size;
  }
  return { chunks, note: undefined };
}

interface ChunkFault {
  readonly why: string;
  readonly isUnfinished: boolean;
}

function faultAt(bytes: Uint8Array, view: DataView, start: number): ChunkFault | undefined {
  const left = bytes.length - start;
  if (left >= magic.length && !isJfr(bytes.subarray(start, start + magic.length))) {
    return { why: 'does not begin with FLR', isUnfinished: false };
  }
  if (left < headerBytes) return { why: 'ends within its header', isUnfinished: true };
  const [major, minor] = [view.getUint16(start + 4), view.getUint16(start + 6)];
  if (major !== versionRead) {
    const why = `has version ${major}.${minor}, which is not read: a JDK of OpenJDK writes 2`;
    return { why, isUnfinished: false };
  }
  const size = view.getBigInt64(start + 8);
  const metadata = view.getBigInt64(start + 24);
  if (size <= 0n || metadata <= 0n) return { why: 'is not finished', isUnfinished: true };
  if (size < BigInt(headerBytes)) {
    return { why: `has a size of ${size} bytes`, isUnfinished: false };
  }
  if (size > BigInt(left)) {
    return { why: `is cut off: ${left} of its ${size} bytes are there`, isUnfinished: true };
  }
  if (metadata < BigInt(headerBytes) || metadata >= size) {
    return { why: `has its types at ${metadata}, outside of it`, isUnfinished: false };
  }
  return undefined;
}
