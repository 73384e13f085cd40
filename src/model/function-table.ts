// The table of functions.
import { assert } from '../base/assert.ts';
import { grownInSteps } from './column.ts';
import { HashIndex, mixHash } from './hash-index.ts';
import type { FunctionIndex, StringIndex } from './rows.ts';

/** Functions with unique (name, system name, file, start line); row 0 is "no function". */
export class FunctionTable {
  /** Readable name; StringIndex. */
  name = new Int32Array(64);
  /** Linker name (mangled); StringIndex. */
  systemName = new Int32Array(64);
  /** Source file; StringIndex. */
  fileName = new Int32Array(64);
  /** First line of the function, 0 = unknown. */
  startLine = new Int32Array(64);
  length = 1;
  readonly #index = new HashIndex(64);
  #isAdopted = false;

  /** Takes over decoded columns. No functions can be interned afterwards. */
  adopt(
    columns: Pick<FunctionTable, 'name' | 'systemName' | 'fileName' | 'startLine'>,
    length: number,
  ): void {
    assert(this.length === 1, 'only an empty table adopts');
    this.name = columns.name;
    this.systemName = columns.systemName;
    this.fileName = columns.fileName;
    this.startLine = columns.startLine;
    this.length = length;
    this.#isAdopted = true;
  }

  /** Returns the row of a function; adds the function if it is new. */
  intern(
    name: StringIndex,
    systemName: StringIndex,
    fileName: StringIndex,
    startLine: number,
  ): FunctionIndex {
    assert(!this.#isAdopted, 'an adopted table is complete');
    // The hash starts from a constant, because name and system name are mostly equal and would
    // cancel out.
    const named = mixHash(mixHash(0x3c6ef372, name), systemName);
    const hash = mixHash(mixHash(named, fileName), startLine);
    const index = this.#index;
    const { slots, mask } = index.at(hash);
    let slot = hash & mask;
    for (let row = slots[slot]; row !== 0; row = slots[slot]) {
      if (
        this.name[row] === name &&
        this.systemName[row] === systemName &&
        this.fileName[row] === fileName &&
        this.startLine[row] === startLine
      ) {
        return row as FunctionIndex;
      }
      slot = (slot + 1) & mask;
    }
    const row = this.length;
    this.name = grownInSteps(this.name, row + 1, row);
    this.systemName = grownInSteps(this.systemName, row + 1, row);
    this.fileName = grownInSteps(this.fileName, row + 1, row);
    this.startLine = grownInSteps(this.startLine, row + 1, row);
    this.name[row] = name;
    this.systemName[row] = systemName;
    this.fileName[row] = fileName;
    this.startLine[row] = startLine;
    this.length = row + 1;
    index.insert(slot, hash, row);
    return row as FunctionIndex;
  }

  /** Memory in bytes. */
  get usedBytes(): number {
    return 16 * this.length + this.#index.usedBytes;
  }

  /**
   * Returns the name to show: the name, or else the system name, because some agents set only the
   * system name.
   */
  displayName(row: FunctionIndex): StringIndex {
    return (this.name[row] === 0 ? this.systemName[row] : this.name[row]) as StringIndex;
  }
}
