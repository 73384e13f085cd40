// The vDSO: kernel code that is mapped into every process. The agent reads its own copy.
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { AppError, errorMessage } from '../../src/base/errors.ts';
import { readElf, bytesSource } from '../../src/symbolize/elf-file.ts';
import { type FunctionSymbols, readFunctionSymbols } from '../../src/symbolize/elf-symbols.ts';

const vdsoBytesMax = 1024 * 1024;

/**
 * Reads the functions of the vDSO by ELF address. Errors: AppError 'unavailable' if the vDSO cannot
 * be read.
 */
export async function readVdsoSymbols(): Promise<FunctionSymbols> {
  try {
    const symbols = await readFunctionSymbols(await readElf(bytesSource(readImage())));
    if (symbols !== undefined) return symbols;
    throw new AppError('unavailable', 'it has no symbols');
  } catch (error) {
    throw new AppError('unavailable', `cannot read the vDSO: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

function readImage(): Uint8Array {
  const maps = readFileSync('/proc/self/maps', 'latin1');
  const match = /^([0-9a-f]+)-([0-9a-f]+) .*\[vdso\]$/m.exec(maps);
  if (match === null) throw new AppError('unavailable', 'this process has none');
  const start = Number.parseInt(match[1], 16);
  const length = Number.parseInt(match[2], 16) - start;
  if (length > vdsoBytesMax) throw new AppError('unavailable', `it has ${length} bytes`);
  const bytes = new Uint8Array(length);
  const descriptor = openSync('/proc/self/mem', 'r');
  try {
    readSync(descriptor, bytes, 0, length, start);
  } finally {
    closeSync(descriptor);
  }
  return bytes;
}
