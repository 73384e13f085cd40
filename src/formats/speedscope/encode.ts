// Writes merged stacks as speedscope's JSON: one sampled profile with inlined calls expanded.
//
// Source: https://www.speedscope.app/file-format-schema.json
import { AppError } from '../../base/errors.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import type { FunctionIndex, LocationIndex, StringIndex } from '../../model/rows.ts';
import { exactNumbers, ExportText } from '../export-text.ts';
import { addressName, functionName } from '../frame-names.ts';

/** Information about the complete file. */
export interface SpeedscopeMeta {
  readonly name: string;
  /** Unit of the values; a unit that speedscope does not know becomes "none". */
  readonly unit: string;
}

const units: ReadonlySet<string> = new Set([
  'nanoseconds',
  'microseconds',
  'milliseconds',
  'seconds',
  'bytes',
]);

/**
 * Returns the JSON in UTF-8. A frame is a function, or a location if there are no lines; rows with
 * value 0 are left out.
 *
 * Errors: AppError 'out-of-range' for negative values, which speedscope refuses, and for sums above
 * 2^53; 'resource-exhausted' when the output is too large.
 */
export function encodeSpeedscope(
  dictionary: Dictionary,
  { stacks, values }: MergedStacks,
  { name, unit }: SpeedscopeMeta,
): Uint8Array {
  const negative = values.find((value) => value < 0n);
  if (negative !== undefined) {
    throw new AppError(
      'out-of-range',
      `cannot export profile as speedscope: it has the negative value ${negative}`,
    );
  }
  const weights = exactNumbers(values, 'speedscope');
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const rows = Array.from(stacks.keys()).filter((row) => weights[row] !== 0);
  const frames = new FrameList(dictionary);
  const head = {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    exporter: 'parca',
    name,
    activeProfileIndex: 0,
  };
  const profile = {
    type: 'sampled',
    name,
    unit: units.has(unit) ? unit : 'none',
    startValue: 0,
    endValue: total,
  };
  const text = new ExportText();
  text.add(`${JSON.stringify(head).slice(0, -1)},"profiles":[`);
  text.add(`${JSON.stringify(profile).slice(0, -1)},"weights":`);
  text.addJsonArray(rows.map((row) => weights[row]));
  text.add(',"samples":');
  text.addJsonArray(rows.values().map((row) => JSON.stringify(frames.ofStack(stacks[row]))));
  text.add('}],"shared":{"frames":');
  text.addJsonArray(frames.list.values().map((frame) => JSON.stringify(frame)));
  text.add('}}\n');
  return text.finish();
}

interface Frame {
  readonly name: string;
  readonly file?: string;
  /** First line of the function, counted from 1. */
  readonly line?: number;
}

/** Frames that have occurred so far. Samples refer to them by index. */
class FrameList {
  readonly list: Frame[] = [];
  readonly #dictionary: Dictionary;
  readonly #positions = new Map<number, number>();

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
  }

  /** Returns the indices of the frames of a stack, root first. */
  ofStack(stack: number): number[] {
    const { stacks, locations } = this.#dictionary;
    const path: number[] = [];
    for (let node = stacks.leaf[stack]; node !== 0; node = stacks.nodeParent[node]) {
      const location = stacks.nodeLocation[node];
      const first = locations.lineStart[location];
      const end = locations.lineStart[location + 1];
      if (first === end) path.push(this.#position(location * 2 + 1));
      // The innermost line is first, because the walk goes from the leaf to the root.
      for (let line = first; line < end; line += 1) {
        path.push(this.#position(locations.lineFunction[line] * 2));
      }
    }
    return path.reverse();
  }

  /**
   * Returns the index of a frame by its key. `key` is twice the row of a function, or twice the row
   * of a location plus 1.
   */
  #position(key: number): number {
    const known = this.#positions.get(key);
    if (known !== undefined) return known;
    const position = this.list.length;
    this.list.push(key % 2 === 0 ? this.#ofFunction(key / 2) : this.#ofAddress((key - 1) / 2));
    this.#positions.set(key, position);
    return position;
  }

  #ofFunction(row: number): Frame {
    const { functions, strings } = this.#dictionary;
    const name = functionName(this.#dictionary, row as FunctionIndex);
    const file = strings.text(functions.fileName[row] as StringIndex);
    const line = functions.startLine[row];
    return { name, ...(file !== '' && { file }), ...(line > 0 && { line }) };
  }

  #ofAddress(row: number): Frame {
    const { locations, mappings, strings } = this.#dictionary;
    const file = strings.text(mappings.fileName[locations.mapping[row]] as StringIndex);
    const name = addressName(this.#dictionary, row as LocationIndex);
    return { name, ...(file !== '' && { file }) };
  }
}
