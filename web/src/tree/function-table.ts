// Reads the functions of a selection into columns, and sorts and groups them, in the worker.
import { baseName } from '../../../src/model/file-path.ts';
import type { TopMessage } from '../rpc/messages.ts';
import { binaryOf, packageOf, unknownGroup } from './grouping.ts';
import { kindOf } from './kind.ts';
import { packStrings, rankTexts } from './strings.ts';
import type { GroupMode, Strings } from './tree.ts';

/** Orders that are the same in every unit. */
type FixedOrder = 'self' | 'total' | 'name' | 'file' | 'binary';

/** Columns that the list can be sorted by; a difference is in the unit of the list. */
export type Sort = FixedOrder | 'difference';

/**
 * One row a function; functions of one name in several programs have a row each.
 *
 * A page reads a few rows of 50,000: texts stay bytes until a row is shown.
 */
export interface FunctionTable {
  readonly count: number;
  readonly names: Strings;
  readonly self: BigInt64Array;
  /** In a diff, the self value of the base. */
  readonly total: BigInt64Array;
  /** Its file and the build id of its binary; "" where unknown. */
  readonly files: Strings;
  readonly builds: Strings;
  /** Path of its binary; "" where unknown. */
  readonly binaries: Strings;
  /** The rows in each order: the largest value or the first text first, unknown ones last. */
  readonly order: Readonly<Record<FixedOrder, Uint32Array>>;
  /** Share of the total that the functions of each group have themselves. */
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
}

/** Makes the table of an answer. */
export function functionTable({ list }: TopMessage, totals: TableTotals): FunctionTable {
  const names = list.map(({ meta }) => nodeName(meta));
  const self = BigInt64Array.from(list, ({ flat }) => flat);
  const total = BigInt64Array.from(list, ({ cumulative }) => cumulative);
  const { baseTotal } = totals;
  if (baseTotal !== undefined) {
    // The server scales the base to the other side; here each side has its own values.
    const base = list.map(({ flat, flatDiff }) => flat - flatDiff);
    const scaled = base.reduce((sum, value) => sum + value, 0n);
    for (const [row, value] of base.entries()) {
      total[row] = scaled === 0n ? 0n : (value * baseTotal) / scaled;
    }
  }
  const rank = rankTexts(names);
  const files = list.map(({ meta }) => meta?.function?.filename ?? '');
  const binaries = list.map(({ meta }) => meta?.mapping?.file ?? '');
  return {
    count: list.length,
    names: packStrings(names),
    ...{ self, total },
    files: packStrings(files),
    binaries: packStrings(binaries),
    builds: packStrings(list.map(({ meta }) => meta?.mapping?.buildId ?? '')),
    order: {
      self: orderOf(list.length, rank, self),
      total: orderOf(list.length, rank, total),
      name: orderOf(list.length, rank),
      file: orderOf(list.length, rank, keysOf(files)),
      binary: orderOf(list.length, rank, keysOf(binaries.map((path) => baseName(path)))),
    },
    groupShares: {
      binary: sharesOf(list, totals.total, (_, __, binary) => binaryOf(binary)),
      package: sharesOf(list, totals.total, packageOf),
      kind: sharesOf(list, totals.total, (...of) => kindOf(...of) ?? unknownGroup),
    },
    unnamed: unnamedBuilds(list),
    whole: totals.total,
    baseWhole: baseTotal,
  };
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

/** Returns the rows by value, the largest first, and then by name. */
function orderOf(
  count: number,
  rank: Uint32Array,
  values?: BigInt64Array | Float64Array,
): Uint32Array {
  const byName = new Uint32Array(count);
  for (let row = 0; row < count; row++) byName[rank[row]] = row;
  // Sorting keeps the order of equal values.
  return values === undefined
    ? byName
    : byName.sort((a, b) => (values[a] < values[b] ? 1 : values[a] > values[b] ? -1 : 0));
}

/** Returns numbers of texts: the earlier a text, the larger its number; "" has the smallest. */
function keysOf(texts: readonly string[]): Float64Array {
  const different = [...new Set(texts)].filter((text) => text !== '').sort();
  const keys = new Map(different.map((text, i) => [text, different.length - i]));
  return Float64Array.from(texts, (text) => keys.get(text) ?? 0);
}

function nodeName(meta: TopMessage['list'][number]['meta']): string {
  const name = meta?.function?.name ?? '';
  if (name !== '') return name;
  const file = meta?.mapping?.file ?? '';
  const address = `0x${BigInt.asUintN(64, meta?.location?.address ?? 0n).toString(16)}`;
  return file === '' ? address : `${baseName(file)}+${address}`;
}

function unnamedBuilds(list: TopMessage['list']): UnnamedBuild[] {
  const builds = new Map<string, UnnamedBuild>();
  for (const { meta, flat } of list) {
    if ((meta?.function?.name ?? '') !== '') continue;
    const { file: binary = '', buildId: build = '' } = meta?.mapping ?? {};
    builds.set(build, { build, binary, self: flat + (builds.get(build)?.self ?? 0n) });
  }
  return [...builds.values()];
}

function sharesOf(
  list: TopMessage['list'],
  total: bigint,
  groupOf: (name: string, file: string, binary: string) => string,
): Map<string, number> {
  const shares = new Map<string, number>();
  const whole = Number(total);
  if (whole <= 0) return shares;
  for (const { meta, flat } of list) {
    if (flat === 0n) continue;
    const { name = '', filename = '' } = meta?.function ?? {};
    const group = groupOf(name, filename, meta?.mapping?.file ?? '');
    shares.set(group, (shares.get(group) ?? 0) + Number(flat) / whole);
  }
  return shares;
}
