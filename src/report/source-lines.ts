// Values by line of a source file.
import { grown } from '../model/column.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { FunctionIndex, StringIndex } from '../model/rows.ts';
import type { StringTable } from '../model/string-table.ts';
import { type BaseRatio, subtractBase } from './base-ratio.ts';
import type { StackGroup } from './tree/call-tree.ts';
import { pickValues } from './frame-sums.ts';

/** Source file to show. */
export interface SourceFile {
  /** Build id of the binary; "" = any. */
  readonly buildId: string;
  /** Path as in profiles, or its end after a "/". */
  readonly fileName: string;
}

/**
 * One row per line of a matching file, by file, then by line. A stack counts once in a line's
 * `cumulative`, even if it contains the line several times.
 *
 * Shape: columns have `rowCount` elements. Frames without a line number are omitted.
 */
export interface SourceLines {
  readonly rowCount: number;
  readonly strings: StringTable;
  /** StringIndex. */
  readonly fileName: Int32Array;
  readonly line: Int32Array;
  /** StringIndex of the function that most of the line's value belongs to. */
  readonly functionName: Int32Array;
  readonly flat: BigInt64Array;
  readonly cumulative: BigInt64Array;
  /** Flat and cumulative values minus the base; undefined without a base. */
  readonly flatDiff: BigInt64Array | undefined;
  readonly cumulativeDiff: BigInt64Array | undefined;
}

/** Sums the stacks of all `groups` by line. */
export function sumSourceLines(
  dictionary: Dictionary,
  groups: readonly StackGroup[],
  file: SourceFile,
  ratio: BaseRatio,
): SourceLines {
  const sums = new LineSums(dictionary, file);
  let isDiff = false;
  for (const { merged, base } of groups) {
    sums.addStacks(merged, false);
    if (base === undefined) continue;
    isDiff = true;
    sums.addStacks(base, true);
  }
  const { flat, cumulative, baseFlat, baseCumulative, ...lines } = sums.finish();
  return {
    ...lines,
    flat,
    cumulative,
    flatDiff: isDiff ? subtractBase(flat, baseFlat, ratio) : undefined,
    cumulativeDiff: isDiff ? subtractBase(cumulative, baseCumulative, ratio) : undefined,
  };
}

type LineColumns = Omit<SourceLines, 'flatDiff' | 'cumulativeDiff'> & {
  readonly baseFlat: BigInt64Array;
  readonly baseCumulative: BigInt64Array;
};

/** Sums by (file, line), numbered in the order in which they first occur. */
class LineSums {
  #length = 0;
  #file = new Int32Array(64);
  #line = new Int32Array(64);
  #flat = new BigInt64Array(64);
  #cumulative = new BigInt64Array(64);
  #baseFlat = new BigInt64Array(64);
  #baseCumulative = new BigInt64Array(64);
  /** Number of the last stack that was added to each line, because a stack counts once. */
  #counted = new Int32Array(64);
  #stackCount = 0;
  readonly #dictionary: Dictionary;
  readonly #wanted: SourceFile;
  /** For each line row, the number of its sum plus 1; 0 = not checked yet, -1 = not requested. */
  readonly #sumOfLine: Int32Array;
  /**
   * Value of each wanted line row. A source line is shown with the function that has the largest
   * value. Calls in one stack add up.
   */
  readonly #rowTotal: BigInt64Array;
  readonly #numbers = new Map<string, number>();

  constructor(dictionary: Dictionary, wanted: SourceFile) {
    const { lineStart, length } = dictionary.locations;
    this.#dictionary = dictionary;
    this.#wanted = wanted;
    this.#sumOfLine = new Int32Array(lineStart[length]);
    this.#rowTotal = new BigInt64Array(lineStart[length]);
  }

  addStacks({ stacks, values }: MergedStacks, isBase: boolean): void {
    const { leaf, nodeParent, nodeLocation } = this.#dictionary.stacks;
    for (let i = 0; i < stacks.length; i += 1) {
      const innermost = leaf[stacks[i]];
      this.#stackCount += 1;
      for (let node = innermost; node !== 0; node = nodeParent[node]) {
        this.#addLocation(nodeLocation[node], values, i, node === innermost, isBase);
      }
    }
  }

  /** Adds value `i` of the current stack to the lines of a location. */
  #addLocation(
    location: number,
    values: BigInt64Array,
    i: number,
    isInnermost: boolean,
    isBase: boolean,
  ): void {
    const { lineStart } = this.#dictionary.locations;
    const first = lineStart[location];
    for (let row = first; row < lineStart[location + 1]; row += 1) {
      if (this.#sumOfLine[row] === 0) this.#sumOfLine[row] = this.#findSum(location, row);
      if (this.#sumOfLine[row] === -1) continue;
      const sum = this.#sumOfLine[row] - 1;
      const flat = isBase ? this.#baseFlat : this.#flat;
      const cumulative = isBase ? this.#baseCumulative : this.#cumulative;
      this.#rowTotal[row] += values[i];
      if (isInnermost && row === first) flat[sum] += values[i];
      if (this.#counted[sum] === this.#stackCount) continue;
      this.#counted[sum] = this.#stackCount;
      cumulative[sum] += values[i];
    }
  }

  finish(): LineColumns {
    const { strings } = this.#dictionary;
    const length = this.#length;
    const file = this.#file;
    const line = this.#line;
    const flat = this.#flat;
    const cumulative = this.#cumulative;
    const baseFlat = this.#baseFlat;
    const baseCumulative = this.#baseCumulative;
    const order = Uint32Array.from({ length }, (_, sum) => sum);
    const names = Array.from(order, (sum) => strings.text(file[sum] as StringIndex));
    const functionName = this.#findFunctions();
    order.sort((a, b) => {
      if (names[a] === names[b]) return line[a] - line[b];
      return names[a] < names[b] ? -1 : 1;
    });
    return {
      rowCount: length,
      strings,
      fileName: Int32Array.from(order, (sum) => file[sum]),
      line: Int32Array.from(order, (sum) => line[sum]),
      functionName: Int32Array.from(order, (sum) => functionName[sum]),
      flat: pickValues(flat, order),
      cumulative: pickValues(cumulative, order),
      baseFlat: pickValues(baseFlat, order),
      baseCumulative: pickValues(baseCumulative, order),
    };
  }

  /** Returns, for each sum, the name of the function with the largest value. */
  #findFunctions(): Int32Array {
    const { locations, functions } = this.#dictionary;
    const found = new Int32Array(this.#length);
    const largest = new BigInt64Array(this.#length).fill(-1n);
    const totals = new Map<string, bigint>();
    this.#sumOfLine.forEach((number, row) => {
      if (number <= 0) return;
      const sum = number - 1;
      const name = functions.displayName(locations.lineFunction[row] as FunctionIndex);
      const key = `${sum} ${name}`;
      const total = (totals.get(key) ?? 0n) + this.#rowTotal[row];
      totals.set(key, total);
      if (total <= largest[sum]) return;
      largest[sum] = total;
      found[sum] = name;
    });
    return found;
  }

  #findSum(location: number, row: number): number {
    const { locations, functions, mappings, strings } = this.#dictionary;
    const line = locations.lineNumber[row];
    const file = functions.fileName[locations.lineFunction[row]];
    const { buildId, fileName } = this.#wanted;
    if (line === 0) return -1;
    const path = strings.text(file as StringIndex);
    if (path !== fileName && !path.endsWith(`/${fileName}`)) return -1;
    const build = mappings.buildId[locations.mapping[location]];
    if (buildId !== '' && strings.text(build as StringIndex) !== buildId) return -1;
    const key = `${file} ${line}`;
    const number = this.#numbers.get(key) ?? this.#addSum(file, line);
    this.#numbers.set(key, number);
    return number;
  }

  #addSum(file: number, line: number): number {
    const sum = this.#length;
    this.#length = sum + 1;
    this.#file = grown(this.#file, sum + 1);
    this.#line = grown(this.#line, sum + 1);
    this.#flat = grown(this.#flat, sum + 1);
    this.#cumulative = grown(this.#cumulative, sum + 1);
    this.#baseFlat = grown(this.#baseFlat, sum + 1);
    this.#baseCumulative = grown(this.#baseCumulative, sum + 1);
    this.#counted = grown(this.#counted, sum + 1);
    this.#file[sum] = file;
    this.#line[sum] = line;
    return sum + 1;
  }
}
