// Names of frames in formats that have names but no addresses.
import type { Dictionary } from '../model/dictionary.ts';
import type { FunctionIndex, LocationIndex, StringIndex } from '../model/rows.ts';
import { baseName } from '../model/file-path.ts';

/** The name of an unknown frame. */
export const unknownName = '[unknown]';

/** Returns the name of a function, never empty. */
export function functionName({ functions, strings }: Dictionary, row: FunctionIndex): string {
  return strings.text(functions.displayName(row)) || unknownName;
}

/**
 * Returns "0x4a2f (libc.so.6)" for a location without lines; the path of the binary is shortened to
 * its file name.
 */
export function addressName(dictionary: Dictionary, row: LocationIndex): string {
  const { addressLow, addressHigh } = dictionary.locations;
  const address = (BigInt(addressHigh[row]) << 32n) | BigInt(addressLow[row]);
  return nameOfAddress(address, binaryName(dictionary, row));
}

/** Returns the name of a frame without lines; `binary` is a file name, or "" if unknown. */
export function nameOfAddress(address: bigint, binary: string): string {
  if (address === 0n) return binary === '' ? unknownName : `[${binary}]`;
  return binary === '' ? `0x${address.toString(16)}` : `0x${address.toString(16)} (${binary})`;
}

/** Returns the file name of a location's binary; "" if unknown. */
function binaryName({ locations, mappings, strings }: Dictionary, row: LocationIndex): string {
  return baseName(strings.text(mappings.fileName[locations.mapping[row]] as StringIndex));
}
