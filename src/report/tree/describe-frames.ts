// Describes frames: columns of names, files, lines and addresses.
import type { Dictionary } from '../../model/dictionary.ts';
import { differs, type FrameFacts } from './frame-facts.ts';

/** Marks a cell without a value. */
export const noValue = -1;

/**
 * Facts by row, each `noValue` where the frames of a row disagree or there are none. Strings are
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
  /** Whether the row has an address, and its words. */
  readonly hasAddress: Uint8Array;
  readonly addressLow: Uint32Array;
  readonly addressHigh: Uint32Array;
}

/** Describes the targets of `facts`. `showAddress`: of frames with symbols too. */
export function describeFrames(
  dictionary: Dictionary,
  facts: FrameFacts,
  showAddress: boolean,
): FrameColumns {
  const { length } = facts.location;
  const column = (): Int32Array => new Int32Array(length).fill(noValue);
  const to = {
    functionName: column(),
    systemName: column(),
    fileName: column(),
    startLine: column(),
    line: column(),
    inlined: new Int8Array(length).fill(noValue),
    mappingFile: column(),
    buildId: column(),
    hasAddress: new Uint8Array(length),
    addressLow: new Uint32Array(length),
    addressHigh: new Uint32Array(length),
  };
  const { location: locationOf, line: lineOf, differs: differsOf } = facts;
  const { mapping: mappingOf, addressLow, addressHigh } = dictionary.locations;
  const { fileName: fileOf, buildId: buildIdOf } = dictionary.mappings;
  for (let i = 0; i < length; i += 1) {
    const location = locationOf[i];
    if (location === 0) continue;
    const different = differsOf[i];
    const mapping = mappingOf[location];
    if ((different & differs.mappingFile) === 0) to.mappingFile[i] = fileOf[mapping] || noValue;
    if ((different & differs.buildId) === 0) to.buildId[i] = buildIdOf[mapping] || noValue;
    const isBare = lineOf[i] === -1 || showAddress;
    // As in Parca, a frame that came with symbols has address 0.
    if (isBare && (different & differs.address) !== 0) continue;
    to.hasAddress[i] = 1;
    if (!isBare) continue;
    to.addressLow[i] = addressLow[location];
    to.addressHigh[i] = addressHigh[location];
  }
  describeLines(dictionary, facts, to);
  return to;
}

/** Describes what rows with lines have in addition to their locations. */
function describeLines(dictionary: Dictionary, facts: FrameFacts, to: FrameColumns): void {
  const { locations, functions } = dictionary;
  const { lineFunction, lineNumber } = locations;
  const { name, systemName, fileName, startLine } = functions;
  const { location: locationOf, line: lineOf, differs: differsOf } = facts;
  for (let i = 0; i < lineOf.length; i += 1) {
    const different = differsOf[i];
    const line = lineOf[i];
    if (locationOf[i] === 0) continue;
    if (line === -1) {
      if ((different & differs.inlined) === 0) to.inlined[i] = 0;
      continue;
    }
    const row = lineFunction[line];
    to.functionName[i] = name[row] === 0 ? systemName[row] : name[row];
    if ((different & differs.line) === 0) to.line[i] = lineNumber[line];
    if ((different & differs.startLine) === 0) to.startLine[i] = startLine[row];
    if ((different & differs.systemName) === 0) to.systemName[i] = systemName[row] || noValue;
    if ((different & differs.fileName) === 0) to.fileName[i] = fileName[row] || noValue;
    if ((different & differs.inlined) !== 0) continue;
    to.inlined[i] = locations.isInlined(locationOf[i], line) ? 1 : 0;
  }
}
