// Functions of the running kernel by address, from /proc/kallsyms.
//
// The columns are sorted by address, and all names are in one byte array. Addresses use all 64
// bits.

/** A function of the kernel. */
export interface KernelSymbol {
  readonly name: string;
  /** Name of the module; "vmlinux" for the kernel itself. */
  readonly file: string;
}

/** Finds kernel functions by address. */
export class KernelSymbols {
  readonly #addresses: BigUint64Array;
  /** Start of each name in `#names`, and the end of the last name. */
  readonly #starts: Uint32Array;
  /** Names as in the file: `<name>`, followed by a tab and `[module]` for modules. */
  readonly #names: Buffer;

  /**
   * Parses /proc/kallsyms. If the kernel hides addresses (kernel.kptr_restrict), all addresses are
   * 0, and there are no symbols.
   */
  constructor(content: Buffer) {
    const rows = readRows(content);
    const { count, halves } = rows;
    const addresses = new BigUint64Array(halves.buffer, 0, count);
    const order = Uint32Array.from({ length: count }, (_, row) => row);
    // In the file, the kernel's own functions are sorted, but the functions of modules follow
    // unsorted. If an address has several names, they keep their order.
    if (!isSorted(addresses)) {
      order.sort((a, b) =>
        addresses[a] < addresses[b] ? -1 : addresses[a] > addresses[b] ? 1 : a - b,
      );
    }
    this.#addresses = new BigUint64Array(count);
    this.#starts = new Uint32Array(count + 1);
    this.#names = Buffer.allocUnsafeSlow(rows.nameBytes);
    let length = 0;
    for (let i = 0; i < count; i += 1) {
      const row = order[i];
      this.#addresses[i] = addresses[row];
      this.#starts[i] = length;
      length += content.copy(this.#names, length, rows.starts[row], rows.ends[row]);
    }
    this.#starts[count] = length;
  }

  /** Number of functions. */
  get length(): number {
    return this.#addresses.length;
  }

  find(address: bigint): KernelSymbol | undefined {
    let low = 0;
    let high = this.#addresses.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#addresses[middle] <= address) low = middle + 1;
      else high = middle;
    }
    let row = low - 1;
    if (row < 0) return undefined;
    while (row > 0 && this.#addresses[row - 1] === this.#addresses[row]) row -= 1;
    const text = this.#names.toString('utf8', this.#starts[row], this.#starts[row + 1]);
    const [name, module] = text.split('\t');
    return { name, file: module === undefined ? 'vmlinux' : module.replace(/^\[|\]$/g, '') };
  }
}

/** Functions in the order of the file. */
interface Rows {
  readonly count: number;
  /** Low and high half of each address. */
  readonly halves: Uint32Array<ArrayBuffer>;
  /** Offset of each name in the file. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly nameBytes: number;
}

/** Length of the shortest line, `<16 hex digits> <type> <name>`. */
const lineBytesMin = 20;
const addressDigits = 16;

function readRows(content: Buffer): Rows {
  const countMax = Math.ceil(content.length / lineBytesMin);
  const halves = new Uint32Array(countMax * 2);
  const starts = new Uint32Array(countMax);
  const ends = new Uint32Array(countMax);
  let [count, nameBytes] = [0, 0];
  for (let start = 0; start < content.length;) {
    const newline = content.indexOf(0x0a, start);
    const end = newline === -1 ? content.length : newline;
    const typeAt = start + addressDigits + 1;
    const nameAt = typeAt + 2;
    if (nameAt < end && isFunction(content[typeAt])) {
      const high = readHex(content, start);
      const low = readHex(content, start + addressDigits / 2);
      if (high >= 0 && low >= 0 && high + low > 0) {
        halves[count * 2] = low;
        halves[count * 2 + 1] = high;
        starts[count] = nameAt;
        ends[count] = end;
        nameBytes += end - nameAt;
        count += 1;
      }
    }
    start = end + 1;
  }
  return { count, halves, starts, ends, nameBytes };
}

/** Returns true for the types t, T, w and W. */
function isFunction(type: number): boolean {
  return type === 0x74 || type === 0x54 || type === 0x77 || type === 0x57;
}

/** Reads eight hexadecimal digits in lower case; returns -1 for anything else. */
function readHex(content: Buffer, at: number): number {
  let value = 0;
  for (let i = at; i < at + 8; i += 1) {
    const byte = content[i];
    const digit =
      byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

function isSorted(values: BigUint64Array): boolean {
  for (let i = 1; i < values.length; i += 1) if (values[i] < values[i - 1]) return false;
  return true;
}
