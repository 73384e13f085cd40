// Replays the log when a store is opened. Each epoch is read into its own head.
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { finishPausing, Pacer } from '../../base/pacer.ts';
import { countedBytes, findSegments, type FoundSegment } from './find-segments.ts';
import type { Head } from '../head/head.ts';
import type { AppliedCounts } from './profiles-record.ts';
import type { StorageMetrics } from '../storage-metrics.ts';
import { createLostRows } from '../../model/dictionaries/dictionary-codec.ts';
import { applyRecord, type ReplayedHead } from './apply-record.ts';
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

/** Input of a replay. */
interface ReplayContext {
  /** Makes an empty head for an epoch. */
  newHead(epoch: number): Head;
  /**
   * Epochs whose profiles are in blocks. The segments of these epochs are removed and not replayed.
   */
  readonly finished: ReadonlySet<number>;
  /** Epoch that the store begins with if the log contains no epoch. */
  readonly nextEpoch: number;
  /**
   * Clock of a server that answers requests during the replay. If absent, the replay does not
   * pause.
   */
  readonly clock?: Clock;
  readonly logger: Logger;
  readonly metrics: StorageMetrics;
}

/** An epoch that was replayed. */
interface ReplayedEpoch {
  readonly epoch: number;
  readonly head: Head;
}

export interface Replayed {
  /** Epochs, oldest first; there is at least one. The store continues with the last epoch. */
  readonly epochs: readonly ReplayedEpoch[];
  readonly end: WalEnd;
}

/** An epoch that is being replayed. */
interface OpenEpoch extends ReplayedEpoch, ReplayedHead {
  readonly head: Head;
}

/**
 * Applies every intact record of the log in order. Damage is counted, logged and skipped. An
 * unfinished write at the end is cut off. At the end of the replay, everything is synced, so that
 * queries see only durable profiles.
 *
 * Errors: 'unavailable' if the disk fails; 'failed-precondition' if a newer program wrote the log;
 * 'data-loss' if intact records contradict each other.
 */
export async function replayWal(place: WalPlace, context: ReplayContext): Promise<Replayed> {
  const { segments, lastSequence } = await findSegments(place, context.finished, context);
  const opened: OpenEpoch[] = [];
  const counting = new Set<number>();
  const kept: WalEnd['kept'][number][] = [];
  let position: WalPosition = { sequence: 0, bytes: 0 };
  let last: FoundSegment | undefined;
  try {
    for (const [index, segment] of segments.entries()) {
      if (opened.at(-1)?.epoch !== segment.epoch) opened.push(openEpoch(context, segment.epoch));
      const counted = countedBytes(segments, index);
      const epoch = opened[opened.length - 1];
      const bytes = await replaySegment(place, context, epoch, segment, counted);
      kept.push({ sequence: segment.sequence, epoch: segment.epoch, bytes });
      if (bytes === 0) continue;
      counting.add(segment.epoch);
      position = { sequence: segment.sequence, bytes };
      last = segment;
    }
    // Makes the truncations and removals above durable, so that they hold even if later headers are
    // damaged.
    await place.files.syncDirectory(place.directory);
  } catch (error) {
    last = undefined;
    throw error;
  } finally {
    for (const segment of segments) {
      if (segment !== last || segment.header === undefined) await segment.file.close();
    }
  }
  // The epoch of an empty segment was a guess, and blocks of that epoch may exist. So an epoch
  // without valid bytes is left out.
  const epochs = opened.filter(({ epoch }) => counting.has(epoch));
  if (epochs.length === 0) epochs.push(openEpoch(context, context.nextEpoch));
  for (const { head } of epochs) {
    if (head.standIns > 0) context.metrics.lostSymbols.add(head.standIns);
  }
  const { epoch } = epochs[epochs.length - 1];
  const canGoOn = last?.header !== undefined && last.epoch === epoch;
  if (last && !canGoOn && last.header !== undefined) await last.file.close();
  const file = canGoOn ? last?.file : undefined;
  return { epochs, end: { lastSequence, kept, epoch, position, file } };
}

function openEpoch({ newHead, logger, metrics }: ReplayContext, epoch: number): OpenEpoch {
  const onLostSymbols = (rows: number): void => metrics.lostSymbols.add(rows);
  return { epoch, head: newHead(epoch), lostRows: createLostRows(), logger, onLostSymbols };
}

/**
 * Applies the records in the first `counted` bytes of a segment. `counted` is undefined for the
 * last segment, which may end in an unfinished write. Returns the number of bytes of the segment
 * that are valid after the replay.
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
  const pacer = context.clock && new Pacer(context.clock);
  let groupStart = segmentHeaderBytes;
  const intact = await scanSegment({
    file,
    salt: segmentSalt(place.seeds, sequence, segment.epoch),
    end: bound,
    isLast: isEnd,
    pacer,
    onRecord: async (record, payload, offset) => {
      if (record.startsGroup) groupStart = offset;
      const found = { sequence, offset, type: record.type, payload };
      await finishPausing(applyRecord(epoch, found, counts), pacer);
      // An end record is a group of its own, so all records before it are durable.
      if (record.type === recordType.end) groupStart = offset + recordHeaderBytes;
    },
    onDamage: report,
  });
  reportLost(context, name, counts);
  // A segment without a header and without records has no valid bytes.
  const isEmpty = header === undefined && intact <= segmentHeaderBytes;
  if (header === undefined && !isEmpty) report(0, segmentHeaderBytes);
  const end = isEmpty ? 0 : Math.min(intact, bound);
  if (end < size) await truncate(context, segment, end, isEnd);
  // A group is known to be durable only if another group follows it. After a failed fsync, the last
  // group may be in the page cache but not on the disk, and a later fsync does not write it. So the
  // last group is written again.
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

async function truncate(
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
