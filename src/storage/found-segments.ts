// The segment files that a start finds, and how much of each counts.
import { AppError } from '../base/errors.ts';
import type { File } from '../base/files.ts';
import type { Logger } from '../base/logger.ts';
import type { StorageMetrics } from './storage-metrics.ts';
import {
  readSegmentHeader,
  segmentHeaderBytes,
  segmentName,
  segmentSequence,
  walVersion,
  type SegmentHeader,
} from './wal-format.ts';
import type { WalPlace } from './wal-segments.ts';

/** A segment file as it was found. */
export interface FoundSegment {
  readonly sequence: number;
  readonly file: File;
  readonly size: number;
  /** Undefined when it is damaged. */
  readonly header: SegmentHeader | undefined;
}

export interface FoundSegments {
  /** By sequence. */
  readonly segments: readonly FoundSegment[];
  /** The highest sequence that any file has. */
  readonly lastSequence: number;
}

interface Reporting {
  readonly logger: Logger;
  readonly metrics: StorageMetrics;
}

/**
 * Opens all segments. Files of another store or number are left alone, but their number is taken.
 *
 * Errors: AppError 'failed-precondition' when a newer program wrote one.
 */
export async function findSegments(place: WalPlace, reporting: Reporting): Promise<FoundSegments> {
  const { files, directory, seeds } = place;
  const segments: FoundSegment[] = [];
  let lastSequence = 0;
  for (const name of await files.list(directory)) {
    const sequence = segmentSequence(name);
    if (sequence === undefined) continue;
    lastSequence = Math.max(lastSequence, sequence);
    const file = await files.open(`${directory}/${name}`, { create: false });
    const bytes = new Uint8Array(segmentHeaderBytes);
    const length = await file.read(bytes, 0);
    const header = readSegmentHeader(bytes.subarray(0, length));
    if (header && header.version > walVersion) {
      const versions = `version ${header.version}, this server reads up to ${walVersion}`;
      throw new AppError('failed-precondition', `cannot replay log segment ${name}: ${versions}`);
    }
    if (header && (header.sequence !== sequence || String(header.seeds) !== String(seeds))) {
      reporting.logger.error('passed over a log segment of another place', { segment: name });
      reporting.metrics.corruptRecords.add();
      await file.close();
    } else segments.push({ sequence, file, size: await file.size(), header });
  }
  segments.sort((a, b) => a.sequence - b.sequence);
  reportMissing(segments, reporting);
  return { segments, lastSequence };
}

/** A header that names a segment which is not there. */
function reportMissing(segments: readonly FoundSegment[], { logger, metrics }: Reporting): void {
  const present = new Set(segments.map(({ sequence }) => sequence));
  for (const { header } of segments) {
    const sequence = header?.previous.sequence ?? 0;
    if (sequence === 0 || present.has(sequence)) continue;
    metrics.corruptRecords.add();
    logger.error('a log segment is missing', { segment: segmentName(sequence) });
  }
}

/**
 * How many bytes of a segment were durable and not refused, as a later header says; undefined for
 * the end of the log, of which no header tells.
 */
export function countedBytes(segments: readonly FoundSegment[], index: number): number | undefined {
  const { sequence, size } = segments[index];
  for (let later = index + 1; later < segments.length; later += 1) {
    const { header } = segments[later];
    if (header === undefined) continue;
    const { previous } = header;
    if (previous.sequence === sequence) return previous.bytes;
    // Else either this one was given up whole, or the header that tells of it is damaged.
    return previous.sequence < sequence ? 0 : size;
  }
  return undefined;
}
