// Reads the functions of a selection into columns, and sorts and groups them, in the worker.
import { baseName } from '../../../src/model/file-path.ts';
import { groupFinder } from './function-groups.ts';
import type { FunctionRows } from './function-rows.ts';
import { packStrings, rankTexts } from './strings.ts';
import type { GroupMode, Strings } from './tree.ts';

const groupModes = ['binary', 'package', 'kind'] as const satisfies readonly GroupMode[];

/** Sort orders that do not depend on the unit. */
type FixedOrder = 'self' | 'total' | 'name' | 'file' | 'binary';

/** Sort orders of the list; a difference depends on the unit of the list. */
export type Sort = FixedOrder | 'difference';

/**
 * One row per function name.
 *
 * A page shows a few of 50,000 rows, so strings stay encoded until a row is shown.
 */
export interface FunctionTable {
  readonly count: number;
  readonly names: Strings;
  readonly self: BigInt64Array;
  /** Total value of each function; in a diff, the self value of the base instead. */
  readonly total: BigInt64Array;
  /** File of each function, and build id of its binary; "" = unknown. */
  readonly files: Strings;
  readonly builds: Strings;
  /** Path of each function's binary; "" = unknown. */
  readonly binaries: Strings;
  /** Rows in each order: largest value or first string first, unknown values last. */
  readonly order: Readonly<Record<FixedOrder, Uint32Array>>;
  /** Share of each group's self value in the total. */
  readonly groupShares: Readonly<Record<GroupMode, ReadonlyMap<string, number>>>;
  /**
   * For each row with several files or binaries, the place that has the largest part of its self
   * value.
   */
  readonly mainPlaces: ReadonlyMap<number, Place>;
  /** Values at addresses without a function, by build id. */
  readonly unnamed: readonly UnnamedBuild[];
  /** Total of all selected stacks. */
  readonly whole: bigint;
  /** Unscaled total of a diff's base; undefined without a base. */
  readonly baseWhole: bigint | undefined;
}

/** File and binary of a function; "" = unknown. */
export interface Place {
  readonly file: string;
  readonly binary: string;
}

/** A binary with addresses that have no names. */
interface UnnamedBuild {
  readonly build: string;
  /** Path of the binary. */
  readonly binary: string;
  readonly self: bigint;
}

/** Totals in the answer in addition to the functions. */
interface TableTotals {
  readonly total: bigint;
  /** Unscaled total of a diff's base; undefined without a base. */
  readonly baseTotal: bigint | undefined;
  /** Prefixes of own code; undefined if rules decide. */
  readonly own?: readonly string[] | undefined;
}

/** Builds the table from an answer; takes over its value columns. */
export function functionTable(rows: FunctionRows, totals: TableTotals): FunctionTable {
  const { count, names, files, binaries, self } = rows;
  const { baseTotal } = totals;
  const total = baseTotal === undefined ? rows.total : baseValues(rows, baseTotal);
  const rank = rankTexts(names);
  return {
    count,
    names: packStrings(names),
    self,
    total,
    files: packStrings(files),
    binaries: packStrings(binaries),
    builds: packStrings(rows.builds),
    order: {
      self: sortOrder(count, rank, self, total),
      total: sortOrder(count, rank, total),
      name: sortOrder(count, rank),
      file: sortOrder(count, rank, sortKeys(files)),
      binary: sortOrder(count, rank, sortKeys(binaries.map((path) => baseName(path)))),
    },
    ...weighGroups(rows, totals),
    unnamed: unnamedBuilds(rows),
    whole: totals.total,
    baseWhole: baseTotal,
  };
}

/** Returns the unscaled self values of the base, which the server sends scaled. */
function baseValues({ self, selfDifference }: FunctionRows, baseTotal: bigint): BigInt64Array {
  const base = self.map((value, row) => value - (selfDifference?.[row] ?? 0n));
  const scaled = base.reduce((sum, value) => sum + value, 0n);
  return base.map((value) => (scaled === 0n ? 0n : (value * baseTotal) / scaled));
}

/** Returns the buffers of the columns, for transferring them. */
export function buffersOfTable({
  names,
  files,
  builds,
  binaries,
  self,
  total,
  order,
}: FunctionTable): ArrayBuffer[] {
  const texts = [names, files, builds, binaries].flatMap(({ bytes, offsets }) => [bytes, offsets]);
  return [...texts, self, total, ...Object.values(order)].map(
    ({ buffer }) => buffer as ArrayBuffer,
  );
}

/** Returns the rows by value, largest first, then by other values, then by name. */
function sortOrder(
  count: number,
  rank: Uint32Array,
  values?: BigInt64Array | Float64Array,
  otherValues?: BigInt64Array,
): Uint32Array {
  const byName = new Uint32Array(count);
  for (let row = 0; row < count; row++) byName[rank[row]] = row;
  // Sorting keeps the order of equal values.
  for (const by of [otherValues, values]) {
    if (by !== undefined) byName.sort((a, b) => (by[a] < by[b] ? 1 : by[a] > by[b] ? -1 : 0));
  }
  return byName;
}

/** Returns a number per string: larger for strings that sort earlier, smallest for "". */
function sortKeys(texts: readonly string[]): Float64Array {
  const different = [...new Set(texts)].filter((text) => text !== '').sort();
  const keys = new Map(different.map((text, i) => [text, different.length - i]));
  return Float64Array.from(texts, (text) => keys.get(text) ?? 0);
}

function unnamedBuilds(rows: FunctionRows): UnnamedBuild[] {
  const builds = new Map<string, UnnamedBuild>();
  for (let row = 0; row < rows.count; row += 1) {
    if (rows.hasFunction[row] === 1) continue;
    const [binary, build] = [rows.binaries[row], rows.builds[row]];
    builds.set(build, { build, binary, self: rows.self[row] + (builds.get(build)?.self ?? 0n) });
  }
  return [...builds.values()];
}

/** A part of a function's self value, in one file and one binary. */
interface Part extends Place {
  readonly value: number;
}

function weighGroups(
  rows: FunctionRows,
  totals: TableTotals,
): Pick<FunctionTable, 'groupShares' | 'mainPlaces'> {
  const groupShares = {
    binary: new Map<string, number>(),
    package: new Map<string, number>(),
    kind: new Map<string, number>(),
  };
  const mainPlaces = new Map<number, Place>();
  const whole = Number(totals.total);
  if (whole <= 0) return { groupShares, mainPlaces };
  const findGroups = groupFinder(totals.own);
  for (let row = 0; row < rows.count; row += 1) {
    if (rows.self[row] === 0n) continue;
    const name = rows.hasFunction[row] === 1 ? rows.names[row] : '';
    const isMixed = (rows.parts[row] ?? '') !== '';
    const parts = isMixed ? splitParts(rows.parts[row]) : [wholePart(rows, row)];
    for (const { file, binary, value } of parts) {
      const groups = findGroups(name, file, binary);
      for (const mode of groupModes) {
        const shares = groupShares[mode];
        shares.set(groups[mode], (shares.get(groups[mode]) ?? 0) + value / whole);
      }
    }
    if (!isMixed) continue;
    const [{ file, binary }] = parts.toSorted((a, b) => b.value - a.value);
    mainPlaces.set(row, { file, binary });
  }
  return { groupShares, mainPlaces };
}

function wholePart({ files, binaries, self }: FunctionRows, row: number): Part {
  return { file: files[row], binary: binaries[row], value: Number(self[row]) };
}

function splitParts(text: string): readonly Part[] {
  const cells = text.split('\0');
  return Array.from({ length: cells.length / 3 }, (_, i) => {
    const [file, binary, value] = cells.slice(i * 3, i * 3 + 3);
    return { file, binary, value: Number(value) };
  });
}
