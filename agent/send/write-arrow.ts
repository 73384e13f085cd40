// WriteArrowRequest: profiles with many label sets in one Arrow stream.
//
// Source: proto/parca/profilestore/v1alpha1/profilestore.proto.
import { encodeRecord, type RecordFrame } from '../../src/formats/parca-arrow/encode-record.ts';
import type { FrameCompressor } from '../../src/formats/arrow/lz4-frame.ts';
import { ProtobufWriter } from '../../src/formats/protobuf-writer.ts';
import type { ArrowRequests } from '../../src/forward/sender.ts';
import { profilesPerRecordMax } from '../limits.ts';
import { type BatchProfile, profileName } from '../profile/batch-profiles.ts';
import type { Frame } from '../frames/frame.ts';

/** Path of the gRPC method. */
export const writeArrowMethod = '/parca.profilestore.v1alpha1.ProfileStoreService/WriteArrow';

/**
 * Encodes requests with up to profilesPerRecordMax profiles each, including symbols. The same
 * profiles always give the same bytes, so that a server recognizes a request that it has already
 * stored.
 */
export function encodeWriteArrow(
  profiles: readonly BatchProfile[],
  compress: FrameCompressor,
): readonly Uint8Array[] {
  const requests: Uint8Array[] = [];
  for (let from = 0; from < profiles.length; from += profilesPerRecordMax) {
    const some = profiles.slice(from, from + profilesPerRecordMax);
    requests.push(encodeRequest(encodeRecord(collectColumns(some), compress)));
  }
  return requests;
}

/** Encodes a request without profiles, to test if a server supports the method. */
function encodeEmptyWriteArrow(): Uint8Array {
  return encodeRequest(encodeRecord([], undefined));
}

/**
 * Returns true if an encoded request is for this method. It has only field 1, but WriteRaw also has
 * field 2.
 */
export function isWriteArrow(request: Uint8Array): boolean {
  return request[0] === 0x0a;
}

/** Implementation of WriteArrow requests for the sender. */
export const arrowRequests: ArrowRequests = {
  method: writeArrowMethod,
  isOne: isWriteArrow,
  encodeEmpty: encodeEmptyWriteArrow,
};

function encodeRequest(stream: Uint8Array): Uint8Array {
  const out = new ProtobufWriter();
  out.bytesField(1, stream);
  return out.finish().slice();
}

function collectColumns(profiles: readonly BatchProfile[]): Parameters<typeof encodeRecord>[0] {
  const known = new Map<Frame, RecordFrame>();
  const toRecordFrame = (frame: Frame): RecordFrame => {
    const made = known.get(frame) ?? recordFrame(frame);
    known.set(frame, made);
    return made;
  };
  return profiles.map(({ labels, head, samples }) => ({
    ...head,
    name: profileName,
    samples: Array.from(samples.rows(), (row) => ({
      labels: [...labels, ...row.labels],
      frames: row.frames.map(toRecordFrame),
      value: row.value,
      timesNanos: row.timesNanos,
    })),
  }));
}

function recordFrame(frame: Frame): RecordFrame {
  const { mapping, buildId, address, functionName, fileName, startLine, line } = frame;
  const call = { systemName: functionName, fileName, startLine, line, column: 0 };
  return { mappingFile: mapping, buildId, address, lines: functionName === '' ? [] : [call] };
}
