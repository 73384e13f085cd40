// Converts counters in a pprof profile to changes since an earlier profile of the same process,
// which the agents of Pyroscope before version 1.0 send with it.
import { AppError } from '../../base/errors.ts';
import { PprofColumns } from './columns.ts';
import { decodePprof } from './decode.ts';
import { rewriteSamples } from './rewrite-samples.ts';
import { profileText, validateProfile } from './validate.ts';

/** An earlier profile, whose counters are subtracted. */
export interface EarlierProfile {
  /** The uncompressed profile. */
  readonly content: Uint8Array;
  /** Names of the sample types that are counters since the start of the process. */
  readonly counters: readonly string[];
}

/**
 * Returns an uncompressed message in which counters are replaced by their increase since the
 * earlier profile. A stack that is not in the earlier profile keeps its values. The process may
 * have been restarted, so a negative increase becomes 0.
 *
 * Errors: as in decodePprof and validateProfile; AppError 'resource-exhausted' for more than
 * `framesMax` frames in one of the profiles.
 */
export function subtractEarlier(
  message: Uint8Array,
  earlier: EarlierProfile,
  framesMax: number,
): Uint8Array {
  const names = new Map<string, number>();
  const [before, now] = [earlier.content, message].map((bytes) => {
    const columns = new PprofColumns();
    decodePprof(bytes, columns);
    validateProfile(columns);
    if (columns.frameCount > framesMax) {
      const why = `prev_profile: a profile has more than ${framesMax} frames`;
      throw new AppError('resource-exhausted', why);
    }
    return { types: readTypes(columns), stacks: readStacks(columns, names), columns };
  });
  /** For each value column, the value column of the earlier profile; -1 for states. */
  const sources = now.types.map((type) =>
    earlier.counters.includes(type) ? before.types.indexOf(type) : -1,
  );
  const left = new Map<number, bigint[]>();
  for (const [row, stack] of before.stacks.entries()) {
    const { values, valueStart } = before.columns;
    const own = values.subarray(valueStart[row], valueStart[row + 1]);
    const known = left.get(stack);
    left.set(stack, known === undefined ? Array.from(own) : known.map((one, i) => one + own[i]));
  }
  return rewriteSamples(message, {
    keepsType: () => true,
    values: (values, row) => {
      const rest = left.get(now.stacks[row]);
      if (rest === undefined) return values;
      return values.map((value, i) => {
        const source = sources[i];
        if (source === -1) return value;
        const taken = rest[source] < value ? rest[source] : value;
        if (taken <= 0n) return value;
        rest[source] -= taken;
        return value - taken;
      });
    },
  });
}

function readTypes(columns: PprofColumns): string[] {
  const { sampleTypeCount, sampleTypeType } = columns;
  return Array.from(sampleTypeType.subarray(0, sampleTypeCount), (type) =>
    profileText(columns, type),
  );
}

/**
 * Returns a number for the stack and labels of each sample. With the same `names`, numbers can be
 * compared across profiles.
 */
function readStacks(columns: PprofColumns, names: Map<string, number>): number[] {
  const intern = (key: string): number => {
    const known = names.get(key);
    if (known !== undefined) return known;
    names.set(key, names.size);
    return names.size - 1;
  };
  const texts = Array.from({ length: columns.stringCount }, (_, row) =>
    intern(`text ${profileText(columns, row)}`),
  );
  const locations = [-1];
  for (let row = 1; row <= columns.locationCount; row += 1) {
    const { addressLow, addressHigh, lineStart, lineFunction, lineNumber, functionName } = columns;
    let key = `location ${addressHigh[row]} ${addressLow[row]}`;
    for (let line = lineStart[row]; line < lineStart[row + 1]; line += 1) {
      key += ` ${texts[functionName[lineFunction[line]]]}:${lineNumber[line]}`;
    }
    locations.push(intern(key));
  }
  const stacks: number[] = [];
  for (let row = 0; row < columns.sampleCount; row += 1) {
    const { frameStart, frameLocation, labelStart, labelKey, labelText, labelNumber } = columns;
    let key = 'stack';
    for (let at = frameStart[row]; at < frameStart[row + 1]; at += 1) {
      key += ` ${locations[frameLocation[at]]}`;
    }
    for (let at = labelStart[row]; at < labelStart[row + 1]; at += 1) {
      key += ` ${texts[labelKey[at]]}=${texts[labelText[at]]}:${labelNumber[at]}`;
    }
    stacks.push(intern(key));
  }
  return stacks;
}
