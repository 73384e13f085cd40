// The inner loop of merges in WebAssembly: like PlainSumKernel, at the speed of compiled C.
import { damaged, escapeOf } from './chunk-format.ts';
import { multiply } from './int64-column.ts';
import type { RowsRun } from './rows-run.ts';
import { PlainSumKernel, type SumKernel } from './sum-kernel.ts';
import {
  type Code,
  emitModule,
  get,
  i32Const,
  i64Const,
  ifElse,
  load,
  loopWhile,
  op,
  sequence,
  set,
  tee,
  v128Ones,
  type WasmFunction,
} from './wasm-emitter.ts';

/** Returns 0, or the number of a complaint. */
type AddRows = (...parameters: number[]) => number;

const complaints: readonly string[] = [
  'a profile has stacks that the chunk lacks',
  'escapes of its stacks are missing',
  'escapes of its values are missing',
];

/** Properties of a run that a function is generated for. */
interface Shape {
  readonly gapWidth: number;
  readonly valueWidth: number;
  readonly isSigned: boolean;
  readonly isWeighted: boolean;
  readonly hasGapEscapes: boolean;
  readonly hasValueEscapes: boolean;
}

const [profiles, counts, weights, gaps, values] = [0, 1, 2, 3, 4];
const [gapEscapes, gapEscapesEnd, escapes, escapesEnd, sums, entryCount] = [5, 6, 7, 8, 9, 10];
const [number, gapsEnd, sumAt, weight, value] = [11, 12, 13, 14, 15];

/** Rows added in one turn of the inner loop: one for each byte of a word. */
const unrolled = 8;

/**
 * Generates the function that adds the rows of some profiles. From row to row it moves the address
 * of the entry's sum, one instruction a row; moving the entry's number took two more, and 1.16 ns a
 * row instead of 1.0. Entries are checked once a profile, as they only grow within it. Large gaps
 * are checked one by one, so that a wrong address is past the end of the memory before it can wrap
 * around.
 */
function addRows(shape: Shape): WasmFunction {
  const { gapWidth, valueWidth } = shape;
  const turn = (rows: number, add: Code): Code =>
    sequence(add, advance(gaps, rows * gapWidth), advance(values, rows * valueWidth));
  const several = sequence(get(gaps), i32Const((unrolled - 1) * gapWidth), op.i32.add);
  const profile = sequence(
    shape.isWeighted
      ? sequence(get(weights), load(op.i32.load), op.i64.extendU, set(weight), advance(weights, 4))
      : [],
    sequence(get(counts), load(op.i32.load), i32Const(gapWidth), op.i32.mul, get(gaps), op.i32.add),
    sequence(set(gapsEnd), get(sums), set(sumAt)),
    loopWhile(sequence(several, get(gapsEnd), op.i32.ltU), turn(unrolled, addSeveral(shape))),
    loopWhile(sequence(get(gaps), get(gapsEnd), op.i32.ltU), turn(1, addRow(shape, 0))),
    sequence(get(sumAt), sumAfter(get(sums), get(entryCount)), op.i32.geU),
    sequence(get(counts), load(op.i32.load), i32Const(0), op.i32.ne, op.i32.and),
    ifElse(complain(1)),
    advance(counts, 4),
    advance(profiles, -1),
  );
  return {
    name: 'add',
    parameters: 11,
    i32Locals: 3,
    i64Locals: 2,
    body: sequence(loopWhile(get(profiles), profile), i32Const(0)),
  };
}

/** Adds `unrolled` rows. Where bytes can be escapes, one test covers them all first. */
function addSeveral(shape: Shape): Code {
  const rows = (of: Shape): Code =>
    sequence(...Array.from({ length: unrolled }, (_, row) => addRow(of, row)));
  const checked = [
    ...(shape.hasGapEscapes && shape.gapWidth === 1 ? [gaps] : []),
    ...(shape.hasValueEscapes && shape.valueWidth === 1 ? [values] : []),
  ];
  if (checked.length === 0) return rows(shape);
  const without: Shape = {
    ...shape,
    hasGapEscapes: shape.hasGapEscapes && shape.gapWidth !== 1,
    hasValueEscapes: shape.hasValueEscapes && shape.valueWidth !== 1,
  };
  return sequence(hasOnes(checked), ifElse(rows(shape), rows(without)));
}

/** Tests whether one of the eight bytes at an address, or at either of two, is 255. */
function hasOnes([first, ...second]: readonly number[]): Code {
  return sequence(
    ...second.map(get),
    sequence(get(first), load(op.v128.load64Zero)),
    ...second.map(() => sequence(load(op.v128.load64Lane), [1])),
    sequence(v128Ones, op.i8x16.eq, op.v128.anyTrue),
  );
}

function addRow(shape: Shape, row: number): Code {
  const { valueWidth, isWeighted } = shape;
  const isWhole = valueWidth === 8;
  return sequence(
    isWhole ? sequence(get(values), load(op.i64.load, row * 8), set(value)) : getValue(shape, row),
    sequence(sumAfter(get(sumAt), getGap(shape, row)), tee(sumAt)),
    sequence(get(sumAt), load(op.i64.load), get(value)),
    isWeighted ? sequence(get(weight), op.i64.mul) : [],
    sequence(op.i64.add, load(op.i64.store)),
  );
}

/** Returns the address of the sum that lies `entries` entries after `address`. */
function sumAfter(address: Code, entries: Code): Code {
  return sequence(address, entries, i32Const(3), op.i32.shl, op.i32.add);
}

function getGap({ gapWidth, hasGapEscapes }: Shape, row: number): Code {
  const read = sequence(get(gaps), load(loads[gapWidth], row * gapWidth));
  if (!hasGapEscapes && gapWidth < 4) return read;
  const isEscape = sequence(get(number), i32Const(escapeOf[gapWidth] | 0), op.i32.eq);
  const take = takeEscape(gapEscapes, gapEscapesEnd, 4, op.i32.load, number, 2);
  const check = sequence(get(number), get(entryCount), op.i32.geU, ifElse(complain(1)));
  return sequence(
    sequence(read, set(number)),
    hasGapEscapes ? sequence(isEscape, ifElse(take)) : [],
    sequence(check, get(number)),
  );
}

function getValue({ valueWidth, isSigned, hasValueEscapes }: Shape, row: number): Code {
  const wide = sequence(get(number), op.i64.extendU);
  // Zigzag: (n >> 1) ^ -(n & 1).
  const sign = sequence(i64Const(0n), wide, i64Const(1n), op.i64.and, op.i64.sub);
  const plain = isSigned ? sequence(wide, i64Const(1n), op.i64.shrU, sign, op.i64.xor) : wide;
  const read = sequence(get(values), load(loads[valueWidth], row * valueWidth));
  if (!hasValueEscapes) return sequence(read, set(number), plain, set(value));
  return sequence(
    sequence(read, tee(number), i32Const(escapeOf[valueWidth] | 0), op.i32.eq),
    ifElse(takeEscape(escapes, escapesEnd, 8, op.i64.load, value, 3), sequence(plain, set(value))),
  );
}

const loads: Readonly<Record<number, Code>> = {
  1: op.i32.load8,
  2: op.i32.load16,
  4: op.i32.load,
};

function takeEscape(
  from: number,
  end: number,
  bytes: number,
  read: Code,
  into: number,
  complaint: number,
): Code {
  return sequence(
    sequence(get(from), get(end), op.i32.geU, ifElse(complain(complaint))),
    sequence(get(from), load(read), set(into)),
    advance(from, bytes),
  );
}

function advance(local: number, by: number): Code {
  return sequence(get(local), i32Const(by), op.i32.add, set(local));
}

function complain(complaint: number): Code {
  return sequence(i32Const(complaint), op.return);
}

const modules = new Map<number, WebAssembly.Module>();

/**
 * Returns the module of a shape, generated on first use: a usual chunk needs two or three shapes.
 */
function moduleFor(key: number): WebAssembly.Module {
  const known = modules.get(key);
  if (known !== undefined) return known;
  const module = new WebAssembly.Module(emitModule(addRows(shapeOf(key))));
  modules.set(key, module);
  return module;
}

/**
 * Returns the shape of a number; shapes have numbers so that looking up a function allocates
 * nothing.
 */
function shapeOf(key: number): Shape {
  const flag = (bit: number): boolean => (key & bit) !== 0;
  return {
    gapWidth: key >> 8,
    valueWidth: (key >> 4) & 15,
    isSigned: flag(shapeBit.signed),
    isWeighted: flag(shapeBit.weighted),
    hasGapEscapes: flag(shapeBit.gapEscapes),
    hasValueEscapes: flag(shapeBit.valueEscapes),
  };
}

const shapeBit = { signed: 1, weighted: 2, gapEscapes: 4, valueEscapes: 8 } as const;

/** Returns the fastest kernel, with scratch memory of its own. */
export function createSumKernel(): SumKernel {
  return typeof WebAssembly === 'undefined' ? new PlainSumKernel() : new WasmSumKernel();
}

/**
 * Copies the needed bytes of a run into the module's memory, and adds there. Sums come last:
 * entries that are too large, which only damage can cause, hit unused memory or its end.
 */
class WasmSumKernel implements SumKernel {
  readonly #functions = new Map<number, AddRows>();
  readonly #memory = new WebAssembly.Memory({ initial: 8 });
  #buffer = Buffer.from(this.#memory.buffer);
  #words = new Uint32Array(this.#memory.buffer);
  #longs = new BigInt64Array(this.#memory.buffer);
  #entryCount = 0;
  /** Number of bytes of copies. */
  #used = 0;
  /** Start of the sums, a multiple of 8, after the room for copies. */
  #sumsAt = 256 * 1024;

  begin(entryCount: number): void {
    this.#entryCount = entryCount;
    this.#grow(this.#sumsAt + entryCount * 8);
    this.#longs.fill(0n, this.#sumsAt / 8, this.#sumsAt / 8 + entryCount);
  }

  add(run: RowsRun, plane: number, weights?: Uint32Array): void {
    const { profiles, rows, gapWidth, gapEscapesAt, gapEscapesEnd } = run;
    const { at, width, isSigned, escapesAt, escapesEnd } = run.planes[plane];
    const gapEscapeBytes = gapEscapesEnd - gapEscapesAt;
    const escapeBytes = escapesEnd - escapesAt;
    const bytes = profiles * 8 + rows * (gapWidth + width) + gapEscapeBytes + escapeBytes;
    this.#reserve(bytes);
    this.#used = 0;
    this.#putProfiles(run.counts, weights, profiles);
    // Buffer's copy from shared memory takes 0.01 ns a byte, `set` 0.03 to 0.3 ns.
    const section = Buffer.from(run.bytes.buffer, run.bytes.byteOffset, run.bytes.length);
    const gapsAt = this.#copy(section, run.gapsAt, rows * gapWidth);
    const valuesAt = this.#copy(section, at, rows * width);
    const ownGapEscapesAt = this.#copy(section, gapEscapesAt, gapEscapeBytes);
    const ownEscapesAt = this.#copy(section, escapesAt, escapeBytes);
    const key =
      gapWidth * 256 +
      width * 16 +
      (isSigned ? shapeBit.signed : 0) +
      (weights !== undefined ? shapeBit.weighted : 0) +
      (gapEscapeBytes > 0 ? shapeBit.gapEscapes : 0) +
      (escapeBytes > 0 ? shapeBit.valueEscapes : 0);
    const call = this.#functions.get(key) ?? this.#addFunction(key);
    let complaint = 1;
    try {
      complaint = call(
        profiles,
        0,
        profiles * 4,
        gapsAt,
        valuesAt,
        ownGapEscapesAt,
        ownGapEscapesAt + gapEscapeBytes,
        ownEscapesAt,
        ownEscapesAt + escapeBytes,
        this.#sumsAt,
        this.#entryCount,
      );
    } catch (error) {
      // An access past the end of memory means an entry that is too large.
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    }
    if (complaint > 0) throw damaged(complaints[complaint - 1]);
  }

  finish(sums: BigInt64Array, factor: number): void {
    const entryCount = this.#entryCount;
    const from = this.#sumsAt / 8;
    sums.set(this.#longs.subarray(from, from + entryCount));
    multiply(sums, entryCount, factor);
  }

  /** Copies counts and weights, which come first. */
  #putProfiles(counts: Uint32Array, weights: Uint32Array | undefined, profiles: number): void {
    this.#words.set(counts.subarray(0, profiles));
    if (weights !== undefined) this.#words.set(weights.subarray(0, profiles), profiles);
    this.#used = profiles * 8;
  }

  /** Appends a copy of some bytes and returns its position. */
  #copy(section: Buffer, from: number, length: number): number {
    const at = this.#used;
    section.copy(this.#buffer, at, from, from + length);
    this.#used = at + length;
    return at;
  }

  #addFunction(key: number): AddRows {
    const imports = { env: { memory: this.#memory } };
    const { exports } = new WebAssembly.Instance(moduleFor(key), imports);
    const add = exports.add as AddRows;
    this.#functions.set(key, add);
    return add;
  }

  /** Makes room for copies by moving the sums. */
  #reserve(bytes: number): void {
    if (bytes <= this.#sumsAt) return;
    const sumsAt = this.#sumsAt;
    const entryCount = this.#entryCount;
    this.#sumsAt = Math.ceil(bytes / 4) * 8;
    this.#grow(this.#sumsAt + entryCount * 8);
    this.#buffer.copyWithin(this.#sumsAt, sumsAt, sumsAt + entryCount * 8);
  }

  #grow(bytes: number): void {
    const missing = bytes - this.#buffer.length;
    if (missing <= 0) return;
    this.#memory.grow(Math.ceil(missing / 65_536));
    this.#buffer = Buffer.from(this.#memory.buffer);
    this.#words = new Uint32Array(this.#memory.buffer);
    this.#longs = new BigInt64Array(this.#memory.buffer);
  }
}
