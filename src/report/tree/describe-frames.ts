// Describes frames: columns of names, files, lines and addresses.
import { type ColumnMemory, ownMemory } from '../../model/column-memory.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { differs, type TargetFacts } from './frame-facts.ts';

/** Marks a cell without a value. */
export const noValue = -1;

/**
 * Facts by row; `noValue` if the frames of a row differ or have no value. Strings are given by
 * StringIndex.
 */
export interface FrameColumns {
  readonly functionName: Int32Array;
  readonly systemName: Int32Array;
  readonly fileName: Int32Array;
  readonly startLine: Int32Array;
  readonly line: Int32Array;
  /** 1 for an inlined call. */
  readonly inlined: Int8Array;
  readonly mappingFile: Int32Array;
  readonly buildId: Int32Array;
  /** 1 for a row with an address; the next two columns contain its words. */
  readonly hasAddress: Uint8Array;
  readonly addressLow: Uint32Array;
  readonly addressHigh: Uint32Array;
}

/** Describes the targets of `facts`. `showAddress` adds the addresses of frames with symbols. */
export function describeFrames(
  dictionary: Dictionary,
  facts: TargetFacts,
  showAddress: boolean,
  memory: ColumnMemory = ownMemory,
): FrameColumns {
  const { length } = facts.location;
  const column = (): Int32Array => memory.take(Int32Array, length).fill(noValue);
  const to = {
    functionName: column(),
    systemName: column(),
    fileName: column(),
    startLine: column(),
    line: column(),
    inlined: memory.take(Int8Array, length).fill(noValue),
    mappingFile: column(),
    buildId: column(),
    hasAddress: memory.take(Uint8Array, length),
    addressLow: memory.take(Uint32Array, length),
    addressHigh: memory.take(Uint32Array, length),
  };
  const { functionName, systemName, fileName, startLine, line: lineNumber, inlined } = to;
  const { mappingFile, buildId, hasAddress, addressLow, addressHigh } = to;
  const { location: locationOf, line: lineOf, differs: differsOf } = facts;
  const { locations, mappings, functions } = dictionary;
  for (let i = 0; i < length; i += 1) {
    const location = locationOf[i];
    if (location === 0) continue;
    const line = lineOf[i];
    const different = differsOf[i];
    const mapping = locations.mapping[location];
    if ((different & differs.mappingFile) === 0)
      mappingFile[i] = mappings.fileName[mapping] || noValue;
    if ((different & differs.buildId) === 0) buildId[i] = mappings.buildId[mapping] || noValue;
    if (line !== -1) {
      const row = locations.lineFunction[line];
      const system = functions.systemName[row];
      const shown = functions.name[row];
      functionName[i] = shown === 0 ? system : shown;
      if ((different & differs.line) === 0) lineNumber[i] = locations.lineNumber[line];
      if ((different & differs.startLine) === 0) startLine[i] = functions.startLine[row];
      if ((different & differs.systemName) === 0) systemName[i] = system || noValue;
      if ((different & differs.fileName) === 0) fileName[i] = functions.fileName[row] || noValue;
    }
    if ((different & differs.inlined) === 0) {
      inlined[i] = line !== -1 && locations.isInlined(location, line) ? 1 : 0;
    }
    const isBare = line === -1 || showAddress;
    // A frame that was uploaded with symbols has the address 0, as in Parca.
    if (isBare && (different & differs.address) !== 0) continue;
    hasAddress[i] = 1;
    if (!isBare) continue;
    addressLow[i] = locations.addressLow[location];
    addressHigh[i] = locations.addressHigh[location];
  }
  return to;
}
