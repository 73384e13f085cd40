// Encodes QueryRangeResponse directly from columns, without an object and a Long for each sample.
import Long from 'long';
import protobuf from 'protobufjs/minimal.js';
import type { Pacer } from '../../base/pacer.ts';
import { nameGapSentences } from '../../model/name-gaps.ts';
import { formatProfileType } from '../../model/profile-type.ts';
import type { MetricsSeries, RangeAnswer } from '../../query/interface.ts';

type Writer = protobuf.Writer;

const nanosPerSecond = 1_000_000_000n;

/**
 * Encodes a QueryRangeResponse, with pauses between series.
 *
 * Source: proto/parca/query/v1alpha1/query.proto.
 */
export async function encodeRange(
  { profileTypes, series, missing, nameGaps, notes }: RangeAnswer,
  pacer: Pick<Pacer, 'pause'>,
): Promise<Uint8Array> {
  const writer = protobuf.Writer.create();
  for (const one of series) {
    writer.uint32(field(1, 2)).fork();
    writeSeries(writer, one);
    writer.ldelim();
    const pausing = pacer.pause();
    if (pausing !== undefined) await pausing;
  }
  for (const sentence of [...missing, ...nameGapSentences(nameGaps), ...notes])
    writer.uint32(field(100, 2)).string(sentence);
  for (const type of profileTypes) writer.uint32(field(101, 2)).string(formatProfileType(type));
  return writer.finish();
}

function writeSeries(writer: Writer, series: MetricsSeries): void {
  writer.uint32(field(1, 2)).fork();
  for (const { name, value } of series.labels) {
    writer.uint32(field(1, 2)).fork();
    writer.uint32(field(1, 2)).string(name).uint32(field(2, 2)).string(value);
    writer.ldelim();
  }
  writer.ldelim();
  for (let i = 0; i < series.timeNanos.length; i += 1) {
    writer.uint32(field(2, 2)).fork();
    writeSample(writer, series, i);
    writer.ldelim();
  }
  for (const [number, type] of [
    [3, series.periodType],
    [4, series.sampleType],
  ] as const) {
    writer.uint32(field(number, 2)).fork();
    writer.uint32(field(1, 2)).string(type.type).uint32(field(2, 2)).string(type.unit);
    writer.ldelim();
  }
  writeInt64(writer, 100, series.total);
  if (series.average !== 0) writer.uint32(field(101, 1)).double(series.average);
  const { covered } = series;
  if (covered === undefined) return;
  writeInt64(writer, 102, covered.durationNanos);
  if (covered.snapshots !== 0) writer.uint32(field(103, 1)).double(covered.snapshots);
}

function writeSample(writer: Writer, series: MetricsSeries, i: number): void {
  const time = series.timeNanos[i];
  writer.uint32(field(1, 2)).fork();
  // Times are never negative: profiles with times before 1970 are refused when they are stored.
  writeInt64(writer, 1, time / nanosPerSecond);
  writer.uint32(field(2, 0)).int32(Number(time % nanosPerSecond));
  writer.ldelim();
  writeInt64(writer, 2, series.value[i]);
  writer.uint32(field(3, 1)).double(series.valuePerSecond[i]);
  writeInt64(writer, 4, series.durationNanos[i]);
  writer.uint32(field(5, 0)).int32(series.count[i]);
  const { covered } = series;
  if (covered === undefined) return;
  writer.uint32(field(100, 1)).double(covered.rate[i]);
  writeInt64(writer, 101, covered.coveredNanos[i]);
}

function writeInt64(writer: Writer, number: number, value: bigint): void {
  if (value === 0n) return;
  const low = Number(BigInt.asIntN(32, value));
  const high = Number(BigInt.asIntN(32, value >> 32n));
  writer.uint32(field(number, 0)).int64(Long.fromBits(low, high));
}

function field(number: number, wireType: number): number {
  return (number << 3) | wireType;
}
