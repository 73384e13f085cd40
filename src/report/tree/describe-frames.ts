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
  const { locations, mappings } = dictionary;
  for (let i = 0; i < length; i += 1) {
    const location = facts.location[i];
    if (location === 0) continue;
    const line = facts.line[i];
    const different = facts.differs[i];
    const mapping = locations.mapping[location];
    if ((different & differs.mappingFile) === 0) to.mappingFile[i] = mappings.fileName[mapping];
    if ((different & differs.buildId) === 0) to.buildId[i] = mappings.buildId[mapping];
    if (line !== -1) describeLine(dictionary, to, i, line, different);
    if ((different & differs.inlined) === 0) to.inlined[i] = facts.isInlined(i) ? 1 : 0;
    // As in Parca, a frame that came with symbols has address 0.
    const isBare = line === -1 || showAddress;
    if (isBare && (different & differs.address) !== 0) continue;
    to.hasAddress[i] = 1;
    if (!isBare) continue;
    to.addressLow[i] = locations.addressLow[location];
    to.addressHigh[i] = locations.addressHigh[location];
  }
  emptyToNoValue(to.mappingFile);
  emptyToNoValue(to.buildId);
  emptyToNoValue(to.systemName);
  emptyToNoValue(to.fileName);
  return to;
}

function describeLine(
  { locations, functions }: Dictionary,
  to: FrameColumns,
  i: number,
  line: number,
  different: number,
): void {
  const row = locations.lineFunction[line];
  const name = functions.name[row];
  to.functionName[i] = name === 0 ? functions.systemName[row] : name;
  if ((different & differs.line) === 0) to.line[i] = locations.lineNumber[line];
  if ((different & differs.startLine) === 0) to.startLine[i] = functions.startLine[row];
  if ((different & differs.systemName) === 0) to.systemName[i] = functions.systemName[row];
  if ((different & differs.fileName) === 0) to.fileName[i] = functions.fileName[row];
}

/** Replaces empty strings, which mean the same as missing ones. */
function emptyToNoValue(column: Int32Array): void {
  for (let i = 0; i < column.length; i += 1) if (column[i] === 0) column[i] = noValue;
}
