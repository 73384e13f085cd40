// Converts Arrow writes that are too large for the main thread to uploads for a worker.
import { joinChunks } from '../base/join-chunks.ts';
import { finishAtOnce } from '../base/pacer.ts';
import { decodeHereBytesMax, decodeHereMillisMax, decodeHereSentBytesMax } from '../base/limits.ts';
import type { RecordColumns } from '../formats/parca-arrow/record-columns.ts';
import { readRecord, readRecordUpTo } from '../formats/parca-arrow/record-reader.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { LabelSet } from '../model/labels.ts';
import type { IncomingProfile } from '../storage/interface.ts';
import { estimateInternMicros } from './decode-cost.ts';
import { moveToFileOffsets } from './file-offsets.ts';
import { batchOfRecord, readRecordSeries } from './record-builder.ts';
import type { UploadContext } from './profile-builder.ts';

/** Facts about an Arrow write. In an upload, its streams are concatenated. */
export interface RecordFacts {
  readonly streamLengths: readonly number[];
  readonly externalLabels: LabelSet;
}

/** An Arrow write as a SeriesUpload. */
interface RecordUpload extends UploadContext {
  readonly profile: Uint8Array;
  readonly caller: string;
  readonly contentBytesMax: number;
  readonly record: RecordFacts;
}

/**
 * Reads an Arrow write. Returns undefined if its compressed size, its decompressed size or its rows
 * are too large for the main thread.
 *
 * Errors: as in readRecord.
 */
export function readSmallRecord(streams: readonly Uint8Array[]): RecordColumns | undefined {
  const byteCount = streams.reduce((sum, { length }) => sum + length, 0);
  if (byteCount > decodeHereSentBytesMax) return undefined;
  const record = readRecordUpTo(streams, decodeHereBytesMax);
  if (record === undefined) return undefined;
  const rowMicros = record.rowCount * 0.3;
  const timesMicros = (record.sampleTimes?.millis.length ?? 0) * 0.3;
  const micros = estimateInternMicros(record.symbols) + rowMicros + timesMicros;
  return micros > decodeHereMillisMax * 1_000 ? undefined : record;
}

/**
 * Returns an Arrow write as an upload. Its streams are joined in slices. Its series is only used to
 * choose the worker.
 */
export async function uploadOfRecord(
  streams: readonly Uint8Array[],
  externalLabels: LabelSet,
  caller: string,
  receivedNanos: bigint,
): Promise<RecordUpload> {
  return {
    series: { name: 'arrow', labels: [{ name: 'caller', value: caller }] },
    profile: streams.length === 1 ? streams[0] : await joinChunks([...streams]),
    record: { streamLengths: streams.map(({ length }) => length), externalLabels },
    caller,
    receivedNanos,
    keepSampleTypes: [],
    timeNanos: undefined,
    areFileAddresses: false,
    samplesMax: 0,
    contentBytesMax: 0,
  };
}

/** Interns an Arrow write. Errors: as in readRecord and readRecordSeries. */
export function internRecord(
  dictionary: Dictionary,
  { profile, receivedNanos }: Pick<RecordUpload, 'profile' | 'receivedNanos'>,
  { streamLengths, externalLabels }: RecordFacts,
  take: (profile: IncomingProfile) => void,
): void {
  let start = 0;
  const streams = streamLengths.map((length) => {
    start += length;
    return profile.subarray(start - length, start);
  });
  const record = readRecord(streams);
  const series = readRecordSeries(record, externalLabels);
  moveToFileOffsets(record.symbols, false);
  finishAtOnce(batchOfRecord(record, series, dictionary, receivedNanos).appendTo(take));
}
