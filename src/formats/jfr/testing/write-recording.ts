// Small flight recordings for tests, laid out by types that the test defines.
import { ProtobufWriter } from '../../protobuf-writer.ts';

/** A field of a type: `#` before the type's name makes it a constant, `[]` after it a list. */
export type FieldSpec = readonly [name: string, type: string, unit?: string];

/** A value: a primitive, a string, the values of a struct's fields, or a list. */
export type Value = number | bigint | string | readonly Value[];

/** The contents of one chunk of a test recording. */
export interface ChunkSpec {
  /** Fields by the name of a type; primitives need no entry. */
  readonly types: Readonly<Record<string, readonly FieldSpec[]>>;
  /** Constants by type; each list is written as its own event. */
  readonly constants: readonly (readonly [
    type: string,
    values: readonly (readonly [number, Value])[],
  ])[];
  readonly events: readonly (readonly [type: string, values: readonly Value[]])[];
  /** False for integers of a fixed size. */
  readonly isCompressed?: boolean;
  readonly startNanos?: bigint;
  readonly durationNanos?: bigint;
  readonly startTicks?: bigint;
  readonly ticksPerSecond?: bigint;
  /** True for a chunk that was never finished. */
  readonly isUnfinished?: boolean;
}

const primitives = [
  'boolean',
  'byte',
  'short',
  'int',
  'long',
  'float',
  'double',
  'java.lang.String',
];
const headerBytes = 68;

/** Writes a recording. */
export function writeRecording(chunks: readonly ChunkSpec[]): Uint8Array {
  return Buffer.concat(chunks.map((chunk) => new ChunkWriter(chunk).write()));
}

class ChunkWriter {
  readonly #chunk: ChunkSpec;
  /** Ids of types; events begin at 100. */
  readonly #ids = new Map<string, number>();
  /** Encoded events, cached because tests repeat one event a million times. */
  readonly #events = new Map<ChunkSpec['events'][number], Uint8Array>();

  constructor(chunk: ChunkSpec) {
    this.#chunk = chunk;
    const names = [...primitives, 'jdk.jfr.Timespan', ...Object.keys(chunk.types)];
    names.forEach((name, i) => this.#ids.set(name, 100 + i));
  }

  write(): Uint8Array {
    const { constants, events, isCompressed = true, isUnfinished = false } = this.#chunk;
    const half = Math.ceil(events.length / 2);
    const parts: Uint8Array[] = [Buffer.alloc(headerBytes)];
    const offset = (): number => parts.reduce((sum, { length }) => sum + length, 0);
    for (const event of events.slice(0, half)) parts.push(this.#event(event));
    const firstConstants = offset();
    for (const pool of constants) parts.push(this.#checkpoint(pool));
    for (const event of events.slice(half)) parts.push(this.#event(event));
    const metadata = offset();
    parts.push(this.#metadata());
    const bytes = Buffer.concat(parts);
    bytes.write('FLR\0', 0, 'latin1');
    bytes.writeUInt16BE(2, 4);
    bytes.writeBigInt64BE(BigInt(isUnfinished ? 0 : bytes.length), 8);
    bytes.writeBigInt64BE(BigInt(firstConstants), 16);
    bytes.writeBigInt64BE(BigInt(isUnfinished ? 0 : metadata), 24);
    bytes.writeBigInt64BE(this.#chunk.startNanos ?? 1_790_000_000_000_000_000n, 32);
    bytes.writeBigInt64BE(this.#chunk.durationNanos ?? 10_000_000_000n, 40);
    bytes.writeBigInt64BE(this.#chunk.startTicks ?? 0n, 48);
    bytes.writeBigInt64BE(this.#chunk.ticksPerSecond ?? 1_000_000_000n, 56);
    bytes.writeInt32BE(isCompressed ? 1 : 0, 64);
    return bytes;
  }

  #event(event: ChunkSpec['events'][number]): Uint8Array {
    const known = this.#events.get(event);
    if (known !== undefined) return known;
    const [type, values] = event;
    const bytes = this.#framed(this.#idOf(type), (writer) => this.#value(writer, type, values));
    this.#events.set(event, bytes);
    return bytes;
  }

  #checkpoint([type, values]: ChunkSpec['constants'][number]): Uint8Array {
    return this.#framed(1, (writer) => {
      for (const zero of [0, 0, 0]) this.#long(writer, zero);
      writer.raw(Uint8Array.of(0));
      this.#int(writer, 1);
      this.#long(writer, this.#idOf(type));
      this.#int(writer, values.length);
      for (const [key, value] of values) {
        this.#long(writer, key);
        this.#value(writer, type, value);
      }
    });
  }

  #metadata(): Uint8Array {
    const strings: string[] = [];
    const internText = (text: string): number => {
      if (!strings.includes(text)) strings.push(text);
      return strings.indexOf(text);
    };
    const body = new ProtobufWriter();
    const element = (
      name: string,
      attributes: readonly (readonly [string, string])[],
      count: number,
    ): void => {
      this.#int(body, internText(name));
      this.#int(body, attributes.length);
      for (const [key, value] of attributes) {
        this.#int(body, internText(key));
        this.#int(body, internText(value));
      }
      this.#int(body, count);
    };
    element('root', [], 1);
    element('metadata', [], this.#ids.size);
    for (const [name, id] of this.#ids) {
      const fields = this.#chunk.types[name] ?? [];
      element(
        'class',
        [
          ['id', `${id}`],
          ['name', name],
        ],
        fields.length,
      );
      for (const [field, spec, unit] of fields) {
        const attributes: [string, string][] = [
          ['name', field],
          ['class', `${this.#idOf(plainType(spec))}`],
        ];
        if (spec.startsWith('#')) attributes.push(['constantPool', 'true']);
        if (spec.endsWith('[]')) attributes.push(['dimension', '1']);
        element('field', attributes, unit === undefined ? 0 : 1);
        if (unit !== undefined) {
          element(
            'annotation',
            [
              ['class', `${this.#idOf('jdk.jfr.Timespan')}`],
              ['value', unit],
            ],
            0,
          );
        }
      }
    }
    return this.#framed(0, (writer) => {
      for (const zero of [0, 0, 0]) this.#long(writer, zero);
      this.#int(writer, strings.length);
      for (const text of strings) this.#value(writer, 'java.lang.String', text);
      writer.raw(body.finish());
    });
  }

  /** Returns an event with its size before it. The size is padded, as the JDK writes it. */
  #framed(id: number, write: (writer: ProtobufWriter) => void): Uint8Array {
    const writer = new ProtobufWriter();
    this.#long(writer, id);
    write(writer);
    const content = writer.finish();
    const size = Buffer.alloc(4);
    const length = content.length + size.length;
    if (this.#chunk.isCompressed === false) size.writeInt32BE(length);
    else {
      for (let i = 0; i < 4; i += 1) size[i] = ((length >>> (7 * i)) & 0x7f) | (i < 3 ? 0x80 : 0);
    }
    return Buffer.concat([size, content]);
  }

  #value(writer: ProtobufWriter, type: string, value: Value): void {
    if (type === 'boolean' || type === 'byte') writer.raw(Uint8Array.of(Number(value)));
    else if (type === 'long') this.#long(writer, value as number | bigint);
    else if (type === 'int' || type === 'short') this.#int(writer, Number(value));
    else if (type === 'java.lang.String') {
      const text = Buffer.from(String(value));
      writer.raw(Uint8Array.of(3));
      this.#int(writer, text.length);
      writer.raw(text);
    } else {
      const values = value as readonly Value[];
      this.#chunk.types[type].forEach(([, spec], i) => this.#field(writer, spec, values[i]));
    }
  }

  #field(writer: ProtobufWriter, spec: string, value: Value): void {
    const one = spec.startsWith('#') ? 'long' : plainType(spec);
    if (!spec.endsWith('[]')) {
      this.#value(writer, one, value);
      return;
    }
    const values = value as readonly Value[];
    this.#int(writer, values.length);
    for (const each of values) this.#value(writer, one, each);
  }

  #int(writer: ProtobufWriter, value: number): void {
    if (this.#chunk.isCompressed === false) {
      const bytes = Buffer.alloc(4);
      bytes.writeInt32BE(value);
      writer.raw(bytes);
    } else writer.varint(value);
  }

  #long(writer: ProtobufWriter, value: number | bigint): void {
    if (this.#chunk.isCompressed === false) {
      const bytes = Buffer.alloc(8);
      bytes.writeBigInt64BE(BigInt.asIntN(64, BigInt(value)));
      writer.raw(bytes);
      return;
    }
    let rest = BigInt.asUintN(64, BigInt(value));
    const bytes: number[] = [];
    while (rest > 0x7fn && bytes.length < 8) {
      bytes.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    writer.raw(Uint8Array.of(...bytes, Number(rest)));
  }

  #idOf(type: string): number {
    const id = this.#ids.get(type);
    if (id === undefined) throw new Error(`the type ${type} is not declared`);
    return id;
  }
}

function plainType(spec: string): string {
  return spec.replace(/^#/, '').replace(/\[\]$/, '');
}
