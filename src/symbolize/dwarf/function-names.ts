// Finds the names of functions by the offsets of their entries. An entry may be an instance of
// another entry, and only that entry has the name.
import { dwarfOriginsMax } from '../limits.ts';
import { alternateStart } from './entries.ts';
import type { Unit } from './unit.ts';

/** Name of a function, and the line of its declaration. */
export interface FunctionName {
  readonly systemName: string;
  readonly startLine: number;
}

/**
 * Function that runs `work`. If `work` meets damaged DWARF, the function records this and returns
 * undefined.
 */
export type Attempt = <T>(work: () => T) => T | undefined;

/** Names of the functions in units that refer to one another. */
export class FunctionNames {
  /** Units in the order of their offsets. */
  readonly #units: readonly Unit[];
  readonly #attempt: Attempt;
  /** Names in the file with which this file shares DWARF. */
  readonly #alternate: FunctionNames | undefined;
  readonly #names = new Map<number, FunctionName | undefined>();

  constructor(units: readonly Unit[], attempt: Attempt, alternate?: FunctionNames) {
    this.#units = units;
    this.#attempt = attempt;
    this.#alternate = alternate;
  }

  /** Returns the name of the function of an entry, or of the entry of which it is an instance. */
  nameAt(entry: number, origins = 0): FunctionName | undefined {
    if (entry >= alternateStart) return this.#alternate?.nameAt(entry - alternateStart, origins);
    if (this.#names.has(entry)) return this.#names.get(entry);
    const found = this.#readName(entry, origins);
    this.#names.set(entry, found);
    return found;
  }

  #readName(entry: number, origins: number): FunctionName | undefined {
    const unit = this.findUnit(entry);
    const own = unit && this.#attempt(() => unit.readNames(entry));
    if (own === undefined) return undefined;
    const { linkageName, name, line, origin } = own;
    const isWhole = linkageName !== undefined && line !== undefined;
    const rest =
      isWhole || origin === undefined || origins === dwarfOriginsMax
        ? undefined
        : this.nameAt(origin, origins + 1);
    const systemName = linkageName ?? rest?.systemName ?? name;
    return systemName === undefined
      ? undefined
      : { systemName, startLine: line ?? rest?.startLine ?? 0 };
  }

  /** Returns the unit that an entry belongs to. */
  findUnit(entry: number): Unit | undefined {
    const units = this.#units;
    let [low, high] = [0, units.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (units[middle].format.offset <= entry) low = middle + 1;
      else high = middle;
    }
    const unit = units[low - 1];
    return unit !== undefined && entry < unit.end ? unit : undefined;
  }
}
