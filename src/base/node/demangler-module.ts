// The WebAssembly module of the package gecko-profiler-demangle.
import { readFileSync } from 'node:fs';

/** Reads the bytes of the module, which has half a megabyte. */
export function readDemanglerModule(): Uint8Array {
  return readFileSync(new URL(import.meta.resolve('gecko-profiler-demangle/index_bg.wasm')));
}
