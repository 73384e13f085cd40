// Demangles names with the package gecko-profiler-demangle. It contains cpp_demangle and
// rustc-demangle, the libraries of the native symbolizer, as WebAssembly.
import {
  demangledNameLengthMax,
  demanglerMemoryPagesMax,
  demanglerFailuresMax,
} from '../limits.ts';
import type { DemangleMode } from '../interface.ts';
import { readableCppName, readableRustName } from './readable-name.ts';

/** The functions that the module exports. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  __wbindgen_start(): void;
  __wbindgen_malloc(size: number, alignment: number): number;
  __wbindgen_free(pointer: number, size: number, alignment: number): void;
  demangle_any(pointer: number, size: number): [pointer: number, size: number];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Demangles names one at a time. Names are not trusted, so the module has a memory limit, and is
 * replaced if it fails in the middle of a name. A name may take any time, so the module must run in
 * a thread that can be ended.
 */
export class WasmDemangler {
  readonly #module: WebAssembly.Module;
  #exports: Exports | undefined;
  #failures = 0;

  /** `module` has the bytes of the package's module. */
  constructor(module: Uint8Array) {
    this.#module = new WebAssembly.Module(withMemoryMax(module, demanglerMemoryPagesMax));
  }

  /** Returns a demangled name in the form of a mode. A name that is not mangled does not change. */
  demangle(name: string, mode: DemangleMode): string {
    if (mode === 'none') return name;
    if (isRust(name)) {
      const readable = this.#demangle(name);
      if (readable !== undefined) return readableRustName(readable, mode);
    }
    if (!/^_{1,3}Z/.test(name)) return name;
    // Clones (.isra.0, .cold) and versions (@@GLIBCXX) are not part of the mangled name.
    const readable = this.#demangle(name.replace(/[.@].*$/s, ''));
    return readable === undefined ? name : readableCppName(readable, mode);
  }

  #demangle(name: string): string | undefined {
    if (this.#failures >= demanglerFailuresMax) return undefined;
    try {
      const readable = this.#call(encoder.encode(name));
      // If a name is not mangled, the module returns it unchanged or without its first character.
      const isSame = readable === name || `_${readable}` === name;
      return isSame || readable.length > demangledNameLengthMax ? undefined : readable;
    } catch {
      // The module ran out of memory or stack, so its state is unusable.
      this.#exports = undefined;
      this.#failures += 1;
      return undefined;
    }
  }

  #call(name: Uint8Array): string {
    const exports = (this.#exports ??= this.#start());
    const pointer = exports.__wbindgen_malloc(name.length, 1) >>> 0;
    new Uint8Array(exports.memory.buffer, pointer, name.length).set(name);
    const [found, size] = exports.demangle_any(pointer, name.length);
    const start = found >>> 0;
    const readable = decoder.decode(new Uint8Array(exports.memory.buffer, start, size));
    exports.__wbindgen_free(start, size, 1);
    return readable;
  }

  #start(): Exports {
    // The module imports these JavaScript functions, but never calls them.
    const glue = { __wbindgen_init_externref_table: () => undefined };
    const { exports } = new WebAssembly.Instance(this.#module, { './index_bg.js': glue });
    return exports as unknown as Exports;
  }
}

/**
 * Returns true for Rust names, which have the v0 form, or the form of C++ names with a hash at the
 * end.
 */
function isRust(name: string): boolean {
  return /^_?_?R[A-Za-z]/.test(name) || /^_{1,3}ZN.*17h[0-9a-f]{16}E/s.test(name);
}

/**
 * Returns the module with a limit on its memory, because the module does not declare a limit. An
 * allocation above the limit ends the call.
 */
function withMemoryMax(module: Uint8Array, pagesMax: number): Uint8Array<ArrayBuffer> {
  const memorySection = 5;
  // The sections begin after the magic number and the version.
  for (let at = 8; at < module.length;) {
    const id = module[at];
    const size = readNumber(module, at + 1);
    const content = size.end;
    const end = content + size.value;
    if (id === memorySection) {
      const pages = readNumber(module, content + 2);
      const limits = [1, 1, ...encodeNumber(pages.value), ...encodeNumber(pagesMax)];
      const section = [memorySection, ...encodeNumber(limits.length), ...limits];
      return Uint8Array.from([...module.subarray(0, at), ...section, ...module.subarray(end)]);
    }
    at = end;
  }
  throw new Error('the module for names has no memory');
}

/** Reads a LEB128 number. */
function readNumber(
  bytes: Uint8Array,
  start: number,
): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = start, shift = 0; ; at += 1, shift += 7) {
    value |= (bytes[at] & 0x7f) << shift;
    if (bytes[at] < 0x80) return { value: value >>> 0, end: at + 1 };
  }
}

function encodeNumber(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return bytes;
}
