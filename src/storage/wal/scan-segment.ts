// Reads the records of one log segment with a limited amount of memory, and skips damage.
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

/**
 * Number of bytes that one call reads from the file. If a record is larger, one call reads the
 * whole record.
 */
const windowBytes = 4 * 1024 * 1024;

interface SegmentScan {
  readonly file: Pick<File, 'read'>;
  /** Start value of checksums; see segmentSalt. */
  readonly salt: number;
  /** Offset of the first record to read. By default, the first record of the segment. */
  readonly from?: number;
  /** Offset at which to stop: the size of the file, or less if the bytes at its end are invalid. */
  readonly end: number;
  /**
   * True if this is the last segment of the log. Damage in its last group then means that a write
   * was not finished.
   */
  readonly isLast: boolean;
  /** Pauses between steps of long work. */
  readonly pacer?: Pick<Pacer, 'pause'> | undefined;
  /**
   * Called with each intact record. `payload` is valid until the call has returned and its promise,
   * if any, is settled. Then the next record is read.
   */
  onRecord(header: RecordHeader, payload: ByteReader, offset: number): void | Promise<void>;
  /** Called with each damaged range, before any bytes after it are read. */
  onDamage(from: number, to: number): void | Promise<void>;
}

/**
 * Reads all records. Returns the end of the valid bytes, which is less than `end` if the segment
 * ends in an unfinished write.
 */
export async function scanSegment(scan: SegmentScan): Promise<number> {
  const window = new Window(scan.file, scan.end);
  let at = scan.from ?? segmentHeaderBytes;
  /** Start of the last group found by searching ahead. Damage before it is no unfinished write. */
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
    // If the header is intact, the next record starts at the end of this record. If it is damaged,
    // the next record is searched for.
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
 * Returns the record header at `at`; undefined if the header is damaged or the record extends past
 * the end of the segment.
 */
async function readHeader(
  window: Window,
  at: number,
  salt: number,
): Promise<RecordHeader | undefined> {
  if (at + recordHeaderBytes > window.end) return undefined;
  // Loads a whole window. Most records are small, so the window also contains the payload.
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
 * Returns the start of the first group at or after `at`. All groups before that group were written
 * completely.
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

/**
 * Returns the offset of the first record header at or after `at`. If there is none, returns the end
 * of the scan.
 */
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

/** The part of the file that is in memory. */
class Window {
  bytes = new Uint8Array(0);
  /** Number of bytes in use. */
  length = 0;
  readonly end: number;
  readonly #file: Pick<File, 'read'>;
  #base = 0;

  constructor(file: Pick<File, 'read'>, end: number) {
    this.#file = file;
    this.end = end;
  }

  /**
   * Makes sure that `count` bytes at file offset `at` are in memory. Returns their offset in
   * `bytes`.
   */
  async load(at: number, count: number): Promise<number> {
    if (at >= this.#base && at + count <= this.#base + this.length) return at - this.#base;
    const wanted = Math.min(Math.max(count, windowBytes), this.end - at);
    if (this.bytes.length < wanted || this.bytes.length > Math.max(wanted, windowBytes)) {
      this.bytes = new Uint8Array(wanted);
    }
    this.length = await this.#file.read(this.bytes.subarray(0, wanted), at);
    // If the file has become shorter, the missing bytes are set to zero, which counts as damage.
    this.bytes.fill(0, this.length, wanted);
    this.length = wanted;
    this.#base = at;
    return 0;
  }
}
