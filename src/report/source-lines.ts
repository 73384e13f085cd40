// Values by line of a source file.
import { grown } from '../model/column.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { StringIndex } from '../model/rows.ts';
import type { StringTable } from '../model/string-table.ts';

/** Which file. */
export interface SourceFile {
  /** Of the binary that was built from it; "" = any. */
  readonly buildId: string;
  /** A path as profiles have it, or what it ends with, from a "/" on. */
  readonly fileName: string;
}

/**
 * One row per line of a matching file that the selection touches, by file, then line. A stack
 * counts once in a line's `cumulative`, however often it passes.
 *
 * Shape: columns have `rowCount` elements. Frames without a line number are left out.
 */
export interface SourceLines {
  readonly rowCount: number;
  readonly strings: StringTable;
  /** StringIndex. */
  readonly fileName: Int32Array;
  readonly line: Int32Array;
  readonly flat: BigInt64Array;
  readonly cumulative: BigInt64Array;
}

export function sumSourceLines(
  dictionary: Dictionary,
  merged: MergedStacks,
  file: SourceFile,
): SourceLines {
  const sums = new LineSums(dictionary, file);
  const { leaf, nodeParent, nodeLocation } = dictionary.stacks;
  for (let i = 0; i < merged.stacks.length; i += 1) {
    const innermost = leaf[merged.stacks[i]];
    for (let node = innermost; node !== 0; node = nodeParent[node]) {
      sums.add(nodeLocation[node], i, merged.values, node === innermost);
    }
  }
  return sums.finish();
}

/** Sums by (file, line), numbered in the order in which they come. */
class LineSums {
  private length = 0;
  private file = new Int32Array(64);
  private line = new Int32Array(64);
  private flat = new BigInt64Array(64);
  private cumulative = new BigInt64Array(64);
  /** 1 + the last stack that was counted. */
  private counted = new Int32Array(64);
  private readonly dictionary: Dictionary;
  private readonly wanted: SourceFile;
  /** By line row: 1 + number of its sum, 0 = not looked at, -1 = not wanted. */
  private readonly sumOfLine: Int32Array;
  private readonly numbers = new Map<string, number>();

  constructor(dictionary: Dictionary, wanted: SourceFile) {
    const { lineStart, length } = dictionary.locations;
    this.dictionary = dictionary;
    this.wanted = wanted;
    this.sumOfLine = new Int32Array(lineStart[length]);
  }

  /** Adds the value of a stack to the lines of one of its locations. */
  add(location: number, stack: number, values: BigInt64Array, isInnermost: boolean): void {
    const { lineStart } = this.dictionary.locations;
    const first = lineStart[location];
    for (let row = first; row < lineStart[location + 1]; row += 1) {
      if (this.sumOfLine[row] === 0) this.sumOfLine[row] = this.findSum(location, row);
      if (this.sumOfLine[row] === -1) continue;
      const sum = this.sumOfLine[row] - 1;
      if (isInnermost && row === first) this.flat[sum] += values[stack];
      if (this.counted[sum] === stack + 1) continue;
      this.counted[sum] = stack + 1;
      this.cumulative[sum] += values[stack];
    }
  }

  finish(): SourceLines {
    const { strings } = this.dictionary;
    const { length, file, line, flat, cumulative } = this;
    const order = Uint32Array.from({ length }, (_, sum) => sum);
    const names = Array.from(order, (sum) => strings.text(file[sum] as StringIndex));
    order.sort((a, b) => {
      if (names[a] === names[b]) return line[a] - line[b];
      return names[a] < names[b] ? -1 : 1;
    });
    return {
      rowCount: length,
      strings,
      fileName: Int32Array.from(order, (sum) => file[sum]),
      line: Int32Array.from(order, (sum) => line[sum]),
      flat: BigInt64Array.from(order, (sum) => flat[sum]),
      cumulative: BigInt64Array.from(order, (sum) => cumulative[sum]),
    };
  }

  private findSum(location: number, row: number): number {
    const { locations, functions, mappings, strings } = this.dictionary;
    const line = locations.lineNumber[row];
    const file = functions.fileName[locations.lineFunction[row]];
    const { buildId, fileName } = this.wanted;
    if (line === 0) return -1;
    const path = strings.text(file as StringIndex);
    if (path !== fileName && !path.endsWith(`/${fileName}`)) return -1;
    const build = mappings.buildId[locations.mapping[location]];
    if (buildId !== '' && strings.text(build as StringIndex) !== buildId) return -1;
    const key = `${file} ${line}`;
    const number = this.numbers.get(key) ?? this.addSum(file, line);
    this.numbers.set(key, number);
    return number;
  }

  private addSum(file: number, line: number): number {
    const sum = this.length;
    this.length = sum + 1;
    this.file = grown(this.file, sum + 1);
    this.line = grown(this.line, sum + 1);
    this.flat = grown(this.flat, sum + 1);
    this.cumulative = grown(this.cumulative, sum + 1);
    this.counted = grown(this.counted, sum + 1);
    this.file[sum] = file;
    this.line[sum] = line;
    return sum + 1;
  }
}
