// The table of mappings: the binaries that contain addresses.
import { grown } from './column.ts';
import { HashIndex, mixHash } from './hash-index.ts';
import type { MappingIndex, StringIndex } from './rows.ts';

/**
 * Mappings with unique (start, limit, offset, file, build id); row 0 is "no mapping". Addresses are
 * unsigned 64-bit numbers, stored as low and high words.
 */
export class MappingTable {
  startLow = new Uint32Array(64);
  startHigh = new Uint32Array(64);
  limitLow = new Uint32Array(64);
  limitHigh = new Uint32Array(64);
  offsetLow = new Uint32Array(64);
  offsetHigh = new Uint32Array(64);
  /** Path of the binary; StringIndex. */
  fileName = new Int32Array(64);
  /** Build id in hex; StringIndex, 0 = unknown. */
  buildId = new Int32Array(64);
  length = 1;
  readonly #index = new HashIndex(64);

  /** Returns the row of a mapping; adds the mapping if it is new. */
  intern(
    startLow: number,
    startHigh: number,
    limitLow: number,
    limitHigh: number,
    offsetLow: number,
    offsetHigh: number,
    fileName: StringIndex,
    buildId: StringIndex,
  ): MappingIndex {
    const hash = mixHash(
      mixHash(mixHash(mixHash(startLow, startHigh), limitLow), fileName),
      buildId,
    );
    const index = this.#index;
    const { slots, mask } = index.at(hash);
    let slot = hash & mask;
    for (let row = slots[slot]; row !== 0; row = slots[slot]) {
      if (
        this.startLow[row] === startLow >>> 0 &&
        this.startHigh[row] === startHigh >>> 0 &&
        this.limitLow[row] === limitLow >>> 0 &&
        this.limitHigh[row] === limitHigh >>> 0 &&
        this.offsetLow[row] === offsetLow >>> 0 &&
        this.offsetHigh[row] === offsetHigh >>> 0 &&
        this.fileName[row] === fileName &&
        this.buildId[row] === buildId
      ) {
        return row as MappingIndex;
      }
      slot = (slot + 1) & mask;
    }
    const row = this.length;
    this.#grow(row + 1);
    this.startLow[row] = startLow;
    this.startHigh[row] = startHigh;
    this.limitLow[row] = limitLow;
    this.limitHigh[row] = limitHigh;
    this.offsetLow[row] = offsetLow;
    this.offsetHigh[row] = offsetHigh;
    this.fileName[row] = fileName;
    this.buildId[row] = buildId;
    this.length = row + 1;
    index.insert(slot, hash, row);
    return row as MappingIndex;
  }

  /** Memory in bytes. */
  get usedBytes(): number {
    return 32 * this.length + this.#index.usedBytes;
  }

  #grow(rows: number): void {
    this.startLow = grown(this.startLow, rows);
    this.startHigh = grown(this.startHigh, rows);
    this.limitLow = grown(this.limitLow, rows);
    this.limitHigh = grown(this.limitHigh, rows);
    this.offsetLow = grown(this.offsetLow, rows);
    this.offsetHigh = grown(this.offsetHigh, rows);
    this.fileName = grown(this.fileName, rows);
    this.buildId = grown(this.buildId, rows);
  }
}
