// Makes pprof profiles of any size and shape without the product's encoder.
import { gzipSync } from 'node:zlib';
import protobuf from 'protobufjs/minimal.js';

/** Shape of a profile. The functions form a ring, and each stack is taken from that ring. */
export interface Shape {
  readonly samples: number;
  /** Number of frames of each stack. */
  readonly depth: number;
  readonly functions: number;
  /**
   * Label that gives each sample a different value: a number, a string, or a string with its own
   * name.
   */
  readonly label?: 'number' | 'text' | 'name';
  /** Number of functions inlined into each location. */
  readonly inlined?: number;
  readonly mappings?: number;
  /** String that is part of every name, so that the names are new to the server. */
  readonly salt: string;
  /** Number of characters to add to each name. */
  readonly nameLength?: number;
  /** Name of the first sample type. */
  readonly type?: string;
  readonly timeMillis?: number | undefined;
}

/** Makes an uncompressed profile. */
export function makePprof(shape: Shape): Uint8Array {
  const { samples, depth, functions, salt } = shape;
  const writer = new protobuf.Writer();
  const strings = ['', shape.type ?? 'cpu', 'nanoseconds', 'id'];
  const intern = (text: string): number => strings.push(text) - 1;
  writer.uint32(0x0a).fork().uint32(0x08).uint32(1).uint32(0x10).uint32(2).ldelim();
  for (let i = 0; i < samples; i += 1) {
    writer.uint32(0x12).fork().uint32(0x0a).fork();
    // Stacks that start with the same function have different strides, so no two are equal.
    const stride = 1 + Math.floor(i / functions) * 2;
    for (let j = 0; j < depth; j += 1) writer.uint32(1 + ((i + j * stride) % functions));
    writer.ldelim().uint32(0x12).fork().uint32(10_000_000).ldelim();
    if (shape.label !== undefined) {
      const key = shape.label === 'name' ? intern(`key_${salt}_${i}`) : 3;
      writer.uint32(0x1a).fork().uint32(0x08).uint32(key);
      if (shape.label === 'number') writer.uint32(0x18).uint32(i + 1);
      else writer.uint32(0x10).uint32(intern(`value_${salt}_${i}`));
      writer.ldelim();
    }
    writer.ldelim();
  }
  const mappings = shape.mappings ?? 0;
  for (let i = 1; i <= mappings; i += 1) {
    writer
      .uint32(0x1a)
      .fork()
      .uint32(0x08)
      .uint32(i)
      .uint32(0x10)
      .uint32(i * 4096);
    writer
      .uint32(0x18)
      .uint32(i * 4096 + 4095)
      .uint32(0x28)
      .uint32(intern(`/bin/${salt}${i}`));
    writer.ldelim();
  }
  const inlined = shape.inlined ?? 1;
  const padding = 'x'.repeat(shape.nameLength ?? 0);
  for (let i = 1; i <= functions; i += 1) {
    writer.uint32(0x22).fork().uint32(0x08).uint32(i);
    if (mappings > 0) writer.uint32(0x10).uint32(1 + (i % mappings));
    writer.uint32(0x18).uint32(i);
    for (let j = 0; j < inlined; j += 1) {
      writer
        .uint32(0x22)
        .fork()
        .uint32(0x08)
        .uint32(1 + ((i + j) % functions));
      writer
        .uint32(0x10)
        .uint32(j + 1)
        .ldelim();
    }
    writer.ldelim();
    writer.uint32(0x2a).fork().uint32(0x08).uint32(i);
    writer
      .uint32(0x10)
      .uint32(intern(`fn_${salt}_${i}${padding}`))
      .ldelim();
  }
  writer.uint32(0x48).uint64((shape.timeMillis ?? Date.now()) * 1e6);
  writer.uint32(0x50).uint64(10e9);
  writer.uint32(0x5a).fork().uint32(0x08).uint32(1).uint32(0x10).uint32(2).ldelim();
  writer.uint32(0x60).uint32(10_000_000);
  for (const text of strings) writer.uint32(0x32).string(text);
  return writer.finish();
}

/** Makes a compressed profile. */
export function makeGzippedPprof(shape: Shape): Buffer {
  return gzipSync(makePprof(shape), { level: 1 });
}

/** Returns the shape of an ordinary service's profile. */
export function ordinaryShape(salt: string, timeMillis?: number): Shape {
  return { samples: 1_500, depth: 24, functions: 900, salt, timeMillis };
}
