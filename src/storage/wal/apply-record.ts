// Applies one record of the log to the head of its epoch.
import type { ByteReader } from '../../base/bytes.ts';
import { AppError, errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Steps } from '../../base/pacer.ts';
import { decodeSymbols, type LostRows } from '../../model/dictionaries/dictionary-codec.ts';
import type { Head } from '../head/head.ts';
import { recordType, segmentName } from './format.ts';
import { applyProfilesRecord, type AppliedCounts } from './profiles-record.ts';

/** A head to which the records of its epoch are applied, in order. */
export interface ReplayedHead {
  readonly head: Head;
  readonly lostRows: LostRows;
  readonly logger: Logger;
  /** Called with the number of rows that were in lost records. */
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
 * Applies a record in steps of about a millisecond, between which no other record may be applied.
 *
 * Errors: AppError 'data-loss' when it contradicts an earlier record.
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
    // The checksum is correct, so this server wrote the record. Continuing could show wrong symbols
    // with correct values.
    throw new AppError(
      'data-loss',
      `cannot replay ${segmentName(sequence)} at ${offset}: ${errorMessage(error)}`,
      { cause: error },
    );
  }
}
