// Functions of the running kernel by address, from /proc/kallsyms.
//
// Columns sorted by address; names lie in one text. Addresses use all 64 bits.

/** A function of the kernel. */
export interface KernelSymbol {
  readonly name: string;
  /** Name of its module, "vmlinux" for the kernel itself. */
  readonly file: string;
}

/** Looks kernel functions up by address. */
export class KernelSymbols {
  readonly #addresses: BigUint64Array;
  /** Start and end of each name in `#text`. */
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #text: string;

  /**
   * Reads the text of /proc/kallsyms. Where the kernel hides addresses (kernel.kptr_restrict) each
   * is 0, and there are no symbols.
   */
  constructor(text: string) {
    const addresses: bigint[] = [];
    const starts: number[] = [];
    const ends: number[] = [];
    const order: number[] = [];
    for (let start = 0; start < text.length;) {
      const newline = text.indexOf('\n', start);
      const end = newline === -1 ? text.length : newline;
      // `<16 hex digits> <type> <name>`, and for modules a tab and `[module]`.
      const typeAt = text.indexOf(' ', start) + 1;
      if (typeAt > start && typeAt < end && /[tTwW]/.test(text[typeAt])) {
        const digits = text.slice(start, typeAt - 1);
        const address = /^[0-9a-f]{1,16}$/.test(digits) ? BigInt(`0x${digits}`) : 0n;
        if (address !== 0n) {
          order.push(addresses.length);
          addresses.push(address);
          starts.push(typeAt + 2);
          ends.push(end);
        }
      }
      start = end + 1;
    }
    // The first of several names of one address stays first.
    order.sort((a, b) =>
      addresses[a] < addresses[b] ? -1 : addresses[a] > addresses[b] ? 1 : a - b,
    );
    this.#addresses = BigUint64Array.from(order, (row) => addresses[row]);
    this.#starts = Uint32Array.from(order, (row) => starts[row]);
    this.#ends = Uint32Array.from(order, (row) => ends[row]);
    this.#text = text;
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
    const [name, module] = this.#text.slice(this.#starts[row], this.#ends[row]).split('\t');
    return { name, file: module === undefined ? 'vmlinux' : module.replace(/^\[|\]$/g, '') };
  }
}
