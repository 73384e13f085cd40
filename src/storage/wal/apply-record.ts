// Applies one record of the log to the head of its epoch.
import type { ByteReader } from '../../base/bytes.ts';
import { AppError, errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Steps } from '../../base/pacer.ts';
import { decodeSymbols, type LostRows } from '../../model/dictionaries/dictionary-codec.ts';
import type { Head } from '../head/head.ts';
import { recordType, segmentName } from './format.ts';
import { applyProfilesRecord, type AppliedCounts } from './profiles-record.ts';

/** A head that is restored by applying the records of its epoch in order. */
export interface ReplayedHead {
  readonly head: Head;
  readonly lostRows: LostRows;
  readonly logger: Logger;
  /** Called with the number of dictionary rows whose records are lost. */
  onLostSymbols(rows: number): void;
}

/** An intact record. */
export interface IntactRecord {
  readonly sequence: number;
  readonly offset: number;
  readonly type: number;
  readonly payload: ByteReader;
}

/**
 * Applies a record in steps of about a millisecond. No other record may be applied before the last
 * step.
 *
 * Errors: AppError 'data-loss' if the record contradicts an earlier record.
 */
export function* applyRecord(
  { head, lostRows, logger, onLostSymbols }: ReplayedHead,
  { sequence, offset, type, payload }: IntactRecord,
  counts: AppliedCounts,
): Steps<void> {
  try {
    if (type === recordType.symbols) {
      const lost = yield* decodeSymbols(payload, head.dictionary, lostRows);
      if (lost > 0) onLostSymbols(lost);
    } else if (type === recordType.profiles) {
      yield* applyProfilesRecord(payload, head, sequence, counts);
    } else if (type !== recordType.end) {
      logger.warn('passed over a log record of unknown type', { type, offset });
    }
  } catch (error) {
    // The checksum is correct, so the record is not damaged: this server wrote it. If the replay
    // continued, correct values could appear with wrong symbols.
    throw new AppError(
      'data-loss',
      `cannot replay ${segmentName(sequence)} at ${offset}: ${errorMessage(error)}`,
      { cause: error },
    );
  }
}
