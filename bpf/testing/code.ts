// Reads functions and call instructions from an ELF file, to check stacks.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface Segment {
  readonly address: bigint;
  readonly offset: bigint;
  readonly bytes: bigint;
}

/** Machine code of a file by address. */
export class Code {
  readonly #bytes: Buffer;
  readonly #segments: readonly Segment[];

  constructor(path: string) {
    this.#bytes = readFileSync(path);
    const count = this.#bytes.readUInt16LE(56);
    const start = Number(this.#bytes.readBigUInt64LE(32));
    this.#segments = Array.from({ length: count }, (_, i) => start + 56 * i)
      .filter((at) => this.#bytes.readUInt32LE(at) === 1)
      .map((at) => ({
        offset: this.#bytes.readBigUInt64LE(at + 8),
        address: this.#bytes.readBigUInt64LE(at + 16),
        bytes: this.#bytes.readBigUInt64LE(at + 32),
      }));
  }

  /**
   * Returns true if a call instruction ends at `address`, as there must be before a return address.
   */
  isAfterCall(address: bigint): boolean {
    const segment = this.#segments.find(
      (one) => address >= one.address && address <= one.address + one.bytes,
    );
    if (segment === undefined) return false;
    const end = Number(address - segment.address + segment.offset);
    const byte = (back: number): number => this.#bytes[end - back];
    if (byte(5) === 0xe8) return true;
    // FF /2 is a call through a register or a word in memory, with a displacement of 0, 1 or 4
    // bytes.
    return [2, 3, 4, 6, 7].some((length) => {
      const form = byte(length - 1);
      return byte(length) === 0xff && ((form >> 3) & 7) === 2;
    });
  }
}

/** Functions of a file by address, from nm. */
export class Functions {
  readonly #starts: readonly { readonly address: bigint; readonly name: string }[];

  constructor(path: string, isDynamic = false) {
    const flags = isDynamic ? ['-D', '--defined-only'] : ['--defined-only'];
    const lines = execFileSync('nm', [...flags, path], { encoding: 'utf8' }).split('\n');
    this.#starts = lines
      .map((line) => /^([0-9a-f]+) [tTwWi] ([^@]*)/.exec(line))
      .filter((match) => match !== null)
      // A specialized copy of a function counts as the function.
      .map(([, address, name]) => ({
        address: BigInt(`0x${address}`),
        name: name.replace(/\.(constprop|isra|part|cold).*/, ''),
      }))
      .sort((a, b) => (a.address < b.address ? -1 : 1));
  }

  nameAt(address: bigint): string {
    return this.#starts.findLast((one) => one.address <= address)?.name ?? '?';
  }
}
