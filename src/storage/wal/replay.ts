// Replay: reads the whole log when the store is opened, each epoch into a head of its own.
import type { ByteReader } from '../../base/bytes.ts';
import { AppError, errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { countedBytes, findSegments, type FoundSegment } from './find-segments.ts';
import type { Head } from '../head/head.ts';
import { applyProfilesRecord, type AppliedCounts } from './profiles-record.ts';
import type { StorageMetrics } from '../storage-metrics.ts';
import { createLostRows, decodeSymbols, type LostRows } from '../../model/dictionary-codec.ts';
import {
  recordHeaderBytes,
  recordType,
  segmentHeaderBytes,
  segmentName,
  segmentSalt,
  type WalPosition,
} from './format.ts';
import { scanSegment } from './scan-segment.ts';
import type { WalEnd, WalPlace } from './segments.ts';

/** What a replay needs and reports to. */
export interface ReplayContext {
  /** Makes an empty head for an epoch. */
  newHead(epoch: number): Head;
  /** Epochs whose profiles blocks have: their segments are removed instead. */
  readonly finished: ReadonlySet<number>;
  /** The epoch to go on with when the log has none. */
  readonly nextEpoch: number;
  readonly logger: Logger;
  readonly metrics: StorageMetrics;
}

/** One epoch as the log had it. */
export interface ReplayedEpoch {
  readonly epoch: number;
  readonly head: Head;
}

export interface Replayed {
  /** Oldest first; the last one is to be gone on with. At least one. */
  readonly epochs: readonly ReplayedEpoch[];
  readonly end: WalEnd;
}

/** One epoch while it is replayed. */
interface OpenEpoch extends ReplayedEpoch {
  readonly lostRows: LostRows;
}

/**
 * Applies every intact record of the log in order. Damage is counted, logged and passed over; an
 * unfinished write at the very end is cut off. What was read is synced, so that all that queries
 * see is durable.
 *
 * Errors: 'unavailable' when the disk does not answer; 'failed-precondition' when a newer program
 * wrote the log; 'data-loss' when intact records contradict each other.
 */
export async function replayWal(place: WalPlace, context: ReplayContext): Promise<Replayed> {
  const { segments, lastSequence } = await findSegments(place, context.finished, context);
  const opened: OpenEpoch[] = [];
  const counting = new Set<number>();
  let position: WalPosition = { sequence: 0, bytes: 0 };
  let last: FoundSegment | undefined;
  try {
    for (const [index, segment] of segments.entries()) {
      if (opened.at(-1)?.epoch !== segment.epoch) opened.push(openEpoch(context, segment.epoch));
      const counted = countedBytes(segments, index);
      const epoch = opened[opened.length - 1];
      const bytes = await replaySegment(place, context, epoch, segment, counted);
      if (bytes === 0) continue;
      counting.add(segment.epoch);
      position = { sequence: segment.sequence, bytes };
      last = segment;
    }
    // Cuts and removals hold by themselves from here on, whatever becomes of later headers.
    await place.files.syncDirectory(place.directory);
  } catch (error) {
    last = undefined;
    throw error;
  } finally {
    for (const segment of segments) {
      if (segment !== last || segment.header === undefined) await segment.file.close();
    }
  }
  // The epoch of a segment of which nothing is left was a guess: blocks may have that number.
  const epochs = opened.filter(({ epoch }) => counting.has(epoch));
  if (epochs.length === 0) epochs.push(openEpoch(context, context.nextEpoch));
  for (const { head } of epochs) {
    if (head.standIns > 0) context.metrics.lostSymbols.add(head.standIns);
  }
  const { epoch } = epochs[epochs.length - 1];
  const canGoOn = last?.header !== undefined && last.epoch === epoch;
  if (last && !canGoOn && last.header !== undefined) await last.file.close();
  const file = canGoOn ? last?.file : undefined;
  return { epochs, end: { lastSequence, kept: segments, epoch, position, file } };
}

function openEpoch({ newHead }: ReplayContext, epoch: number): OpenEpoch {
  return { epoch, head: newHead(epoch), lostRows: createLostRows() };
}

/**
 * Applies the records of one segment, of which `counted` bytes count; undefined at the end of the
 * log, where a torn tail is expected. Returns how many bytes count from now on.
 */
async function replaySegment(
  place: WalPlace,
  context: ReplayContext,
  epoch: OpenEpoch,
  segment: FoundSegment,
  counted: number | undefined,
): Promise<number> {
  const { sequence, file, size, header } = segment;
  const name = segmentName(sequence);
  const report = (from: number, to: number): void => {
    context.metrics.corruptRecords.add();
    context.logger.error('passed over damage in the log', { segment: name, from, to });
  };
  const isEnd = counted === undefined;
  const bound = Math.min(size, counted ?? size);
  if (counted !== undefined && counted > size) report(size, counted);

  const counts: AppliedCounts = { stored: 0, known: 0, lost: 0 };
  let groupStart = segmentHeaderBytes;
  const intact = await scanSegment({
    file,
    salt: segmentSalt(place.seeds, sequence, segment.epoch),
    end: bound,
    isLast: isEnd,
    onRecord: (record, payload, offset) => {
      if (record.startsGroup) groupStart = offset;
      applyRecord(context, epoch, sequence, counts, record.type, payload, offset);
      // An end record is a group of its own: what precedes it is durable.
      if (record.type === recordType.end) groupStart = offset + recordHeaderBytes;
    },
    onDamage: report,
  });
  reportLost(context, name, counts);
  // Without header and records nothing of it counts.
  const isEmpty = header === undefined && intact <= segmentHeaderBytes;
  if (header === undefined && !isEmpty) report(0, segmentHeaderBytes);
  const end = isEmpty ? 0 : Math.min(intact, bound);
  if (end < size) await cut(context, segment, end, isEnd);
  // Only a group that others follow is known to be durable: the last one may come from the page
  // cache after a failed fsync, whose pages no later fsync writes. The first one has the header.
  const unsure = groupStart > segmentHeaderBytes ? groupStart : 0;
  if (isEnd && unsure < end) await file.rewrite(unsure, end);
  await file.sync();
  if (end === 0) await place.files.remove(`${place.directory}/${name}`);
  return end;
}

function reportLost({ metrics, logger }: ReplayContext, name: string, counts: AppliedCounts): void {
  if (counts.lost === 0) return;
  metrics.lostProfiles.add(counts.lost);
  logger.error('lost profiles to damage of the log', { segment: name, profiles: counts.lost });
}

async function cut(
  { metrics, logger }: ReplayContext,
  { file, sequence, size }: FoundSegment,
  end: number,
  isEnd: boolean,
): Promise<void> {
  if (isEnd) metrics.tornTails.add();
  logger.warn('cut an unfinished write from the log', {
    segment: segmentName(sequence),
    from: end,
    to: size,
  });
  await file.truncate(end);
}

function applyRecord(
  { metrics, logger }: ReplayContext,
  { head, lostRows }: OpenEpoch,
  sequence: number,
  counts: AppliedCounts,
  type: number,
  payload: ByteReader,
  offset: number,
): void {
  try {
    if (type === recordType.symbols) {
      const lost = decodeSymbols(payload, head.dictionary, lostRows);
      if (lost > 0) metrics.lostSymbols.add(lost);
    } else if (type === recordType.profiles) {
      applyProfilesRecord(payload, head, sequence, counts);
    } else if (type !== recordType.end) {
      logger.warn('passed over a log record of unknown type', { type, offset });
    }
  } catch (error) {
    // The checksum says that we wrote this: going on could show wrong symbols for right values.
    throw new AppError(
      'data-loss',
      `cannot replay ${segmentName(sequence)} at ${offset}: ${errorMessage(error)}`,
      { cause: error },
    );
  }
}
