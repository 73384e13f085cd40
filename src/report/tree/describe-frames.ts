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
  describeLikeFrames(dictionary, facts, to, showAddress);
  describeUnlikeFrames(dictionary, facts, to, showAddress);
  return to;
}

/** Describes rows whose frames agree on everything, which are nearly all: no fact is asked for. */
function describeLikeFrames(
  { locations, mappings, functions }: Dictionary,
  { location: locationOf, line: lineOf, differs: differsOf }: FrameFacts,
  to: FrameColumns,
  showAddress: boolean,
): void {
  const { functionName, systemName, fileName, startLine, line: lineNumber, inlined } = to;
  const { mappingFile, buildId, hasAddress, addressLow, addressHigh } = to;
  const { mapping: mappingOf, lineFunction, lineNumber: numberOf } = locations;
  const { addressLow: lowOf, addressHigh: highOf } = locations;
  const { name: nameOf, systemName: systemOf, fileName: fileOf, startLine: startOf } = functions;
  for (let i = 0; i < locationOf.length; i += 1) {
    const location = locationOf[i];
    if (differsOf[i] !== 0 || location === 0) continue;
    const mapping = mappingOf[location];
    mappingFile[i] = mappings.fileName[mapping] || noValue;
    buildId[i] = mappings.buildId[mapping] || noValue;
    hasAddress[i] = 1;
    const line = lineOf[i];
    if (line === -1 || showAddress) {
      addressLow[i] = lowOf[location];
      addressHigh[i] = highOf[location];
    }
    inlined[i] = 0;
    if (line === -1) continue;
    const row = lineFunction[line];
    const system = systemOf[row];
    functionName[i] = nameOf[row] || system;
    systemName[i] = system || noValue;
    fileName[i] = fileOf[row] || noValue;
    startLine[i] = startOf[row];
    lineNumber[i] = numberOf[line];
    if (locations.isInlined(location, line)) inlined[i] = 1;
  }
}

/** Describes the other rows by what their frames agree on. */
function describeUnlikeFrames(
  { locations, mappings, functions }: Dictionary,
  { location: locationOf, line: lineOf, differs: differsOf }: FrameFacts,
  to: FrameColumns,
  showAddress: boolean,
): void {
  for (let i = 0; i < locationOf.length; i += 1) {
    const different = differsOf[i];
    if (different === 0) continue;
    const [location, line] = [locationOf[i], lineOf[i]];
    const isSame = (fact: number): boolean => (different & fact) === 0;
    const mapping = locations.mapping[location];
    if (isSame(differs.mappingFile)) to.mappingFile[i] = mappings.fileName[mapping] || noValue;
    if (isSame(differs.buildId)) to.buildId[i] = mappings.buildId[mapping] || noValue;
    if (line !== -1) {
      const row = locations.lineFunction[line];
      const system = functions.systemName[row];
      to.functionName[i] = functions.name[row] || system;
      if (isSame(differs.line)) to.line[i] = locations.lineNumber[line];
      if (isSame(differs.startLine)) to.startLine[i] = functions.startLine[row];
      if (isSame(differs.systemName)) to.systemName[i] = system || noValue;
      if (isSame(differs.fileName)) to.fileName[i] = functions.fileName[row] || noValue;
    }
    if (isSame(differs.inlined)) {
      to.inlined[i] = line !== -1 && locations.isInlined(location, line) ? 1 : 0;
    }
    const isBare = line === -1 || showAddress;
    // As in Parca, a frame that came with symbols has address 0.
    if (isBare && !isSame(differs.address)) continue;
    to.hasAddress[i] = 1;
    if (!isBare) continue;
    to.addressLow[i] = locations.addressLow[location];
    to.addressHigh[i] = locations.addressHigh[location];
  }
}
