// Puts profiles into a head that has no log, for tests and benchmarks.
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import { createLabelSet } from '../../model/labels.ts';
import type { Applied, Head } from '../head/head.ts';
import type { IncomingProfile } from '../interface.ts';
import { encodeProfile } from '../head/profile-codec.ts';
import type { StreamKey } from '../series/stream-key.ts';

/** A row: stack, sample labels (0 = none), a value for each sample type. */
export type HeadRow = readonly [stack: number, sampleLabels: number, ...values: bigint[]];

/** A profile as tests write it; fields that are absent have default values. */
export interface HeadProfile {
  readonly labels?: Readonly<Record<string, string>>;
  readonly time: bigint;
  readonly rows: readonly HeadRow[];
  readonly name?: string;
  readonly valueColumns?: number;
  readonly period?: bigint;
  readonly duration?: bigint;
  readonly hash?: bigint;
  readonly sampleTimes?: Uint8Array;
}

const nanoseconds = { type: 'cpu', unit: 'nanoseconds' };

/** Returns the key of the stream that the profile belongs to. */
export function keyOfProfile(profile: HeadProfile): StreamKey {
  const { labels = {}, name = 'process_cpu', valueColumns = 1, duration = 10n } = profile;
  return {
    labels: createLabelSet(Object.entries(labels).map(([key, value]) => ({ name: key, value }))),
    name,
    sampleTypes: Array.from({ length: valueColumns }, (_, i) => ({
      type: `type${i}`,
      unit: 'count',
    })),
    periodType: nanoseconds,
    delta: duration !== 0n,
  };
}

const writer = new ByteWriter(1024);

/** Makes a profile visible in the head, as the log does when the profile is durable. */
export function applyProfile(head: Head, profile: HeadProfile): Applied {
  return head.apply(encodeForHead(head, profile));
}

/** Encodes a profile for the head. The returned reader is valid until the next call. */
export function encodeForHead(head: Head, profile: HeadProfile): ByteReader {
  const { rows, valueColumns = 1, duration = 10n } = profile;
  const key = keyOfProfile(profile);
  const incoming: IncomingProfile = {
    ...key,
    period: profile.period ?? 1n,
    timeNanos: profile.time,
    durationNanos: duration,
    rowCount: rows.length,
    stacks: Uint32Array.from(rows, ([stack]) => stack),
    values: Array.from({ length: valueColumns }, (_, valueColumn) =>
      BigInt64Array.from(rows, ([, , ...values]) => values[valueColumn]),
    ),
    sampleLabels: Uint32Array.from(rows, ([, labels]) => labels),
    contentHash: profile.hash ?? profile.time,
    sampleTimes: profile.sampleTimes,
  };
  writer.length = 0;
  encodeProfile(writer, head.internStream(key), incoming);
  return new ByteReader(writer.bytes, 4, writer.length);
}
