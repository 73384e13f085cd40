// A decoded pprof profile as columns, reused from profile to profile.
//
// Tables of the message become tables of columns. Row 0 of mappings, locations and functions means
// "none". Nearly every encoder writes the ids 1..n, which are row numbers as they are. Strings are
// offsets into the message's bytes. There are no objects for single samples, frames or symbols.
// Source: https://github.com/google/pprof/blob/main/proto/profile.proto
import { AppError } from '../../base/errors.ts';
import { type InputLimitName, inputLimits, overInputLimit } from '../../base/input-limits.ts';
import { valueTypesMax } from '../../base/limits.ts';
import { grown } from '../../model/column.ts';
import { SampleOffsets } from './sample-offsets.ts';

/**
 * Maximum number of ids of 2^31 or more that one profile may use. Real encoders write at most a few
 * thousand.
 */
const wideIdsMax = 1_000_000;

/**
 * The columns of one profile; valid until the next decode into the same object.
 *
 * Indices of strings are -1 if the message has an index outside of 0..2^31-1. Ids and references
 * are Int32: a negative number replaces an id of 2^31 or more, and equal ids have equal numbers.
 * `validateProfile` turns references into rows.
 */
export class PprofColumns {
  /** The message, possibly followed by other bytes. Strings are ranges of it. Borrowed. */
  bytes: Uint8Array = new Uint8Array(0);

  sampleTypeCount = 0;
  sampleTypeType = new Int32Array(valueTypesMax);
  sampleTypeUnit = new Int32Array(valueTypesMax);
  periodTypeType = 0;
  periodTypeUnit = 0;
  period = 0n;
  timeNanos = 0n;
  durationNanos = 0n;

  /**
   * Samples are rows 0 .. sampleCount. The frames of sample `row` are rows `frameStart[row] ..
   * frameStart[row + 1]`; other lists work in the same way.
   */
  sampleCount = 0;
  frameStart = new Uint32Array(1025);
  valueStart = new Uint32Array(1025);
  labelStart = new Uint32Array(1025);

  /** Location of each frame, leaf first. */
  frameCount = 0;
  frameLocation = new Int32Array(16_384);

  valueCount = 0;
  values = new BigInt64Array(4_096);
  /** The same memory as `values`, as low and high words. */
  valueWords = new Int32Array(this.values.buffer);

  labelCount = 0;
  labelKey = new Int32Array(64);
  /** String index of the value of a string label; 0 for a numeric label. */
  labelText = new Int32Array(64);
  labelNumber = new BigInt64Array(64);
  labelNumberWords = new Int32Array(this.labelNumber.buffer);
  labelUnit = new Int32Array(64);

  /** Sample times, if the message has any. */
  readonly offsets = new SampleOffsets();

  /**
   * Facts about all rows that make most checks unnecessary: whether each id equals its row, and the
   * largest reference in any row, as an unsigned number.
   */
  areLocationIdsRows = true;
  areFunctionIdsRows = true;
  largestMappingOfLocation = 0;
  largestFunctionOfLine = 0;
  largestStringOfFunction = 0;

  /** Mappings are rows 1..mappingCount. */
  mappingCount = 0;
  mappingId = new Int32Array(16);
  mappingStartLow = new Uint32Array(16);
  mappingStartHigh = new Uint32Array(16);
  mappingLimitLow = new Uint32Array(16);
  mappingLimitHigh = new Uint32Array(16);
  mappingOffsetLow = new Uint32Array(16);
  mappingOffsetHigh = new Uint32Array(16);
  mappingFile = new Int32Array(16);
  mappingBuildId = new Int32Array(16);

  /**
   * Locations are rows 1..locationCount; their lines are `lineStart[row] .. lineStart[row + 1]`.
   */
  locationCount = 0;
  locationId = new Int32Array(1_024);
  locationMapping = new Int32Array(1_024);
  addressLow = new Uint32Array(1_024);
  addressHigh = new Uint32Array(1_024);
  lineStart = new Uint32Array(1_025);

  /** Lines are rows 0..lineCount. Numbers outside of int32 become 0 (unknown). */
  lineCount = 0;
  lineFunction = new Int32Array(1_024);
  lineNumber = new Int32Array(1_024);
  lineColumn = new Int32Array(1_024);

  /** Functions are rows 1..functionCount. */
  functionCount = 0;
  functionId = new Int32Array(1_024);
  functionName = new Int32Array(1_024);
  functionSystemName = new Int32Array(1_024);
  functionFile = new Int32Array(1_024);
  functionStartLine = new Int32Array(1_024);

  /** Number of strings. A string is the bytes from its start to its end. */
  stringCount = 0;
  stringStart = new Uint32Array(1_024);
  stringEnd = new Uint32Array(1_024);

  readonly #wideIds = new Map<bigint, number>();

  /** Clears the profile but keeps the memory. */
  clear(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.sampleTypeCount = 0;
    this.periodTypeType = 0;
    this.periodTypeUnit = 0;
    this.period = 0n;
    this.timeNanos = 0n;
    this.durationNanos = 0n;
    this.sampleCount = 0;
    this.frameCount = 0;
    this.valueCount = 0;
    this.labelCount = 0;
    this.offsets.clear();
    this.areLocationIdsRows = true;
    this.areFunctionIdsRows = true;
    this.largestMappingOfLocation = 0;
    this.largestFunctionOfLine = 0;
    this.largestStringOfFunction = 0;
    this.mappingCount = 0;
    this.locationCount = 0;
    this.lineCount = 0;
    this.functionCount = 0;
    this.stringCount = 0;
    if (this.#wideIds.size > 0) this.#wideIds.clear();
  }

  /**
   * Checks the final counts against the limits. The `reserve` methods check the limits only when
   * columns grow, but reused columns may already be large enough.
   *
   * Errors: AppError 'resource-exhausted'.
   */
  requireWithinLimits(): void {
    requireCount('profileSamples', 'samples', this.sampleCount);
    requireCount('profileFrames', 'frames', this.frameCount);
    requireCount('profileSampleLabels', 'labels', this.labelCount);
    requireCount('profileSymbols', 'mappings', this.mappingCount);
    requireCount('profileSymbols', 'locations', this.locationCount);
    requireCount('profileSymbols', 'lines', this.lineCount);
    requireCount('profileSymbols', 'functions', this.functionCount);
    requireCount('profileSymbols', 'strings', this.stringCount);
  }

  /** Returns the memory of the large columns in bytes, including space that is not in use. */
  reservedBytes(): number {
    const labels = this.labelKey.length * 20 + this.offsets.byteLength;
    const samples = this.frameStart.length * 12 + labels;
    const frames = this.frameLocation.length * 4 + this.values.length * 8;
    const locations = this.locationId.length * 20 + this.lineFunction.length * 12;
    return samples + frames + locations + this.functionId.length * 20 + this.stringStart.length * 8;
  }

  /**
   * Returns the id that a reader's `index` has just returned, or the negative number that replaces
   * an id of 2^31 or more.
   */
  toId(index: number, varint: { readonly low: number; readonly high: number }): number {
    if (index >= 0) return index;
    const id = (BigInt(varint.high >>> 0) << 32n) | BigInt(varint.low >>> 0);
    const known = this.#wideIds.get(id);
    if (known !== undefined) return known;
    if (this.#wideIds.size === wideIdsMax)
      throw new AppError(
        'resource-exhausted',
        `failed to parse profile: more than ${wideIdsMax} ids of 2^31 and more, the limit`,
      );
    const standIn = -1 - this.#wideIds.size;
    this.#wideIds.set(id, standIn);
    return standIn;
  }

  /** Returns an id as it is in the message, as a string for error messages. */
  idText(id: number): string {
    if (id >= 0) return String(id);
    for (const [wide, standIn] of this.#wideIds) if (standIn === id) return wide.toString();
    return String(id);
  }

  /** Reserves space for sample row `row` and for the ends of its ranges. */
  reserveSample(row: number): void {
    if (row + 1 < this.frameStart.length) return;
    if (row >= inputLimits.profileSamples) throw tooMany('profileSamples', 'samples');
    this.frameStart = grown(this.frameStart, row + 2);
    this.valueStart = grown(this.valueStart, row + 2);
    this.labelStart = grown(this.labelStart, row + 2);
  }

  reserveFrames(rows: number): void {
    if (rows <= this.frameLocation.length) return;
    if (rows > inputLimits.profileFrames) throw tooMany('profileFrames', 'frames');
    this.frameLocation = grown(this.frameLocation, rows);
  }

  reserveValues(rows: number): void {
    if (rows <= this.values.length) return;
    this.values = grown(this.values, rows);
    this.valueWords = new Int32Array(this.values.buffer);
  }

  reserveLabel(row: number): void {
    if (row < this.labelKey.length) return;
    if (row >= inputLimits.profileSampleLabels) throw tooMany('profileSampleLabels', 'labels');
    this.labelKey = grown(this.labelKey, row + 1);
    this.labelText = grown(this.labelText, row + 1);
    this.labelUnit = grown(this.labelUnit, row + 1);
    this.labelNumber = grown(this.labelNumber, row + 1);
    this.labelNumberWords = new Int32Array(this.labelNumber.buffer);
  }

  reserveMapping(row: number): void {
    if (row < this.mappingId.length) return;
    if (row > inputLimits.profileSymbols) throw tooMany('profileSymbols', 'mappings');
    this.mappingId = grown(this.mappingId, row + 1);
    this.mappingStartLow = grown(this.mappingStartLow, row + 1);
    this.mappingStartHigh = grown(this.mappingStartHigh, row + 1);
    this.mappingLimitLow = grown(this.mappingLimitLow, row + 1);
    this.mappingLimitHigh = grown(this.mappingLimitHigh, row + 1);
    this.mappingOffsetLow = grown(this.mappingOffsetLow, row + 1);
    this.mappingOffsetHigh = grown(this.mappingOffsetHigh, row + 1);
    this.mappingFile = grown(this.mappingFile, row + 1);
    this.mappingBuildId = grown(this.mappingBuildId, row + 1);
  }

  reserveLocation(row: number): void {
    if (row < this.locationId.length) return;
    if (row > inputLimits.profileSymbols) throw tooMany('profileSymbols', 'locations');
    this.locationId = grown(this.locationId, row + 1);
    this.locationMapping = grown(this.locationMapping, row + 1);
    this.addressLow = grown(this.addressLow, row + 1);
    this.addressHigh = grown(this.addressHigh, row + 1);
    // The additional element is the end of the last location's lines.
    this.lineStart = grown(this.lineStart, this.locationId.length + 1);
  }

  reserveLine(row: number): void {
    if (row < this.lineFunction.length) return;
    if (row >= inputLimits.profileSymbols) throw tooMany('profileSymbols', 'lines');
    this.lineFunction = grown(this.lineFunction, row + 1);
    this.lineNumber = grown(this.lineNumber, row + 1);
    this.lineColumn = grown(this.lineColumn, row + 1);
  }

  reserveFunction(row: number): void {
    if (row < this.functionId.length) return;
    if (row > inputLimits.profileSymbols) throw tooMany('profileSymbols', 'functions');
    this.functionId = grown(this.functionId, row + 1);
    this.functionName = grown(this.functionName, row + 1);
    this.functionSystemName = grown(this.functionSystemName, row + 1);
    this.functionFile = grown(this.functionFile, row + 1);
    this.functionStartLine = grown(this.functionStartLine, row + 1);
  }

  reserveString(row: number): void {
    if (row < this.stringStart.length) return;
    if (row >= inputLimits.profileSymbols) throw tooMany('profileSymbols', 'strings');
    this.stringStart = grown(this.stringStart, row + 1);
    this.stringEnd = grown(this.stringEnd, row + 1);
  }
}

function requireCount(name: InputLimitName, what: string, count: number): void {
  if (count > inputLimits[name]) throw tooMany(name, what);
}

function tooMany(name: InputLimitName, what: string): AppError {
  const limit = inputLimits[name];
  return overInputLimit(name, `failed to parse profile: more than ${limit} ${what}, the limit`);
}
