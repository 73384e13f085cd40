// Encodes numbers as remote-write requests of Prometheus, version 1 or 2, in Snappy's format.
import protobuf from 'protobufjs/minimal.js';
import type { RemoteWriteConfig } from '../config/config.ts';
import type { LabelSet } from '../model/labels.ts';

/** Points of a series in order of time. */
export interface WrittenSeries {
  readonly labels: LabelSet;
  readonly timeMillis: readonly number[];
  readonly values: readonly number[];
}

type Version = RemoteWriteConfig['version'];

/** Returns the headers of a request. */
export function writeHeaders(version: Version): Readonly<Record<string, string>> {
  const type = 'application/x-protobuf';
  return {
    'content-encoding': 'snappy',
    'content-type': version === 1 ? type : `${type};proto=io.prometheus.write.v2.Request`,
    'x-prometheus-remote-write-version': version === 1 ? '0.1.0' : '2.0.0',
  };
}

/** Returns the body of a request. */
export function encodeWrite(series: readonly WrittenSeries[], version: Version): Uint8Array {
  const writer = protobuf.Writer.create();
  if (version === 1) writeFirst(writer, series);
  else writeSecond(writer, series);
  return toSnappy(writer.finish());
}

/** Returns the protobuf tag of a length-delimited field. */
function lengthTag(field: number): number {
  return (field << 3) | 2;
}

/** Writes `prometheus.WriteRequest`. */
function writeFirst(writer: protobuf.Writer, series: readonly WrittenSeries[]): void {
  for (const one of series) {
    writer.uint32(lengthTag(1)).fork();
    for (const { name, value } of one.labels) {
      writer.uint32(lengthTag(1)).fork();
      writer.uint32(lengthTag(1)).string(name).uint32(lengthTag(2)).string(value).ldelim();
    }
    writeSamples(writer, one);
    writer.ldelim();
  }
}

/** Metric type "gauge" in version 2. */
const gauge = 2;

/** Writes `io.prometheus.write.v2.Request`, which refers to strings by index. */
function writeSecond(writer: protobuf.Writer, series: readonly WrittenSeries[]): void {
  const symbols = new Map<string, number>([['', 0]]);
  const numberOf = (symbol: string): number => {
    const number = symbols.get(symbol) ?? symbols.size;
    symbols.set(symbol, number);
    return number;
  };
  const labels = series.map((one) =>
    one.labels.flatMap(({ name, value }) => [numberOf(name), numberOf(value)]),
  );
  for (const symbol of symbols.keys()) writer.uint32(lengthTag(4)).string(symbol);
  for (const [i, one] of series.entries()) {
    writer.uint32(lengthTag(5)).fork().uint32(lengthTag(1)).fork();
    for (const number of labels[i]) writer.uint32(number);
    writer.ldelim();
    writeSamples(writer, one);
    writer
      .uint32(lengthTag(5))
      .fork()
      .uint32(1 << 3)
      .uint32(gauge)
      .ldelim();
    writer.ldelim();
  }
}

/** Writes samples, which are field 2 in both versions. */
function writeSamples(writer: protobuf.Writer, { timeMillis, values }: WrittenSeries): void {
  for (const [i, value] of values.entries()) {
    writer.uint32(lengthTag(2)).fork();
    writer.uint32((1 << 3) | 1).double(value);
    writer.uint32(2 << 3).int64(timeMillis[i]);
    writer.ldelim();
  }
}

/** Maximum number of bytes in a literal with a two-byte length. */
const literalBytesMax = 65_536;
/** Tag of a literal with a two-byte length. */
const literalTag = 61 << 2;

/** Returns bytes in Snappy's format without compressing them, because requests are small. */
function toSnappy(bytes: Uint8Array): Uint8Array {
  const head = protobuf.Writer.create().uint32(bytes.length).finish();
  const parts: Uint8Array[] = [head];
  for (let start = 0; start < bytes.length; start += literalBytesMax) {
    const literal = bytes.subarray(start, start + literalBytesMax);
    const last = literal.length - 1;
    parts.push(new Uint8Array([literalTag, last & 0xff, last >> 8]), literal);
  }
  return Buffer.concat(parts);
}
