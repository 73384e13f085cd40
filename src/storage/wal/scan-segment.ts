// Reads the records of one log segment in bounded memory, and skips damage.
import { ByteReader } from '../../base/bytes.ts';
import type { File } from '../../base/files.ts';
import { finishPausing, type Pacer } from '../../base/pacer.ts';
import { walRecordBytesMax } from '../limits.ts';
import {
  checksumInSteps,
  readRecordHeader,
  recordHeaderBytes,
  recordMagic,
  segmentHeaderBytes,
  type RecordHeader,
} from './format.ts';

/** Number of bytes that are read in one call. A larger record is read completely. */
const windowBytes = 4 * 1024 * 1024;

interface SegmentScan {
  readonly file: Pick<File, 'read'>;
  /** Start value of checksums; see segmentSalt. */
  readonly salt: number;
  /** Offset of the record to start with; the first record by default. */
  readonly from?: number;
  /** Offset to stop at: the file's size, or less if later bytes are invalid. */
  readonly end: number;
  /** True if this is the last segment: damage in its last group is an unfinished write. */
  readonly isLast: boolean;
  /** Pauses between steps of long work. */
  readonly pacer?: Pick<Pacer, 'pause'> | undefined;
  /**
   * Called with each intact record. `payload` is valid until the call has ended, or its promise is
   * settled; the next record follows then.
   */
  onRecord(header: RecordHeader, payload: ByteReader, offset: number): void | Promise<void>;
  /** Called with each damaged range, before any bytes after it are read. */
  onDamage(from: number, to: number): void | Promise<void>;
}

/**
 * Reads all records. Returns the end of the intact bytes, which is less than `end` if the tail is
 * unfinished.
 */
export async function scanSegment(scan: SegmentScan): Promise<number> {
  const window = new Window(scan.file, scan.end);
  let at = scan.from ?? segmentHeaderBytes;
  /** Offset of a group that is known to start after `at`. */
  let groupAhead = 0;
  while (at < scan.end) {
    const header = await readHeader(window, at, scan.salt);
    const end = header === undefined ? at : at + recordHeaderBytes + header.payloadBytes;
    if (header !== undefined && (await isIntact(window, at, header, scan))) {
      const start = await window.load(at + recordHeaderBytes, header.payloadBytes);
      const payload = new ByteReader(window.bytes, start, start + header.payloadBytes);
      const applying = scan.onRecord(header, payload, at);
      if (applying !== undefined) await applying;
      at = end;
      continue;
    }
    // An intact header tells where the record ends; otherwise the next record is searched for.
    const next = header === undefined ? await findRecord(window, at + 1, scan) : end;
    if (scan.isLast && groupAhead < next) {
      const group = await findGroup(window, next, scan);
      if (group === undefined) return at;
      groupAhead = group;
    }
    await scan.onDamage(at, next);
    at = next;
  }
  return at;
}

/**
 * Returns the header at `at`; undefined if it is damaged or its record extends past the segment.
 */
async function readHeader(
  window: Window,
  at: number,
  salt: number,
): Promise<RecordHeader | undefined> {
  if (at + recordHeaderBytes > window.end) return undefined;
  // Loads a complete window. Most records are small, so it also contains their payload.
  const start = await window.load(at, recordHeaderBytes);
  const header = readRecordHeader(window.bytes, start, salt);
  if (header === undefined || header.payloadBytes > walRecordBytesMax) return undefined;
  return at + recordHeaderBytes + header.payloadBytes <= window.end ? header : undefined;
}

async function isIntact(
  window: Window,
  at: number,
  header: RecordHeader,
  { salt, pacer }: SegmentScan,
): Promise<boolean> {
  const start = await window.load(at + recordHeaderBytes, header.payloadBytes);
  const steps = checksumInSteps(window.bytes, start, start + header.payloadBytes, salt);
  const checksum = await finishPausing(steps, pacer);
  return checksum === header.payloadChecksum;
}

/**
 * Returns the start of the first group from `at` on. All groups before it were written completely.
 */
async function findGroup(
  window: Window,
  at: number,
  scan: SegmentScan,
): Promise<number | undefined> {
  for (let next = at; next < scan.end;) {
    const header = await readHeader(window, next, scan.salt);
    if (header?.startsGroup) return next;
    if (header === undefined) next = await findRecord(window, next + 1, scan);
    else next += recordHeaderBytes + header.payloadBytes;
  }
  return undefined;
}

/** Returns the first offset from `at` on that has a record header, or the end. */
async function findRecord(window: Window, at: number, scan: SegmentScan): Promise<number> {
  const firstByte = recordMagic & 255;
  for (let next = at; next + recordHeaderBytes <= scan.end;) {
    const start = await window.load(next, recordHeaderBytes);
    const found = window.bytes.subarray(0, window.length).indexOf(firstByte, start);
    if (found < 0) {
      next += window.length - start;
      continue;
    }
    next += found - start;
    if ((await readHeader(window, next, scan.salt)) !== undefined) return next;
    next += 1;
  }
  return scan.end;
}

/** A part of the file in memory. */
class Window {
  bytes = new Uint8Array(0);
  /** Number of used bytes. */
  length = 0;
  readonly end: number;
  readonly #file: Pick<File, 'read'>;
  #base = 0;

  constructor(file: Pick<File, 'read'>, end: number) {
    this.#file = file;
    this.end = end;
  }

  /** Loads `count` bytes at file offset `at`. Returns their offset in `bytes`. */
  async load(at: number, count: number): Promise<number> {
    if (at >= this.#base && at + count <= this.#base + this.length) return at - this.#base;
    const wanted = Math.min(Math.max(count, windowBytes), this.end - at);
    if (this.bytes.length < wanted || this.bytes.length > Math.max(wanted, windowBytes)) {
      this.bytes = new Uint8Array(wanted);
    }
    this.length = await this.#file.read(this.bytes.subarray(0, wanted), at);
    // If the file has become shorter, the rest reads as zeros, which count as damage.
    this.bytes.fill(0, this.length, wanted);
    this.length = wanted;
    this.#base = at;
    return 0;
  }
}
