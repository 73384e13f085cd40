// Makes OpenTelemetry profile requests with many small messages, or with a dictionary that many
// profiles share.
import protobuf from 'protobufjs/minimal.js';

/**
 * Makes a request with `count` empty messages in a nested field; `path` lists the field tags from
 * the outside in.
 */
export function emptyMessages(path: readonly number[], count: number): Uint8Array {
  const writer = new protobuf.Writer();
  for (const tag of path.slice(0, -1)) writer.uint32(tag).fork();
  const last = path[path.length - 1];
  for (let i = 0; i < count; i += 1) writer.uint32(last).uint32(0);
  for (let i = 1; i < path.length; i += 1) writer.ldelim();
  return writer.finish();
}

/** Field tags that lead from the request down to messages of each type. */
export const otlpPaths = {
  resources: [0x0a],
  scopes: [0x0a, 0x12],
  profiles: [0x0a, 0x12, 0x12],
  samples: [0x0a, 0x12, 0x12, 0x12],
  strings: [0x12, 0x2a],
  stacks: [0x12, 0x3a],
  attributes: [0x12, 0x32],
} as const;

/** Makes a request with `profiles` profiles that share `stacks` stacks of `depth` frames. */
export function sharedStacks(profiles: number, stacks: number, depth: number): Uint8Array {
  const writer = new protobuf.Writer();
  writer.uint32(0x0a).fork().uint32(0x12).fork();
  for (let i = 0; i < profiles; i += 1) {
    writer.uint32(0x12).fork();
    writer.uint32(0x0a).fork().uint32(0x08).uint32(1).uint32(0x10).uint32(2).ldelim();
    for (let j = 1; j <= stacks; j += 1) {
      writer.uint32(0x12).fork().uint32(0x08).uint32(j).uint32(0x22).fork().uint32(1).ldelim();
      writer.ldelim();
    }
    writer.uint32(0x19).fixed64((Date.now() - i) * 1e6);
    writer.uint32(0x20).uint64(1e9).ldelim();
  }
  writer.ldelim().ldelim();
  writer.uint32(0x12).fork();
  const functions = 1_000;
  writer.uint32(0x0a).uint32(0).uint32(0x12).uint32(0).uint32(0x1a).uint32(0);
  for (let i = 1; i <= functions; i += 1) {
    writer.uint32(0x12).fork().uint32(0x1a).fork().uint32(0x08).uint32(i).ldelim().ldelim();
    writer
      .uint32(0x1a)
      .fork()
      .uint32(0x08)
      .uint32(2 + i)
      .ldelim();
  }
  for (const text of ['', 'samples', 'count']) writer.uint32(0x2a).string(text);
  for (let i = 1; i <= functions; i += 1) writer.uint32(0x2a).string(`shared${i}`);
  writer.uint32(0x3a).uint32(0);
  for (let i = 1; i <= stacks; i += 1) {
    writer.uint32(0x3a).fork().uint32(0x0a).fork();
    for (let j = 0; j < depth; j += 1)
      writer.uint32(1 + ((i * 7 + j * (1 + (i % 13))) % functions));
    writer.ldelim().ldelim();
  }
  return writer.ldelim().finish();
}
