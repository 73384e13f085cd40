// One file of the memory file system: its durable content, and later changes.
import { randomBelow, type Random } from '../random.ts';

/** Size of a sector in bytes, which a disk writes completely or not at all. */
const sectorBytes = 512;

type Change =
  | { readonly kind: 'append'; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly size: number };

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Content of a file with and without its unsynced changes. */
export class MemoryFile {
  #current: Uint8Array = new Uint8Array(256);
  #length = 0;
  /** Number of bytes of `current` that are on the disk, where they are followed by `cutBytes`. */
  #durableLength = 0;
  /** Bytes after `durableLength` that were truncated, but are still on the disk. */
  #cutBytes: Uint8Array = new Uint8Array(0);
  #changes: Change[] = [];
  /** Ranges that failed syncs have lost, even if later syncs succeed. */
  #lost: Range[] = [];
  /** Ranges that were rewritten since the last sync. */
  #rewritten: Range[] = [];

  get size(): number {
    return this.#length;
  }

  content(): Uint8Array {
    return this.#current.slice(0, this.#length);
  }

  append(bytes: Uint8Array): void {
    this.#changes.push({ kind: 'append', bytes: bytes.slice() });
    this.#write(bytes);
  }

  truncate(size: number): void {
    this.#changes.push({ kind: 'truncate', size });
    if (size < this.#durableLength) {
      const cut = this.#current.slice(size, this.#durableLength);
      this.#cutBytes = joined(cut, this.#cutBytes);
      this.#durableLength = size;
    }
    this.#length = Math.min(this.#length, size);
    this.#lost = without(this.#lost, { from: size, to: Infinity });
  }

  read(into: Uint8Array, offset: number): number {
    const part = this.#current.subarray(offset, Math.min(this.#length, offset + into.length));
    into.set(part);
    return part.length;
  }

  rewrite(from: number, to: number): void {
    this.#rewritten.push({ from, to });
  }

  sync(): void {
    for (const range of this.#rewritten) this.#lost = without(this.#lost, range);
    this.#rewritten = [];
    this.#durableLength = this.#length;
    this.#cutBytes = noBytes;
    this.#changes = [];
  }

  failSync(): void {
    this.#lost.push({ from: this.#durableLength, to: this.#length });
    this.#rewritten = [];
  }

  /**
   * Keeps some of the unsynced changes. Keeps the changes of the size up to a random change. Keeps
   * data either up to a position in the last append, or in a random subset of the sectors.
   */
  losePower(random: Random): void {
    const kept = this.#changes.slice(0, randomBelow(random, this.#changes.length + 1));
    const durable = this.#durableLength;
    this.#length = durable;
    this.#write(this.#cutBytes);
    let fresh = this.#length;
    for (const change of kept) {
      if (change.kind === 'append') this.#write(change.bytes);
      else {
        this.#length = Math.min(this.#length, change.size);
        fresh = Math.min(fresh, this.#length);
      }
    }
    const last = kept.at(-1);
    if (this.#length > fresh) {
      if ((random.uint32() & 1) === 0) this.#loseSectors(random, fresh);
      else if (last?.kind === 'append') this.#tear(random, this.#length - last.bytes.length);
    }
    for (const { from, to } of this.#lost) this.#current.fill(0, from, Math.min(to, this.#length));
    this.#lost = [];
    this.sync();
  }

  /** Flips one bit of a file that is synced. */
  flipBit(byte: number, bit: number): void {
    if (byte < this.#length) this.#current[byte] ^= 1 << bit;
  }

  /** Returns a file with the same content, all of it durable. */
  copy(): MemoryFile {
    const copy = new MemoryFile();
    copy.#write(this.#current.subarray(0, this.#length));
    copy.sync();
    return copy;
  }

  #tear(random: Random, from: number): void {
    const bytes = this.#length - from;
    const damage = randomBelow(random, 4);
    if (damage < 2) this.#length = from + randomBelow(random, bytes + 1);
    if (damage !== 2) return;
    const hole = from + randomBelow(random, bytes + 1);
    this.#current.fill(0, hole, Math.min(this.#length, hole + sectorBytes));
  }

  /**
   * Keeps or loses each sector that was written since the last sync, independently of the others.
   */
  #loseSectors(random: Random, from: number): void {
    const isShort = random.uint32() & 1;
    if (isShort === 1) this.#length = from + randomBelow(random, this.#length - from + 1);
    for (let at = from; at < this.#length;) {
      const end = Math.min(this.#length, at - (at % sectorBytes) + sectorBytes);
      if (random.uint32() & 1) this.#current.fill(0, at, end);
      at = end;
    }
  }

  #write(bytes: Uint8Array): void {
    const end = this.#length + bytes.length;
    if (end > this.#current.length) {
      const bigger = new Uint8Array(Math.max(end, this.#current.length * 2));
      bigger.set(this.#current.subarray(0, this.#length));
      this.#current = bigger;
    }
    this.#current.set(bytes, this.#length);
    this.#length = end;
  }
}

const noBytes = new Uint8Array(0);

function without(ranges: readonly Range[], hole: Range): Range[] {
  return ranges
    .flatMap(({ from, to }) => [
      { from, to: Math.min(to, hole.from) },
      { from: Math.max(from, hole.to), to },
    ])
    .filter(({ from, to }) => from < to);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
