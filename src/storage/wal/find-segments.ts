// Finds the segments of the log at startup, and determines the epoch and the number of valid bytes
// of each.
import { ByteReader } from '../../base/bytes.ts';
import { AppError } from '../../base/errors.ts';
import type { File } from '../../base/files.ts';
import type { Logger } from '../../base/logger.ts';
import type { StorageMetrics } from '../storage-metrics.ts';
import type { Seeds } from '../../model/dictionary.ts';
import {
  readRecordHeader,
  readSegmentHeader,
  recordHeaderBytes,
  recordMagic,
  segmentHeaderBytes,
  segmentName,
  segmentSalt,
  segmentSequence,
  walVersion,
  type SegmentHeader,
} from './format.ts';
import type { WalPlace } from './segments.ts';

/**
 * Maximum number of epochs that are tried for a segment with a damaged header. A log needs many
 * years to reach this number.
 */
const epochsTriedMax = 65_536;
/**
 * Limits of the search for records in a segment with a damaged header: number of bytes that are
 * searched, and number of records that are tried.
 */
const probedBytesMax = 1024 * 1024;
const probedRecordsMax = 16;

/** A segment file. */
export interface FoundSegment {
  readonly sequence: number;
  readonly file: File;
  readonly size: number;
  /** Undefined if the header is damaged. */
  readonly header: SegmentHeader | undefined;
  /** Epoch in the header. If the header is damaged, the epoch of the first intact record. */
  readonly epoch: number;
}

interface FoundSegments {
  /** Segments in order of their sequence numbers. */
  readonly segments: readonly FoundSegment[];
  /** Highest sequence number of all segment files. */
  readonly lastSequence: number;
}

interface Reporting {
  readonly logger: Logger;
  readonly metrics: StorageMetrics;
}

/**
 * Opens all segments. Skips a file whose header names another store or another sequence number; the
 * number in the file's name is not used again. Removes the segments of `finished` epochs, whose
 * profiles are in blocks.
 *
 * Errors: AppError 'failed-precondition' if a newer program wrote a segment.
 */
export async function findSegments(
  place: WalPlace,
  finished: ReadonlySet<number>,
  reporting: Reporting,
): Promise<FoundSegments> {
  const { files, directory } = place;
  const found: Omit<FoundSegment, 'epoch'>[] = [];
  let lastSequence = 0;
  try {
    const ownFiles = new Set(await files.listFiles(directory));
    for (const name of await files.list(directory)) {
      const sequence = segmentSequence(name);
      if (sequence === undefined) continue;
      lastSequence = Math.max(lastSequence, sequence);
      if (!ownFiles.has(name)) {
        reporting.logger.warn('passed over a directory in the log', { name });
        continue;
      }
      const segment = await openSegment(place, name, sequence, reporting);
      if (segment !== undefined) found.push(segment);
    }
    found.sort((a, b) => a.sequence - b.sequence);
    const all = await withEpochs(place, found, finished);
    await removeSegments(
      place,
      all.filter(({ epoch }) => finished.has(epoch)),
    );
    const segments = all.filter(({ epoch }) => !finished.has(epoch));
    for (const segment of all) if (finished.has(segment.epoch)) await segment.file.close();
    reportMissing(segments, reporting);
    return { segments, lastSequence };
  } catch (error) {
    for (const { file } of found) await file.close();
    throw error;
  }
}

/**
 * Opens a segment. Returns undefined if the header names another store or another sequence number.
 */
async function openSegment(
  { files, directory, seeds }: WalPlace,
  name: string,
  sequence: number,
  { logger, metrics }: Reporting,
): Promise<Omit<FoundSegment, 'epoch'> | undefined> {
  const file = await files.open(`${directory}/${name}`, { create: false });
  let isOurs = false;
  try {
    const bytes = new Uint8Array(segmentHeaderBytes);
    const length = await file.read(bytes, 0);
    const header = readSegmentHeader(bytes.subarray(0, length));
    if (header && header.version > walVersion) {
      const versions = `version ${header.version}, this server reads up to ${walVersion}`;
      throw new AppError('failed-precondition', `cannot replay log segment ${name}: ${versions}`);
    }
    if (header && (header.sequence !== sequence || String(header.seeds) !== String(seeds))) {
      logger.error('passed over a log segment of another place', { segment: name });
      metrics.corruptRecords.add();
      return undefined;
    }
    const size = await file.size();
    isOurs = true;
    return { sequence, file, size, header };
  } finally {
    if (!isOurs) await file.close();
  }
}

/**
 * Determines the epoch of each segment. If the header is damaged, the epoch is found by the
 * checksums of records. If no record matches any epoch, the epoch is a guess. A wrong guess does no
 * harm, because nothing of such a segment is replayed.
 */
async function withEpochs(
  { seeds }: WalPlace,
  found: readonly Omit<FoundSegment, 'epoch'>[],
  finished: ReadonlySet<number>,
): Promise<FoundSegment[]> {
  const result: FoundSegment[] = [];
  let low = 1;
  for (const [index, segment] of found.entries()) {
    let epoch = segment.header?.epoch;
    if (epoch === undefined) {
      const next = found.slice(index).find(({ header }) => header !== undefined)?.header?.epoch;
      epoch = await epochByRecords(segment, seeds, low, next ?? low + epochsTriedMax);
      epoch ??= finished.has(low) ? (next ?? low + 1) : low;
    }
    result.push({ ...segment, epoch });
    low = epoch;
  }
  return result;
}

/**
 * Returns the first epoch between `low` and `high` for which the header of one of the first records
 * is intact. Returns undefined if there is none.
 */
async function epochByRecords(
  { file, sequence }: Omit<FoundSegment, 'epoch'>,
  seeds: Seeds,
  low: number,
  high: number,
): Promise<number | undefined> {
  const bytes = new Uint8Array(probedBytesMax);
  const length = await file.read(bytes, segmentHeaderBytes);
  const reader = new ByteReader(bytes);
  let records = 0;
  for (let at = 0; at + recordHeaderBytes <= length && records < probedRecordsMax; at += 1) {
    reader.at = at;
    if (reader.u32() !== recordMagic) continue;
    records += 1;
    for (let epoch = low; epoch <= high; epoch += 1) {
      const salt = segmentSalt(seeds, sequence, epoch);
      if (readRecordHeader(bytes, at, salt) !== undefined) return epoch;
    }
  }
  return undefined;
}

/** Removes segments, oldest first, so that the remaining segments are always the end of the log. */
async function removeSegments(
  { files, directory }: WalPlace,
  segments: readonly FoundSegment[],
): Promise<void> {
  if (segments.length === 0) return;
  for (const { sequence } of segments) {
    await files.remove(`${directory}/${segmentName(sequence)}`);
  }
  await files.syncDirectory(directory);
}

/**
 * Reports segments that are missing although the header of a later segment names them. Segments of
 * earlier epochs may have been removed. Segments are removed from the start of the log, so no
 * segment after the first may be missing.
 */
function reportMissing(segments: readonly FoundSegment[], { logger, metrics }: Reporting): void {
  const present = new Set(segments.map(({ sequence }) => sequence));
  for (const { header } of segments) {
    const sequence = header?.previous.sequence ?? 0;
    if (header === undefined || sequence === 0 || present.has(sequence)) continue;
    if (!header.continuesEpoch && sequence < segments[0].sequence) continue;
    metrics.corruptRecords.add();
    logger.error('a log segment is missing', { segment: segmentName(sequence) });
  }
}

/**
 * Returns the number of bytes of a segment that were durable and acknowledged, according to the
 * header of a later segment. Returns undefined for the last segment, which no header follows.
 */
export function countedBytes(segments: readonly FoundSegment[], index: number): number | undefined {
  const { sequence, size } = segments[index];
  for (let later = index + 1; later < segments.length; later += 1) {
    const { header } = segments[later];
    if (header === undefined) continue;
    const { previous } = header;
    if (previous.sequence === sequence) return previous.bytes;
    // The next header names another segment. Either this whole segment was abandoned, or the header
    // that named this segment is damaged.
    return previous.sequence < sequence ? 0 : size;
  }
  return undefined;
}
