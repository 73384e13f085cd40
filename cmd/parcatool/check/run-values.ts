// Reads the values of a run by function from an exported profile.
import { gunzip } from '../../../src/base/threads/zlib.ts';
import { PprofColumns } from '../../../src/formats/pprof/columns.ts';
import { decodePprof } from '../../../src/formats/pprof/decode.ts';
import { profileText, validateProfile } from '../../../src/formats/pprof/validate.ts';
import { comparablePackage } from '../../../src/model/package-name.ts';

/** A function in one run. */
export interface FunctionValue {
  readonly name: string;
  /** Path of the source; "" = unknown. */
  readonly file: string;
  /** First line of the function; 0 = unknown. */
  readonly line: number;
  flat: number;
  cumulative: number;
}

/** Values of a profile. */
export interface RunValues {
  readonly total: number;
  /** Functions by name. Recursive calls to a function count once. */
  readonly functions: ReadonlyMap<string, FunctionValue>;
  /** Flat values by package. A function's name may occur in several packages. */
  readonly packages: ReadonlyMap<string, number>;
}

/** Functions at a location. */
interface Place {
  /** Functions, the innermost call first. */
  readonly functions: readonly FunctionValue[];
  /** Package of the innermost function. */
  readonly package: string;
}

/**
 * Sums the first values of a pprof profile by function name, and returns them in `unit`. If all
 * profiles have the same period, an export contains counts instead of times. The counts are then
 * multiplied by the period.
 *
 * Errors: AppError 'invalid-argument' for bytes that are not a pprof profile.
 */
export async function readRunValues(pprof: Uint8Array, unit: string): Promise<RunValues> {
  const columns = new PprofColumns();
  decodePprof(await gunzip(pprof, {}), columns);
  validateProfile(columns);
  const own = profileText(columns, columns.sampleTypeUnit[0]);
  const factor = own === 'count' && unit === 'nanoseconds' ? columns.period : 1n;
  const functions = new Map<string, FunctionValue>();
  const packages = new Map<string, number>();
  const byLocation = new Map<number, Place>();
  const at = (location: number): Place => {
    const known = byLocation.get(location);
    if (known !== undefined) return known;
    const found = functionsAt(columns, location);
    const place = {
      package: found.package,
      functions: found.functions.map((one) => {
        const first = functions.get(one.name) ?? one;
        functions.set(one.name, first);
        return first;
      }),
    };
    byLocation.set(location, place);
    return place;
  };
  let total = 0;
  const { frameStart, frameLocation, valueStart, values } = columns;
  for (let sample = 0; sample < columns.sampleCount; sample += 1) {
    const value = Number(values[valueStart[sample]] * factor);
    total += value;
    const seen = new Set<FunctionValue>();
    for (let frame = frameStart[sample]; frame < frameStart[sample + 1]; frame += 1) {
      const place = at(frameLocation[frame]);
      if (seen.size === 0) {
        packages.set(place.package, (packages.get(place.package) ?? 0) + value);
      }
      for (const one of place.functions) {
        if (seen.size === 0) one.flat += value;
        if (!seen.has(one)) one.cumulative += value;
        seen.add(one);
      }
    }
  }
  return { total, functions, packages };
}

function functionsAt(columns: PprofColumns, location: number): Place {
  const { lineStart, lineFunction, functionName, functionFile, functionStartLine } = columns;
  const { locationMapping, mappingFile, addressLow, addressHigh } = columns;
  const binary = profileText(columns, mappingFile[locationMapping[location]]);
  const none = { flat: 0, cumulative: 0 };
  const found: FunctionValue[] = [];
  for (let line = lineStart[location]; line < lineStart[location + 1]; line += 1) {
    const row = lineFunction[line];
    found.push({
      ...none,
      name: profileText(columns, functionName[row]),
      file: profileText(columns, functionFile[row]),
      line: functionStartLine[row],
    });
  }
  const first = found.at(0);
  if (first !== undefined) {
    return { functions: found, package: comparablePackage(first.name, first.file, binary) };
  }
  const address = BigInt(addressHigh[location]) * 2n ** 32n + BigInt(addressLow[location]);
  const name = `0x${address.toString(16)}${binary === '' ? '' : ` (${binary})`}`;
  const functions = [{ ...none, name, file: '', line: 0 }];
  return { functions, package: comparablePackage('', '', binary) };
}
