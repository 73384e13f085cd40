// Interns the stacks of a profile in the dictionary. Each stack takes one hash and one lookup.
import { inputLimits, overInputLimit } from '../base/input-limits.ts';
import type { PprofColumns } from '../formats/pprof/columns.ts';
import { grown } from '../model/column.ts';
import type { Dictionary } from '../model/dictionary.ts';
import { hashStacks, premixLocations } from '../model/stack-hash.ts';

/** Interns the stacks of the current profile, in memory that is reused. */
export class StackInterner {
  /** StackIndex of each sample; 0 for a sample without frames. */
  stackOfSample = new Uint32Array(256);
  readonly #dictionary: Dictionary;
  readonly #columns: PprofColumns;
  #premixLow = new Int32Array(1_024);
  #premixHigh = new Int32Array(1_024);
  #hashLow = new Int32Array(256);
  #hashHigh = new Int32Array(256);
  #frames = new Int32Array(256);

  constructor(dictionary: Dictionary, columns: PprofColumns) {
    this.#dictionary = dictionary;
    this.#columns = columns;
  }

  /**
   * Fills `stackOfSample`. `locationRow` has the LocationIndex of each location of the profile. The
   * trie of locations is read only for new stacks.
   *
   * Errors: AppError 'resource-exhausted' if there are more new frames than the limit allows. By
   * then, some of them are in the dictionary. Inlined calls count as frames.
   */
  intern(locationRow: Int32Array): void {
    const { stacks, locations } = this.#dictionary;
    let framesLeft = inputLimits.profileDistinctFrames;
    const { frameStart, sampleCount } = this.#columns;
    this.#hash(locationRow);
    const { stackOfSample } = this;
    stacks.findAll(this.#hashLow, this.#hashHigh, sampleCount, stackOfSample);
    for (let sample = 0; sample < sampleCount; sample += 1) {
      if (frameStart[sample] === frameStart[sample + 1]) stackOfSample[sample] = 0;
      else if (stackOfSample[sample] === 0) {
        const { nodeCount } = stacks;
        stackOfSample[sample] = this.#internStack(locationRow, sample);
        for (let node = nodeCount; node < stacks.nodeCount; node += 1) {
          const location = stacks.nodeLocation[node];
          const { lineStart } = locations;
          // Each inlined call is a separate call in the trie of names.
          framesLeft -= Math.max(1, lineStart[location + 1] - lineStart[location]);
        }
        if (framesLeft < 0) throw tooManyFrames();
      }
    }
  }

  #hash(locationRow: Int32Array): void {
    const dictionary = this.#dictionary;
    const columns = this.#columns;
    const { seedLow, seedHigh } = dictionary.stacks;
    const { frameLocation, frameStart, sampleCount } = columns;
    const locations = columns.locationCount + 1;
    this.#premixLow = grown(this.#premixLow, locations);
    this.#premixHigh = grown(this.#premixHigh, locations);
    this.#hashLow = grown(this.#hashLow, sampleCount);
    this.#hashHigh = grown(this.#hashHigh, sampleCount);
    this.stackOfSample = grown(this.stackOfSample, sampleCount);
    const premixLow = this.#premixLow;
    const premixHigh = this.#premixHigh;
    const hashLow = this.#hashLow;
    const hashHigh = this.#hashHigh;
    premixLocations(locationRow, locations, seedLow, seedHigh, premixLow, premixHigh);
    hashStacks(frameLocation, frameStart, sampleCount, premixLow, premixHigh, hashLow, hashHigh);
  }

  /**
   * Adds a stack to the dictionary, unless an earlier sample of the profile has added the same
   * stack.
   */
  #internStack(locationRow: Int32Array, sample: number): number {
    const dictionary = this.#dictionary;
    const columns = this.#columns;
    const hashLow = this.#hashLow[sample];
    const hashHigh = this.#hashHigh[sample];
    const known = dictionary.stacks.find(hashLow, hashHigh);
    if (known !== 0) return known;
    const start = columns.frameStart[sample];
    const depth = columns.frameStart[sample + 1] - start;
    this.#frames = grown(this.#frames, depth);
    for (let i = 0; i < depth; i += 1) {
      this.#frames[i] = locationRow[columns.frameLocation[start + i]];
    }
    return dictionary.stacks.add(hashLow, hashHigh, this.#frames, depth);
  }
}

function tooManyFrames(): Error {
  const most = inputLimits.profileDistinctFrames;
  return overInputLimit(
    'profileDistinctFrames',
    `cannot store profile: its stacks have more than ${most} frames that no other stack has`,
  );
}
