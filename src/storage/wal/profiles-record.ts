// The payload of a profiles record: the stream definitions and the profiles of one commit.
import { ByteReader, type ByteWriter } from '../../base/bytes.ts';
import { AppError } from '../../base/errors.ts';
import type { Steps } from '../../base/pacer.ts';
import type { Label } from '../../model/labels.ts';
import type { Head } from '../head/head.ts';
import type { StagedProfile } from '../head/staged-profile.ts';
import { decodeShape, encodeShape, type StreamKey } from '../series/stream-key.ts';

/** A profile that is not durable yet: its identity and its encoded bytes. */
export interface PendingProfile {
  /** The stream's ref in the head. */
  readonly ref: number;
  readonly timeNanos: bigint;
  readonly contentHash: bigint;
  /** The profile as encodeProfile writes it. */
  readonly bytes: Uint8Array;
  /** Row memory, in bytes, that the profile will occupy in the head. */
  readonly runBytes: number;
}

/** Numbers of profiles in the records that were applied. */
export interface AppliedCounts {
  stored: number;
  known: number;
  /**
   * Number of profiles that cannot be applied, because their stream is lost or their bytes are
   * invalid.
   */
  lost: number;
}

/** Number of profiles that are written in one step. Each profile takes a few microseconds. */
const profilesPerStep = 64;
/** Number of profiles that become visible in one step, which takes a few milliseconds. */
export const shownPerStep = 8_192;
/** Number of bytes of a large profile that are copied in one step. */
const bytesPerStep = 1024 * 1024;

/** Writes the definitions of the head's streams `refs`, and then `profiles`, in steps. */
export function* encodeProfilesRecord(
  writer: ByteWriter,
  head: Pick<Head, 'readKey'>,
  refs: ReadonlySet<number>,
  profiles: readonly PendingProfile[],
): Steps<void> {
  writer.varint(refs.size);
  for (const ref of refs) {
    encodeStream(writer, ref, head.readKey(ref));
    yield;
  }
  writer.varint(profiles.length);
  for (let i = 0; i < profiles.length; i += 1) {
    const { bytes } = profiles[i];
    if (bytes.length > bytesPerStep) yield* writeInSteps(writer, bytes);
    else writer.raw(bytes);
    if (i % profilesPerStep === profilesPerStep - 1) yield;
  }
}

function* writeInSteps(writer: ByteWriter, bytes: Uint8Array): Steps<void> {
  writer.reserve(bytes.length);
  for (let from = 0; from < bytes.length; from += bytesPerStep) {
    writer.raw(bytes.subarray(from, from + bytesPerStep));
    yield;
  }
}

/**
 * Applies the profiles of one payload to the head in steps. First adds the rows of all profiles,
 * then makes the profiles visible, thousands in each step. `segment` is the sequence number of the
 * segment that contains the payload.
 */
export function* applyProfilesRecord(
  reader: ByteReader,
  head: Head,
  segment: number,
  counts: AppliedCounts,
): Steps<void> {
  for (let left = reader.varint(); left > 0; left -= 1) {
    decodeStream(reader, head, segment);
    if (left % profilesPerStep === 0) yield;
  }
  const staged: StagedProfile[] = [];
  for (let left = reader.varint(); left > 0; left -= 1) {
    const length = reader.u32();
    const start = reader.skip(length);
    const one = yield* stageOne(new ByteReader(reader.bytes, start, start + length), head);
    if (typeof one !== 'string') staged.push(one);
    else if (one === 'known') counts.known += 1;
    else counts.lost += 1;
    if (left % profilesPerStep === 0) yield;
  }
  for (let i = 0; i < staged.length; i += 1) {
    if (head.show(staged[i]) === 'stored') counts.stored += 1;
    else counts.known += 1;
    if (i % shownPerStep === shownPerStep - 1) yield;
  }
}

function* stageOne(
  reader: ByteReader,
  head: Head,
): Steps<StagedProfile | 'known' | 'no-stream' | 'damaged'> {
  try {
    return yield* head.stage(reader);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return 'damaged';
  }
}

function encodeStream(writer: ByteWriter, ref: number, key: StreamKey): void {
  writer.varint(ref);
  encodeShape(writer, key);
  writer.varint(key.labels.length);
  for (const { name, value } of key.labels) {
    writer.text(name);
    writer.text(value);
  }
}

function decodeStream(reader: ByteReader, head: Head, segment: number): void {
  const ref = reader.varint();
  const shape = decodeShape(reader);
  const labels: Label[] = [];
  for (let left = reader.varint(); left > 0; left -= 1) {
    labels.push({ name: reader.text(), value: reader.text() });
  }
  head.defineStream(ref, { ...shape, labels });
  head.setLoggedSegment(ref, segment);
}
