// Writes jitdumps for tests, as specified.

type Lines = readonly (readonly [offset: number, line: number, file: string])[];

function record(kind: number, ...fields: (Uint8Array | string | bigint | number)[]): Buffer {
  const parts = fields.map((field) => {
    if (typeof field === 'string') return Buffer.from(`${field}\0`);
    if (field instanceof Uint8Array) return field;
    const bytes = Buffer.alloc(typeof field === 'bigint' ? 8 : 4);
    if (typeof field === 'bigint') bytes.writeBigUInt64LE(field);
    else bytes.writeUInt32LE(field);
    return bytes;
  });
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(16);
  head.writeUInt32LE(kind);
  head.writeUInt32LE(head.length + body.length, 4);
  return Buffer.concat([head, body]);
}

/** Makes a dump's header. V8 writes a mark into the word `unused`. */
export function dumpHeader(unused = 0, timestamp = 1n): Buffer {
  const words = Buffer.alloc(40);
  [0x4a695444, 1, 40, 62, unused, 7].forEach((word, i) => words.writeUInt32LE(word, i * 4));
  words.writeBigUInt64LE(timestamp, 24);
  return words;
}

/** Makes a record of loaded code with `size` bytes at `start`. */
export function loadRecord(start: bigint, size: number, name: string): Buffer {
  return record(0, 7, 7, start, start, BigInt(size), 1n, name, Buffer.alloc(size, 0x90));
}

/** Makes a record of moved code. */
export function moveRecord(from: bigint, to: bigint, size: number): Buffer {
  return record(1, 7, 7, to, from, to, BigInt(size), 1n);
}

/**
 * Makes a record of the lines of the code at `start`; the file name '\xff' means the previous
 * line's file.
 */
export function linesRecord(start: bigint, lines: Lines, count = lines.length): Buffer {
  const fields = lines.flatMap(([offset, line, file]) => {
    const name = file === '\xff' ? Buffer.from([0xff, 0]) : file;
    return [start + BigInt(offset), line, 0, name];
  });
  return record(2, start, BigInt(count), ...fields);
}

/** Makes a record without fields, such as the last record of a dump (type 3). */
export function emptyRecord(kind: number): Buffer {
  return record(kind);
}
