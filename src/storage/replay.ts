// Replay: reads the whole log into the head when the store is opened.
import type { ByteReader } from '../base/bytes.ts';
import { AppError, errorMessage } from '../base/errors.ts';
import type { File } from '../base/files.ts';
import type { Logger } from '../base/logger.ts';
import type { Head } from './head.ts';
import { applyProfilesRecord, type AppliedCounts } from './profiles-record.ts';
import type { StorageMetrics } from './storage-metrics.ts';
import { decodeSymbols, type LostRows } from './symbol-codec.ts';
import {
  readSegmentHeader,
  recordType,
  segmentHeaderBytes,
  segmentName,
  segmentSalt,
  segmentSequence,
  walVersion,
  type SegmentHeader,
} from './wal-format.ts';
import { scanSegment } from './wal-reader.ts';
import type { WalEnd, WalPlace } from './wal-segments.ts';

/** A segment file as it was found. */
interface FoundSegment {
  readonly sequence: number;
  readonly file: File;
  readonly size: number;
  /** Undefined when it is damaged. */
  readonly header: SegmentHeader | undefined;
}

/** What a replay needs and reports to. */
export interface ReplayContext {
  readonly head: Head;
  readonly lostRows: LostRows;
  readonly logger: Logger;
  readonly metrics: StorageMetrics;
}

/**
 * Applies every intact record of the log in order. Damage is counted, logged and passed over; an
 * unfinished write at the very end is cut off. What was read is synced, so that all that queries
 * see is durable.
 *
 * Errors: 'unavailable' when the disk does not answer; 'failed-precondition' when a newer program
 * wrote the log; 'data-loss' when intact records contradict each other.
 */
export async function replayWal(place: WalPlace, context: ReplayContext): Promise<WalEnd> {
  const { segments, foreignSequence } = await findSegments(place, context);
  let end: WalEnd = { sequence: 0, bytes: 0, file: undefined };
  try {
    for (const [index, segment] of segments.entries()) {
      end = await replaySegment(place, context, segment, segments[index + 1]);
    }
    if (end.sequence < foreignSequence) {
      end = { sequence: foreignSequence, bytes: 0, file: undefined };
    }
  } finally {
    for (const { file } of segments) if (file !== end.file) await file.close();
  }
  return end;
}

/** Opens all segments in order. Files of another store or number only take their number away. */
async function findSegments(
  place: WalPlace,
  context: ReplayContext,
): Promise<{ readonly segments: FoundSegment[]; readonly foreignSequence: number }> {
  const { files, directory, seeds } = place;
  const segments: FoundSegment[] = [];
  let foreignSequence = 0;
  for (const name of await files.list(directory)) {
    const sequence = segmentSequence(name);
    if (sequence === undefined) continue;
    const file = await files.open(`${directory}/${name}`, { create: false });
    const bytes = new Uint8Array(segmentHeaderBytes);
    const length = await file.read(bytes, 0);
    const header = readSegmentHeader(bytes.subarray(0, length));
    if (header && header.version > walVersion) {
      const versions = `version ${header.version}, this server reads up to ${walVersion}`;
      throw new AppError('failed-precondition', `cannot replay log segment ${name}: ${versions}`);
    }
    if (header && (header.sequence !== sequence || String(header.seeds) !== String(seeds))) {
      context.logger.error('passed over a log segment of another place', { segment: name });
      context.metrics.corruptRecords.add();
      foreignSequence = Math.max(foreignSequence, sequence);
      await file.close();
    } else segments.push({ sequence, file, size: await file.size(), header });
  }
  segments.sort((a, b) => a.sequence - b.sequence);
  reportMissing(segments, context);
  return { segments, foreignSequence };
}

/** A segment whose predecessor had something durable, but is not there. */
function reportMissing(found: readonly FoundSegment[], context: ReplayContext): void {
  for (const [index, { sequence, header }] of found.entries()) {
    const before = index === 0 ? 0 : found[index - 1].sequence;
    if (before === sequence - 1 || (header?.previousBytes ?? 0) === 0) continue;
    context.metrics.corruptRecords.add();
    context.logger.error('a log segment is missing', { segment: segmentName(sequence - 1) });
  }
}

async function replaySegment(
  place: WalPlace,
  context: ReplayContext,
  segment: FoundSegment,
  next: FoundSegment | undefined,
): Promise<WalEnd> {
  const { sequence, file } = segment;
  const name = segmentName(sequence);
  const report = (from: number, to: number): void => {
    context.metrics.corruptRecords.add();
    context.logger.error('passed over damage in the log', { segment: name, from, to });
  };
  // The next segment's header says how much of this one was ever durable.
  const durable = next?.sequence === sequence + 1 ? next.header?.previousBytes : undefined;
  const isLast = next === undefined;
  const bound = Math.min(segment.size, durable ?? segment.size);
  if (durable !== undefined && durable > segment.size) report(segment.size, durable);
  if (!segment.header && !isLast && bound > 0) report(0, segmentHeaderBytes);

  const counts: AppliedCounts = { stored: 0, known: 0, lost: 0 };
  const intact = await scanSegment({
    file,
    salt: segmentSalt(place.seeds, sequence),
    end: bound,
    isLast,
    onRecord: (type, payload, offset) =>
      applyRecord(context, segment, counts, type, payload, offset),
    onDamage: report,
  });
  if (counts.lost > 0) {
    context.metrics.lostProfiles.add(counts.lost);
    context.logger.error('lost profiles to damage of the log', {
      segment: name,
      profiles: counts.lost,
    });
  }
  if (!isLast) return { sequence, bytes: bound, file: undefined };
  return finishLast(context, segment, intact);
}

/** Cuts the torn tail, and goes on with the segment when its header is intact. */
async function finishLast(
  context: ReplayContext,
  segment: FoundSegment,
  intact: number,
): Promise<WalEnd> {
  const { sequence, file, size } = segment;
  // Without header and records nothing of it counts.
  const isEmpty = segment.header === undefined && intact <= segmentHeaderBytes;
  const end = isEmpty ? 0 : Math.min(intact, size);
  if (end < size) {
    const cut = { segment: segmentName(sequence), from: end, to: size };
    context.metrics.tornTails.add();
    context.logger.warn('cut an unfinished write from the log', cut);
    await file.truncate(end);
  }
  await file.sync();
  return { sequence, bytes: end, file: segment.header === undefined ? undefined : file };
}

function applyRecord(
  context: ReplayContext,
  segment: FoundSegment,
  counts: AppliedCounts,
  type: number,
  payload: ByteReader,
  offset: number,
): void {
  const { head, metrics, logger } = context;
  try {
    if (type === recordType.symbols) {
      const lost = decodeSymbols(payload, head.dictionary, context.lostRows);
      if (lost > 0) metrics.lostSymbols.add(lost);
    } else if (type === recordType.profiles) {
      applyProfilesRecord(payload, head, segment.sequence, counts);
    } else {
      logger.warn('passed over a log record of unknown type', { type, offset });
    }
  } catch (error) {
    // The checksum says that we wrote this: going on could show wrong symbols for right values.
    throw new AppError(
      'data-loss',
      `cannot replay ${segmentName(segment.sequence)} at ${offset}: ${errorMessage(error)}`,
      { cause: error },
    );
  }
}
