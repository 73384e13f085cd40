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
  /** True if all addresses in the profile are offsets in files. */
  readonly areFileAddresses?: boolean;
}

/** The method's path. */
export const writeRawMethod = '/parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw';

/** Number of the field `normalized` of a request. */
const normalizedField = 3;

/**
 * Encodes profiles as requests of about `bytesMax` bytes each; a larger profile gets a request of
 * its own. Equal profiles have equal bytes, so that a server can recognize a request that it has
 * already stored.
 */
export function encodeWriteRaw(
  profiles: readonly SeriesProfile[],
  bytesMax: number,
): readonly Uint8Array[] {
  return [false, true].flatMap((areOfFiles) => {
    const alike = profiles.filter(
      ({ areFileAddresses = false }) => areFileAddresses === areOfFiles,
    );
    return encodeAlike(alike, bytesMax, areOfFiles);
  });
}

/** Encodes profiles of one kind: either all addresses are offsets in files, or none is. */
function encodeAlike(
  profiles: readonly SeriesProfile[],
  bytesMax: number,
  areFileAddresses: boolean,
): readonly Uint8Array[] {
  const requests: Uint8Array[] = [];
  let out = new ProtobufWriter();
  const finish = (): void => {
    if (areFileAddresses) out.uint(normalizedField, 1);
    requests.push(out.finish().slice());
  };
  for (const { name, labels, profile } of profiles) {
    if (out.pos > 0 && out.pos + profile.length > bytesMax) {
      finish();
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
  if (out.pos > 0) finish();
  return requests;
}

function writeLabel(out: ProtobufWriter, name: string, value: string): void {
  const encoder = new TextEncoder();
  const label = out.begin(1);
  out.bytesField(1, encoder.encode(name));
  out.bytesField(2, encoder.encode(value));
  out.end(label);
}
