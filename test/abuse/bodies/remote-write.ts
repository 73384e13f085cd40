// Prometheus remote-write requests, encoded as snappy blocks that contain only literals.
import protobuf from 'protobufjs/minimal.js';

/** A sample of now. */
export interface RemoteSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Makes a request. */
export function encodeRemoteWrite(samples: readonly RemoteSample[]): Buffer {
  const writer = new protobuf.Writer();
  const now = Date.now();
  for (const { labels, value } of samples) {
    writer.uint32(0x0a).fork();
    for (const name of Object.keys(labels).sort()) {
      writer.uint32(0x0a).fork().uint32(0x0a).string(name);
      writer.uint32(0x12).string(labels[name]).ldelim();
    }
    writer.uint32(0x12).fork().uint32(0x09).double(value).uint32(0x10).int64(now).ldelim();
    writer.ldelim();
  }
  return literals(writer.finish());
}

/** Encodes the bytes as a snappy block of literals. */
function literals(bytes: Uint8Array): Buffer {
  const head = new protobuf.Writer().uint32(bytes.length).finish();
  const parts: Uint8Array[] = [head];
  for (let at = 0; at < bytes.length; at += 65_536) {
    const part = bytes.subarray(at, at + 65_536);
    const tag = Buffer.alloc(3);
    tag[0] = 61 << 2;
    tag.writeUInt16LE(part.length - 1, 1);
    parts.push(tag, part);
  }
  return Buffer.concat(parts);
}
