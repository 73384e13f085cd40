// WriteRawRequest: profiles of many label sets in one message.
//
// Source: proto/parca/profilestore/v1alpha1/profilestore.proto.
import { ProtobufWriter } from '../formats/protobuf-writer.ts';
import { type LabelSet, profileNameLabel } from '../model/labels.ts';

/** One profile of one series. */
export interface SeriesProfile {
  /** The profile's name, which becomes the first part of its type. */
  readonly name: string;
  readonly labels: LabelSet;
  /** Gzipped pprof. */
  readonly profile: Uint8Array;
}

/** The method's path. */
export const writeRawMethod = '/parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw';

/**
 * Returns requests of about `bytesMax` bytes each; a larger profile has a request of its own. The
 * same profiles make the same bytes, so a server recognizes a request that it has already stored.
 */
export function encodeWriteRaw(
  profiles: readonly SeriesProfile[],
  bytesMax: number,
): readonly Uint8Array[] {
  const requests: Uint8Array[] = [];
  let out = new ProtobufWriter();
  for (const { name, labels, profile } of profiles) {
    if (out.pos > 0 && out.pos + profile.length > bytesMax) {
      requests.push(out.finish().slice());
      out = new ProtobufWriter();
    }
    const series = out.begin(2);
    const set = out.begin(1);
    writeLabel(out, profileNameLabel, name);
    for (const label of labels) writeLabel(out, label.name, label.value);
    out.end(set);
    const sample = out.begin(2);
    out.bytesField(1, profile);
    out.end(sample);
    out.end(series);
  }
  if (out.pos > 0) requests.push(out.finish().slice());
  return requests;
}

function writeLabel(out: ProtobufWriter, name: string, value: string): void {
  const encoder = new TextEncoder();
  const label = out.begin(1);
  out.bytesField(1, encoder.encode(name));
  out.bytesField(2, encoder.encode(value));
  out.end(label);
}
