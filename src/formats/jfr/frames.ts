// Converts the stacks of a chunk to nodes of the call tree. Methods are named as Java developers
// write them.
import { inputLimits, overInputLimit } from '../../base/input-limits.ts';
import type { NamedFrame } from '../pprof/writer.ts';
import type { CallTree } from './call-tree.ts';
import { type JfrConstants, symbolNames } from './constants.ts';
import { type JfrCursor, type Key, what } from './cursor.ts';
import type { JfrField, JfrType } from './types.ts';
import { seekField, skipField } from './values.ts';

/** A call, and the kind of its code. */
export interface JfrFrame extends NamedFrame {
  /** Kind of the code, as the name of a mapping: `[jit]`; '' if the recording lacks it. */
  readonly code: string;
}

const nativeCode = '[native]';
const kernelCode = '[kernel.kallsyms]';

/** Mappings by the kind of a frame, as HotSpot and async-profiler name them. */
const codes: ReadonlyMap<string, string> = new Map([
  ['Interpreted', '[interpreted]'],
  ['JIT compiled', '[jit]'],
  ['C1 compiled', '[jit]'],
  ['Inlined', '[inlined]'],
  ['Native', nativeCode],
  ['C++', nativeCode],
  ['Kernel', kernelCode],
]);

/** A number above the numbers of all kinds of frames. */
const kindsMax = 64;

const unknownFrame: JfrFrame = { name: '[unknown]', code: '' };

/** Frames of a complete recording, without duplicates. */
export class FrameTable {
  readonly frames: JfrFrame[] = [];
  readonly #ids = new Map<string, number>();

  /** Returns the number of a frame. */
  intern(frame: JfrFrame): number {
    const key = `${frame.name}\0${frame.line ?? 0}\0${frame.code}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.frames.length;
    const { profileSymbols } = inputLimits;
    if (id === profileSymbols) {
      const why = `${what}: it has more than ${profileSymbols} frames`;
      throw overInputLimit('profileSymbols', why);
    }
    this.frames.push(frame);
    this.#ids.set(key, id);
    return id;
  }
}

/** Reads the stacks of one chunk. */
export class StackReader {
  readonly #cursor: JfrCursor;
  readonly #constants: JfrConstants;
  readonly #table: FrameTable;
  readonly #tree: CallTree;
  readonly #nodes = new Map<Key, number>();
  /** Frames by the method, then by the line and the kind. */
  readonly #frames = new Map<Key, Map<number | string, number>>();
  readonly #codes = new Map<Key, string>();
  /**
   * True if native frames are C functions, as in recordings of async-profiler. No other profiler
   * has a kind of frame for kernel code, so that kind identifies it.
   */
  #isNativeC: boolean | undefined;

  constructor(
    cursor: JfrCursor,
    constants: JfrConstants,
    { table, tree }: { readonly table: FrameTable; readonly tree: CallTree },
  ) {
    this.#cursor = cursor;
    this.#constants = constants;
    this.#table = table;
    this.#tree = tree;
  }

  /**
   * Returns the node of a stack; an absent stack becomes one unknown call. Moves the cursor.
   *
   * Errors: DecodeError; AppError 'resource-exhausted' for a stack that is too deep.
   */
  internStack(type: JfrType, key: Key): number {
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const frames = this.#constants.seek(type, key) ? this.#readFrames(type) : [];
    if (frames.length === 0) frames.push(this.#table.intern(unknownFrame));
    let node = 0;
    for (let i = frames.length - 1; i >= 0; i -= 1) node = this.#tree.child(node, frames[i]);
    if (this.#tree.count > inputLimits.profileDistinctFrames) {
      const { profileDistinctFrames: most } = inputLimits;
      const why = `${what}: it has more than ${most} distinct frames`;
      throw overInputLimit('profileDistinctFrames', why);
    }
    this.#nodes.set(key, node);
    return node;
  }

  /** Reads the frames of the stack at the cursor, leaf first. */
  #readFrames(type: JfrType): number[] {
    const cursor = this.#cursor;
    const field = seekField(cursor, type, 'frames');
    if (field === undefined || !field.isArray) return [];
    const count = cursor.count(field.type.kind === 'nothing' ? 0 : 1);
    if (count > inputLimits.stackDepth) {
      const why = `${what}: a stack has more than ${inputLimits.stackDepth} frames`;
      throw overInputLimit('stackDepth', why);
    }
    const frames: number[] = [];
    for (let i = 0; i < count; i += 1) frames.push(this.#readFrame(field));
    return frames;
  }

  /** Reads the frame at the cursor, or its key. */
  #readFrame({ type, isConstant }: JfrField): number {
    const cursor = this.#cursor;
    if (isConstant) {
      const key = cursor.key();
      const { pos } = cursor;
      const id = this.#constants.seek(type, key)
        ? this.#frameHere(type)
        : this.#table.intern(unknownFrame);
      cursor.pos = pos;
      return id;
    }
    return this.#frameHere(type);
  }

  #frameHere(type: JfrType): number {
    const cursor = this.#cursor;
    let method: Key = 0;
    let methodType: JfrType | undefined;
    let line = 0;
    let kind: Key = 0;
    let kindType: JfrType | undefined;
    for (const field of type.fields) {
      if (field.isConstant && !field.isArray && field.name === 'method') {
        method = cursor.key();
        methodType = field.type;
      } else if (field.isConstant && !field.isArray && field.name === 'type') {
        kind = cursor.key();
        kindType = field.type;
      } else if (field.name === 'lineNumber' && field.type.kind === 'int' && !field.isArray) {
        line = Math.max(0, cursor.int());
      } else skipField(cursor, field);
    }
    if (methodType === undefined) return this.#table.intern(unknownFrame);
    let lines = this.#frames.get(method);
    if (lines === undefined) this.#frames.set(method, (lines = new Map()));
    const place =
      typeof kind === 'number' && kind < kindsMax ? line * kindsMax + kind : `${line} ${kind}`;
    const known = lines.get(place);
    if (known !== undefined) return known;
    const { pos } = cursor;
    const code = kindType === undefined ? '' : this.#readCodeKind(kindType, kind);
    const id = this.#table.intern({ ...this.#readMethod(methodType, method, code), line });
    cursor.pos = pos;
    lines.set(place, id);
    return id;
  }

  #readCodeKind(type: JfrType, key: Key): string {
    const known = this.#codes.get(key);
    if (known !== undefined) return known;
    this.#isNativeC ??= Array.from(this.#constants.keys(type)).some(
      (other) => this.#codeOf(type, other) === kernelCode,
    );
    const code = this.#codeOf(type, key);
    this.#codes.set(key, code);
    return code;
  }

  #codeOf(type: JfrType, key: Key): string {
    return codes.get(this.#constants.text(type, key, ['description', 'name']) ?? '') ?? '';
  }

  /** Returns the name of a method with its class, and the kind of its code. */
  #readMethod(type: JfrType, key: Key, code: string): JfrFrame {
    const constants = this.#constants;
    const method = constants.text(type, key, ['name']);
    if (method === undefined) return unknownFrame;
    if (method.endsWith(kernelSuffix)) {
      return { name: method.slice(0, -kernelSuffix.length), code: kernelCode };
    }
    const owner = this.#readClass(type, key);
    if (owner === '') return { name: method, code };
    // A C function has the file that contains it in place of a class.
    const isC = code === nativeCode && this.#isNativeC === true;
    if (isC || libraryForm.test(owner)) return { name: method, code: owner };
    return { name: `${formatClassName(owner)}.${method}`, code };
  }

  /** Returns the class of a method; '' without one. */
  #readClass(type: JfrType, key: Key): string {
    const constants = this.#constants;
    if (!constants.seek(type, key)) return '';
    const field = seekField(this.#cursor, type, 'type');
    if (field === undefined || !field.isConstant || field.isArray) return '';
    return constants.text(field.type, this.#cursor.key(), ['name', ...symbolNames]) ?? '';
  }
}

/** Suffix that async-profiler adds to kernel functions. */
const kernelSuffix = '_[k]';
const libraryForm = /\.(?:so|dylib|dll)(?:\.[\d.]+)?$/i;

/** Generated parts of class names, which differ in each run of a JVM. */
const generated: readonly (readonly [form: RegExp, name: string])[] = [
  [/(?:[+/.]0x[\da-f]+)(?:\/\d+)?$/i, ''],
  [/\$\$Lambda(?:\$\d+)?(?:\/\d+)?$/, '$$$$Lambda'],
  [/(Generated(?:\w+)Accessor)\d+$/, '$1'],
  [/(\$Proxy)\d+$/, '$1'],
];

/** Returns a class's name with dots, and without the parts that differ in each run of a JVM. */
export function formatClassName(internal: string): string {
  let name = internal;
  for (const [form, plain] of generated) name = name.replace(form, plain);
  return name.replaceAll('/', '.');
}
