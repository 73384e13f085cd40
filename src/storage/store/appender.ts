// The Appender of a head. It encodes each profile when it is appended, and commits all profiles as
// one batch.
import { assert } from '../../base/assert.ts';
import { ByteWriter, releaseMemory } from '../../base/bytes.ts';
import { AppError } from '../../base/errors.ts';
import type { Steps } from '../../base/pacer.ts';
import { walRecordBytesMax } from '../limits.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { Head } from '../head/head.ts';
import type { Appender, IncomingProfile } from '../interface.ts';
import type { PendingProfile } from '../wal/profiles-record.ts';
import { encodeProfile, encodeProfileInSteps } from '../head/profile-codec.ts';
import { runBytes } from '../head/row-arena.ts';

/** Maximum number of bytes of a record that are reserved for definitions of streams. */
const definitionBytesMax = 16 * 1024 * 1024;
/** Maximum size, in bytes, at which the scratch buffer is kept for the next commit. */
const keptScratchBytesMax = 4 * 1024 * 1024;
/** Maximum number of rows up to which a profile is encoded in one step. */
const rowsAtOnceMax = 16_384;
/** Bytes of a larger profile that are copied in one step. */
const copiedPerStep = 1024 * 1024;

/**
 * The profiles of one request, as a batch. All appenders of a store share one scratch buffer for
 * encoding.
 */
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
    const ref = this.#internStream(profile);
    const scratch = this.#scratch;
    scratch.length = 0;
    encodeProfile(scratch, ref, profile);
    this.#add(ref, profile, scratch.copy());
    if (scratch.bytes.length > keptScratchBytesMax) scratch.bytes = new Uint8Array(65_536);
  }

  *appendInSteps(profile: IncomingProfile): Steps<void> {
    if (profile.rowCount <= rowsAtOnceMax) {
      this.append(profile);
      return;
    }
    const ref = this.#internStream(profile);
    // Other appenders run between two steps, so this profile needs a buffer of its own.
    const writer = new ByteWriter(65_536);
    yield* encodeProfileInSteps(writer, ref, profile);
    const bytes = new Uint8Array(writer.length);
    for (let from = 0; from < bytes.length; from += copiedPerStep) {
      yield;
      const end = Math.min(bytes.length, from + copiedPerStep);
      bytes.set(writer.bytes.subarray(from, end), from);
    }
    releaseMemory(writer.bytes);
    this.#add(ref, profile, bytes);
  }

  commit(): Promise<void> {
    const profiles = this.#profiles;
    this.#profiles = [];
    this.#bytes = 0;
    return this.#commitBatch(profiles);
  }

  #internStream(profile: IncomingProfile): number {
    const { sampleTypes, values, rowCount } = profile;
    assert(sampleTypes.length > 0, 'a profile measures something');
    assert(sampleTypes.length === values.length, 'a profile has a value column for each type');
    assert(profile.stacks.length >= rowCount, 'a profile has a stack for each row');
    return this.#head.internStream({
      labels: profile.labels,
      name: profile.name,
      sampleTypes,
      periodType: profile.periodType,
      delta: profile.durationNanos !== 0n,
    });
  }

  #add(ref: number, profile: IncomingProfile, bytes: Uint8Array): void {
    const { rowCount, values, sampleLabels, sampleTimes } = profile;
    this.#bytes += bytes.length;
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
      bytes,
      runBytes:
        runBytes(rowCount, values.length, sampleLabels !== undefined) + (sampleTimes?.length ?? 0),
    });
  }
}
