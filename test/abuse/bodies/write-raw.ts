// Makes WriteRaw requests, in JSON and in protobuf.
import protobuf from 'protobufjs/minimal.js';

/** A series with one profile. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly profile: Uint8Array;
}

/** Makes a request in JSON. */
export function writeRawJson(series: readonly Series[]): string {
  return JSON.stringify({
    series: series.map(({ labels, profile }) => ({
      labels: { labels: Object.entries(labels).map(([name, value]) => ({ name, value })) },
      samples: [{ rawProfile: Buffer.from(profile).toString('base64') }],
    })),
  });
}

/** Makes a request in protobuf. */
export function writeRawBytes(series: readonly Series[]): Uint8Array {
  const writer = new protobuf.Writer();
  for (const { labels, profile } of series) {
    writer.uint32(0x12).fork().uint32(0x0a).fork();
    for (const [name, value] of Object.entries(labels)) {
      writer.uint32(0x0a).fork().uint32(0x0a).string(name).uint32(0x12).string(value).ldelim();
    }
    writer.ldelim().uint32(0x12).fork().uint32(0x0a).bytes(profile).ldelim().ldelim();
  }
  return writer.finish();
}

/** Returns `count` series; `labelsOf` returns the labels of the i-th. */
export function makeSeries(
  count: number,
  profile: Uint8Array,
  labelsOf: (i: number) => Readonly<Record<string, string>>,
): Series[] {
  return Array.from({ length: count }, (_, i) => ({
    labels: { __name__: 'process_cpu', ...labelsOf(i) },
    profile,
  }));
}
