// Makes programs with Go's build information, for tests.
import { makeElf } from './make-elf.ts';

const encoder = new TextEncoder();
const address = 0x60_0000;

/** Makes the head of the section. `flags` is 2 if the strings follow the head. */
export function makeGoBuildHead(flags: number): Buffer {
  const bytes = Buffer.alloc(32);
  bytes.write('\u00ff Go buildinf:', 'latin1');
  bytes[14] = 8;
  bytes[15] = flags;
  return bytes;
}

/** Makes the list of modules, with 16 marker bytes before and after it. */
export function makeGoModules(text: string): Uint8Array {
  const sentinel = new Uint8Array(16).fill(0x30);
  return Buffer.concat([sentinel, encoder.encode(text), sentinel]);
}

/** Makes the content of the section since Go 1.18. */
export function makeGoBuild(version: string, modules: Uint8Array): Buffer {
  return Buffer.concat([makeGoBuildHead(2), counted(encoder.encode(version)), counted(modules)]);
}

function counted(bytes: Uint8Array): Buffer {
  const length = [];
  let rest = bytes.length;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) length.push((rest % 0x80) | 0x80);
  return Buffer.concat([Uint8Array.from([...length, rest]), bytes]);
}

/** Makes a program with the section, and perhaps with data at 0x600000. */
export function makeGoProgram(content: Uint8Array, data?: Uint8Array): Uint8Array {
  const info = { name: '.go.buildinfo', type: 1, address: 0x50_0000, content };
  return makeElf(
    data === undefined ? [info] : [info, { name: '.data', type: 1, address, content: data }],
  );
}

/** Makes a program in the format before Go 1.18. Its strings are in data at the address `at`. */
export function makeOldGoProgram(version: string, modules: Uint8Array, at = address): Uint8Array {
  const name = encoder.encode(version);
  const data = Buffer.alloc(32 + name.length + modules.length);
  const words = [at + 32, name.length, at + 32 + name.length, modules.length];
  words.forEach((word, i) => data.writeBigUInt64LE(BigInt(word), 8 * i));
  data.set(name, 32);
  data.set(modules, 32 + name.length);
  const info = makeGoBuildHead(0);
  info.writeBigUInt64LE(BigInt(at), 16);
  info.writeBigUInt64LE(BigInt(at + 16), 24);
  return makeGoProgram(info, data);
}
