// The Appender of a head: encodes each profile when it is appended, and commits the batch.
import { assert } from '../../base/assert.ts';
import type { ByteWriter } from '../../base/bytes.ts';
import { AppError } from '../../base/errors.ts';
import { walRecordBytesMax } from '../limits.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { Head } from '../head/head.ts';
import type { Appender, IncomingProfile } from '../interface.ts';
import type { PendingProfile } from '../wal/profiles-record.ts';
import { encodeProfile } from '../head/profile-codec.ts';
import { runBytes } from '../head/row-arena.ts';

/** Space of a record that is kept for stream definitions. */
const definitionBytesMax = 16 * 1024 * 1024;
/** Size above which the scratch buffer is replaced by a small one. */
const keptScratchBytesMax = 4 * 1024 * 1024;

/** A batch of profiles of one request. All appenders of a store encode into one scratch buffer. */
export class HeadAppender implements Appender {
  readonly dictionary: Dictionary;
  readonly #head: Head;
  readonly #scratch: ByteWriter;
  readonly #commitBatch: (profiles: readonly PendingProfile[]) => Promise<void>;
  #profiles: PendingProfile[] = [];
  #bytes = 0;

  constructor(
    head: Head,
    scratch: ByteWriter,
    commitBatch: (profiles: readonly PendingProfile[]) => Promise<void>,
  ) {
    this.dictionary = head.dictionary;
    this.#head = head;
    this.#scratch = scratch;
    this.#commitBatch = commitBatch;
  }

  append(profile: IncomingProfile): void {
    const { sampleTypes, values, rowCount } = profile;
    assert(sampleTypes.length > 0, 'a profile measures something');
    assert(sampleTypes.length === values.length, 'a profile has a value column for each type');
    assert(profile.stacks.length >= rowCount, 'a profile has a stack for each row');
    const ref = this.#head.internStream({
      labels: profile.labels,
      name: profile.name,
      sampleTypes,
      periodType: profile.periodType,
      delta: profile.durationNanos !== 0n,
    });
    const scratch = this.#scratch;
    scratch.length = 0;
    encodeProfile(scratch, ref, profile);
    this.#bytes += scratch.length;
    if (this.#bytes > walRecordBytesMax - definitionBytesMax) {
      throw new AppError(
        'resource-exhausted',
        `cannot append profile: the batch passes ${walRecordBytesMax} encoded bytes`,
      );
    }
    this.#profiles.push({
      ref,
      timeNanos: profile.timeNanos,
      contentHash: BigInt.asIntN(64, profile.contentHash),
      bytes: scratch.copy(),
      runBytes:
        runBytes(rowCount, values.length, profile.sampleLabels !== undefined) +
        (profile.sampleTimes?.length ?? 0),
    });
    if (scratch.bytes.length > keptScratchBytesMax) scratch.bytes = new Uint8Array(65_536);
  }

  commit(): Promise<void> {
    const profiles = this.#profiles;
    this.#profiles = [];
    this.#bytes = 0;
    return this.#commitBatch(profiles);
  }
}
