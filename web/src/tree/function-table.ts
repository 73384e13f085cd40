// Reads the functions of a selection into columns, and sorts and groups them, in the worker.
import { baseName } from '../../../src/model/file-path.ts';
import { findKind } from '../../../src/model/function-kind.ts';
import { binaryName, packageName } from '../../../src/model/package-name.ts';
import type { FunctionRows } from './function-rows.ts';
import { packStrings, rankTexts } from './strings.ts';
import type { GroupMode, Strings } from './tree.ts';

/** Orders that do not depend on the unit. */
type FixedOrder = 'self' | 'total' | 'name' | 'file' | 'binary';

/** Columns that the list can be sorted by; a difference is in the unit of the list. */
export type Sort = FixedOrder | 'difference';

/**
 * One row for each function; functions of one name in several programs have a row each.
 *
 * A page reads a few rows of 50,000: strings stay bytes until a row is shown.
 */
export interface FunctionTable {
  readonly count: number;
  readonly names: Strings;
  readonly self: BigInt64Array;
  /** Total value of each function; in a diff, the self value of the base instead. */
  readonly total: BigInt64Array;
  /** File of each function and the build id of its binary; "" if unknown. */
  readonly files: Strings;
  readonly builds: Strings;
  /** Path of the binary of each function; "" if unknown. */
  readonly binaries: Strings;
  /** The rows in each order: the largest value or the first string first, unknown ones last. */
  readonly order: Readonly<Record<FixedOrder, Uint32Array>>;
  /** Flat share of the functions of each group in the total. */
  readonly groupShares: Readonly<Record<GroupMode, ReadonlyMap<string, number>>>;
  /** Values of addresses without a function, by build id. */
  readonly unnamed: readonly UnnamedBuild[];
  /** Total of everything selected. */
  readonly whole: bigint;
  /** Total of the base of a diff, unscaled; undefined without a base. */
  readonly baseWhole: bigint | undefined;
}

/** A binary with addresses that have no names. */
interface UnnamedBuild {
  readonly build: string;
  /** Path of its file. */
  readonly binary: string;
  readonly self: bigint;
}

/** Totals that the answer has in addition to the functions. */
interface TableTotals {
  readonly total: bigint;
  /** Total of the base of a diff, unscaled; undefined without a base. */
  readonly baseTotal: bigint | undefined;
  /** Prefixes of own code; none if rules decide. */
  readonly own?: readonly string[] | undefined;
}

/** Makes the table of an answer; takes over its columns of values. */
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
    groupShares: {
      binary: computeShares(rows, totals.total, (_, __, binary) => binaryName(binary)),
      package: computeShares(rows, totals.total, packageName),
      kind: computeShares(rows, totals.total, (...of) => findKind(...of, totals.own)),
    },
    unnamed: unnamedBuilds(rows),
    whole: totals.total,
    baseWhole: baseTotal,
  };
}

/** Returns the unscaled self values of the base: the server sends them scaled to the other side. */
function baseValues({ self, selfDifference }: FunctionRows, baseTotal: bigint): BigInt64Array {
  const base = self.map((value, row) => value - (selfDifference?.[row] ?? 0n));
  const scaled = base.reduce((sum, value) => sum + value, 0n);
  return base.map((value) => (scaled === 0n ? 0n : (value * baseTotal) / scaled));
}

/** Returns the columns' buffers, to transfer them instead of copying. */
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

/** Returns the rows by value, the largest first, then by other values, and then by name. */
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

/**
 * Returns a number for each string: the earlier the string sorts, the larger its number; "" has the
 * smallest.
 */
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

function computeShares(
  { count, names, hasFunction, files, binaries, self }: FunctionRows,
  total: bigint,
  chooseGroup: (name: string, file: string, binary: string) => string,
): Map<string, number> {
  const shares = new Map<string, number>();
  const whole = Number(total);
  if (whole <= 0) return shares;
  for (let row = 0; row < count; row += 1) {
    if (self[row] === 0n) continue;
    const name = hasFunction[row] === 1 ? names[row] : '';
    const group = chooseGroup(name, files[row], binaries[row]);
    shares.set(group, (shares.get(group) ?? 0) + Number(self[row]) / whole);
  }
  return shares;
}
