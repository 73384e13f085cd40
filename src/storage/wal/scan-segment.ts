// Reads one log segment record by record, with bounded memory, past damage.
import { ByteReader } from '../../base/bytes.ts';
import { crc32c } from '../../base/crc32c.ts';
import type { File } from '../../base/files.ts';
import { walRecordBytesMax } from '../../base/limits.ts';
import {
  readRecordHeader,
  recordHeaderBytes,
  recordMagic,
  segmentHeaderBytes,
  type RecordHeader,
} from './format.ts';

/** What is read at once; a larger record grows the window for itself. */
const windowBytes = 4 * 1024 * 1024;

export interface SegmentScan {
  readonly file: File;
  /** See segmentSalt. */
  readonly salt: number;
  /** Where to start: the first record, or a later one. */
  readonly from?: number;
  /** Where to stop: the file's size, or less when what follows does not count. */
  readonly end: number;
  /** The log's last segment: damage in its last group is a write that never completed. */
  readonly isLast: boolean;
  /** Gets each intact record; the reader is at its payload, valid during the call. */
  onRecord(header: RecordHeader, payload: ByteReader, offset: number): void;
  /** Told of bytes that hold no intact record though they once did, before what follows is read. */
  onDamage(from: number, to: number): void | Promise<void>;
}

/** Reads all records. Returns where the intact part ends: less than `end` when the tail is torn. */
export async function scanSegment(scan: SegmentScan): Promise<number> {
  const window = new Window(scan.file, scan.end);
  let at = scan.from ?? segmentHeaderBytes;
  /** Where a group begins that is known to follow what was read so far. */
  let groupAhead = 0;
  while (at < scan.end) {
    const header = await readHeader(window, at, scan.salt);
    const end = header === undefined ? at : at + recordHeaderBytes + header.payloadBytes;
    if (header !== undefined && (await isIntact(window, at, header, scan.salt))) {
      const start = await window.load(at + recordHeaderBytes, header.payloadBytes);
      const payload = new ByteReader(window.bytes, start, start + header.payloadBytes);
      scan.onRecord(header, payload, at);
      at = end;
      continue;
    }
    // With an intact header the record's end is known; otherwise the next record is searched.
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

/** The header at `at`, undefined when it is damaged or its record does not fit the segment. */
async function readHeader(
  window: Window,
  at: number,
  salt: number,
): Promise<RecordHeader | undefined> {
  if (at + recordHeaderBytes > window.end) return undefined;
  // Records are small as a rule: load the usual payload along.
  const start = await window.load(at, recordHeaderBytes);
  const header = readRecordHeader(window.bytes, start, salt);
  if (header === undefined || header.payloadBytes > walRecordBytesMax) return undefined;
  return at + recordHeaderBytes + header.payloadBytes <= window.end ? header : undefined;
}

async function isIntact(
  window: Window,
  at: number,
  header: RecordHeader,
  salt: number,
): Promise<boolean> {
  const start = await window.load(at + recordHeaderBytes, header.payloadBytes);
  const checksum = crc32c(window.bytes, start, start + header.payloadBytes, salt);
  return checksum === header.payloadChecksum;
}

/** Where the first group at or after `at` begins: then everything before it was complete. */
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

/** The first offset from `at` with a record header, or the end. */
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
  /** Used bytes. */
  length = 0;
  readonly end: number;
  readonly #file: File;
  #base = 0;

  constructor(file: File, end: number) {
    this.#file = file;
    this.end = end;
  }

  /** Makes `count` bytes at file offset `at` available; returns where they are in `bytes`. */
  async load(at: number, count: number): Promise<number> {
    if (at >= this.#base && at + count <= this.#base + this.length) return at - this.#base;
    const wanted = Math.min(Math.max(count, windowBytes), this.end - at);
    if (this.bytes.length < wanted || this.bytes.length > Math.max(wanted, windowBytes)) {
      this.bytes = new Uint8Array(wanted);
    }
    this.length = await this.#file.read(this.bytes.subarray(0, wanted), at);
    // A file that became shorter than its size said reads as zeros: damage like any other.
    this.bytes.fill(0, this.length, wanted);
    this.length = wanted;
    this.#base = at;
    return 0;
  }
}
