// One file of the memory file system: what the disk has for sure, and the changes since.
import { randomBelow, type Random } from '../random.ts';

/** The unit in which a disk writes whole. */
const sectorBytes = 512;

type Change =
  | { readonly kind: 'append'; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly size: number };

/** Content of a file with and without its un-synced changes. */
export class MemoryFile {
  private current: Uint8Array = new Uint8Array(256);
  private length = 0;
  private durable: Uint8Array = new Uint8Array(0);
  private changes: Change[] = [];
  /** What failed syncs have lost, whatever later ones say. */
  private lost: { readonly from: number; readonly to: number }[] = [];

  get size(): number {
    return this.length;
  }

  content(): Uint8Array {
    return this.current.slice(0, this.length);
  }

  append(bytes: Uint8Array): void {
    this.changes.push({ kind: 'append', bytes: bytes.slice() });
    this.write(bytes);
  }

  truncate(size: number): void {
    this.changes.push({ kind: 'truncate', size });
    this.length = Math.min(this.length, size);
    this.lost = this.lost.flatMap(({ from, to }) =>
      from < size ? [{ from, to: Math.min(to, size) }] : [],
    );
  }

  read(into: Uint8Array, offset: number): number {
    const part = this.current.subarray(offset, Math.min(this.length, offset + into.length));
    into.set(part);
    return part.length;
  }

  sync(): void {
    this.durable = this.content();
    this.changes = [];
  }

  failSync(): void {
    this.lost.push({ from: this.durable.length, to: this.length });
  }

  /** Keeps a prefix of the un-synced changes; the last kept append may be short or have holes. */
  losePower(random: Random): void {
    const kept = this.changes.slice(0, randomBelow(random, this.changes.length + 1));
    this.length = 0;
    this.write(this.durable);
    for (const change of kept) {
      if (change.kind === 'append') this.write(change.bytes);
      else this.length = Math.min(this.length, change.size);
    }
    const last = kept.at(-1);
    if (last?.kind === 'append') this.tear(random, this.length - last.bytes.length);
    for (const { from, to } of this.lost) this.current.fill(0, from, Math.min(to, this.length));
    this.lost = [];
    this.sync();
  }

  flipBit(byte: number, bit: number): void {
    this.current[byte] ^= 1 << bit;
    this.durable = this.content();
  }

  private tear(random: Random, from: number): void {
    const bytes = this.length - from;
    const damage = randomBelow(random, 4);
    if (damage < 2) this.length = from + randomBelow(random, bytes + 1);
    if (damage !== 2) return;
    const hole = from + randomBelow(random, bytes + 1);
    this.current.fill(0, hole, Math.min(this.length, hole + sectorBytes));
  }

  private write(bytes: Uint8Array): void {
    const end = this.length + bytes.length;
    if (end > this.current.length) {
      const bigger = new Uint8Array(Math.max(end, this.current.length * 2));
      bigger.set(this.current.subarray(0, this.length));
      this.current = bigger;
    }
    this.current.set(bytes, this.length);
    this.length = end;
  }
}
