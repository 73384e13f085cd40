// Makes messages with a single wrong number, length, index or offset; each has a name.

/** A body to send. */
export interface HostileBody {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A field of a protobuf message: a number, bytes, or a nested message. */
interface Field {
  readonly number: number;
  readonly wire: number;
  readonly value: bigint | Uint8Array | readonly Field[];
}

const hugeNumbers = [
  2n ** 64n - 1n,
  2n ** 63n - 1n,
  2n ** 63n,
  2n ** 32n,
  2n ** 31n - 1n,
  999n,
  0n,
];

function varint(value: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 128n) return [...bytes, Number(rest)];
    bytes.push(Number(rest & 127n) | 128);
  }
}

function readVarint(bytes: Uint8Array, start: number): readonly [value: bigint, end: number] {
  let value = 0n;
  for (let at = start; at < bytes.length && at < start + 10; at += 1) {
    value |= BigInt(bytes[at] & 127) << BigInt(7 * (at - start));
    if (bytes[at] < 128) return [value, at + 1];
  }
  throw new Error('a varint is cut off');
}

/** Parses a message, and bytes in it that look like a message. */
function parseFields(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < bytes.length;) {
    const [tag, afterTag] = readVarint(bytes, at);
    const [number, wire] = [Number(tag >> 3n), Number(tag & 7n)];
    if (number === 0 || number > 1_000) throw new Error('no field');
    if (wire === 0) {
      const [value, end] = readVarint(bytes, afterTag);
      fields.push({ number, wire, value });
      at = end;
    } else if (wire === 2) {
      const [length, start] = readVarint(bytes, afterTag);
      at = start + Number(length);
      if (at > bytes.length) throw new Error('past the end');
      const content = bytes.subarray(start, at);
      fields.push({ number, wire, value: nestedFields(content) ?? content });
    } else if (wire === 1 || wire === 5) {
      at = afterTag + (wire === 1 ? 8 : 4);
      if (at > bytes.length) throw new Error('past the end');
      fields.push({ number, wire, value: bytes.subarray(afterTag, at) });
    } else throw new Error('a wire type without use');
  }
  return fields;
}

function nestedFields(bytes: Uint8Array): Field[] | undefined {
  if (bytes.length === 0) return undefined;
  try {
    return parseFields(bytes);
  } catch {
    return undefined;
  }
}

function printFields(fields: readonly Field[]): number[] {
  return fields.flatMap(({ number, wire, value }) => {
    const tag = varint((BigInt(number) << 3n) | BigInt(wire));
    if (typeof value === 'bigint') return [...tag, ...varint(value)];
    const content = value instanceof Uint8Array ? [...value] : printFields(value);
    return wire === 2
      ? [...tag, ...varint(BigInt(content.length)), ...content]
      : [...tag, ...content];
  });
}

/** Returns wrong bytes for a field, each variant with a name. */
function wrongFields(field: Field): (readonly [what: string, bytes: readonly number[]])[] {
  const { number, wire, value } = field;
  const tag = (as: number): number[] => varint((BigInt(number) << 3n) | BigInt(as));
  if (typeof value === 'bigint') {
    return [
      ...hugeNumbers.map((huge) => [`= ${huge}`, [...tag(0), ...varint(huge)]] as const),
      ['has 11 bytes', [...tag(0), ...Array<number>(10).fill(255), 1]],
      ['is fixed', [...tag(1), ...Array<number>(8).fill(255)]],
      ['is bytes', [...tag(2), 4, 255, 255, 255, 255]],
    ];
  }
  if (wire !== 2) return [['is all ones', [...tag(wire), ...Array<number>(8).fill(255)]]];
  const content = value instanceof Uint8Array ? [...value] : printFields(value);
  const withLength = (length: bigint): number[] => [...tag(2), ...varint(length), ...content];
  const length = BigInt(content.length);
  return [
    ['is one too long', withLength(length + 1n)],
    ['is one too short', withLength(length > 0n ? length - 1n : 1n)],
    ['has a length of 2^31 - 1', withLength(2n ** 31n - 1n)],
    ['has a length of 2^32 - 1', withLength(2n ** 32n - 1n)],
    ['has a length of -1', withLength(2n ** 64n - 1n)],
    ['is empty', [...tag(2), 0]],
    ['is a number', [...tag(0), ...varint(2n ** 63n)]],
    [
      'is packed and huge',
      [...tag(2), 30, ...Array.from({ length: 3 }, () => varint(2n ** 64n - 1n)).flat()],
    ],
    ['is a group', [...tag(3), ...content, ...tag(4)]],
    ['is in itself', nestedOften(tag(2), 60)],
    ['comes twice', [...withLength(length), ...withLength(length)]],
  ];
}

/** Returns a message that is nested in itself `depth` times. */
function nestedOften(tag: readonly number[], depth: number): number[] {
  let bytes: number[] = [];
  for (let i = 0; i < depth; i += 1) bytes = [...tag, ...varint(BigInt(bytes.length)), ...bytes];
  return bytes;
}

/** Returns variants of a protobuf message, in each of which one field is wrong in one way. */
export function wrongProtobufs(message: Uint8Array): HostileBody[] {
  const bodies: HostileBody[] = [];
  const seen = new Set<string>();
  const walk = (
    fields: readonly Field[],
    path: string,
    whole: (changed: readonly number[]) => number[],
  ): void => {
    fields.forEach((field, i) => {
      const own = `${path}${field.number}`;
      const around = (changed: readonly number[]): number[] =>
        whole([
          ...printFields(fields.slice(0, i)),
          ...changed,
          ...printFields(fields.slice(i + 1)),
        ]);
      if (!seen.has(own)) {
        for (const [what, changed] of wrongFields(field)) {
          bodies.push({ name: `field ${own} ${what}`, bytes: Uint8Array.from(around(changed)) });
        }
      }
      seen.add(own);
      const { number, value } = field;
      if (typeof value === 'bigint' || value instanceof Uint8Array) return;
      walk(value, `${own}.`, (changed) => {
        const tag = varint((BigInt(number) << 3n) | 2n);
        return around([...tag, ...varint(BigInt(changed.length)), ...changed]);
      });
    });
  };
  walk(parseFields(message), '', (changed) => [...changed]);
  return bodies;
}

/**
 * Returns variants of the bytes, in each of which one word of `size` bytes in a range is a wrong
 * offset or length.
 */
export function wrongWords(
  bytes: Uint8Array,
  size: 4 | 8,
  start = 0,
  end = bytes.length,
): HostileBody[] {
  const values = [
    2n ** 64n - 1n,
    2n ** 31n - 1n,
    2n ** 31n,
    BigInt(bytes.length),
    BigInt(bytes.length - 1),
    0n,
    4n,
    2n ** 53n,
    2n ** 63n,
  ];
  const bodies: HostileBody[] = [];
  for (let at = start; at + size <= end; at += size) {
    // Each word gets two of the values; the next word gets the next two.
    for (let i = 0; i < 2; i += 1) {
      const value = values[(2 * (at / size) + i) % values.length];
      const changed = bytes.slice();
      const view = new DataView(changed.buffer);
      if (size === 4) view.setUint32(at, Number(value & 0xffff_ffffn), true);
      else view.setBigUint64(at, value, true);
      bodies.push({ name: `word at ${at} = ${value}`, bytes: changed });
    }
  }
  return bodies;
}

/**
 * Returns variants of a JSON document, in each of which one number, string, list or object is wrong
 * in one way.
 */
export function wrongJson(text: string): HostileBody[] {
  const bodies: HostileBody[] = [];
  const seen = new Set<string>();
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
  const wrong = (value: unknown): readonly string[] => {
    if (typeof value === 'number') {
      return [
        '-1',
        '1e308',
        '-1e308',
        '9007199254740993',
        '4294967295',
        '0.5',
        '"7"',
        'null',
        '[]',
      ];
    }
    if (typeof value === 'string') return ['""', '7', 'null', '{}', '"\\ud800"', '"\\u0000"'];
    if (Array.isArray(value))
      return ['[]', 'null', '{}', '[null]', '[[[[]]]]', '[-1]', '"x"', deep];
    return ['{}', 'null', '[]', '7', '{"length":1e9}', '{"__proto__":{"schema":1}}'];
  };
  const walk = (value: unknown, path: string, print: (text: string) => string): void => {
    const key = path.replaceAll(/\.\d+/g, '.*');
    if (!seen.has(key)) {
      wrong(value).forEach((other, i) => {
        const bytes = new TextEncoder().encode(print(other));
        bodies.push({ name: `${path} wrong in way ${i}`, bytes });
      });
    }
    seen.add(key);
    if (typeof value !== 'object' || value === null) return;
    const entries = Object.entries(value);
    for (const [name, inner] of entries) {
      walk(inner, `${path}.${name}`, (changed) => {
        const parts = entries.map(([other, rest]) => {
          const printed = other === name ? changed : JSON.stringify(rest);
          return Array.isArray(value) ? printed : `${JSON.stringify(other)}:${printed}`;
        });
        return print(Array.isArray(value) ? `[${parts.join()}]` : `{${parts.join()}}`);
      });
    }
  };
  walk(JSON.parse(text), '', (changed) => changed);
  return bodies;
}

/** Returns frames of gRPC-Web and Connect with wrong flags or lengths. */
export function wrongFrames(message: Uint8Array): HostileBody[] {
  const { length } = message;
  const lengths = [0, length - 1, length + 1, 2 ** 24, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, length];
  return [0, 1, 2, 3, 0x7f, 0x80, 0x81, 0xff].flatMap((flags) =>
    lengths.map((declared) => {
      const bytes = new Uint8Array(5 + length);
      bytes[0] = flags;
      new DataView(bytes.buffer).setUint32(1, declared);
      bytes.set(message, 5);
      return { name: `flags ${flags}, length ${declared}`, bytes };
    }),
  );
}

/** Returns variants of a string, in each of which one number is wrong in one way. */
export function wrongDigits(text: string): HostileBody[] {
  const others = ['-1', '0', '9'.repeat(400), '18446744073709551616', '1e400', 'x'];
  return [...text.matchAll(/[0-9a-f]*\d[0-9a-f]*/g)].flatMap(({ 0: digits, index }) =>
    others.map((other) => ({
      name: `${digits} at ${index} = ${other.slice(0, 30)}`,
      bytes: new TextEncoder().encode(
        text.slice(0, index) + other + text.slice(index + digits.length),
      ),
    })),
  );
}
