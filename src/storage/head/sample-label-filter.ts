// Filters of rows, for matchers that apply to sample labels.
import type { LabelMatcher } from '../../model/matcher.ts';
import type { SampleLabelsIndex, StringIndex } from '../../model/rows.ts';
import type { Head } from './head.ts';

/** Rows of a stream that match: all rows, no rows, or the rows that a filter selects. */
export type RowVerdict = 'all' | 'none' | Uint8Array;

/**
 * A matcher, the row of its label name in the dictionary (0 = absent), and the known results for
 * values.
 */
interface Condition {
  readonly matcher: LabelMatcher;
  readonly name: StringIndex;
  readonly decided: Map<number, boolean>;
}

/**
 * Decides for one query which rows match by their sample labels. Streams for which the same
 * matchers are undecided share filters and results.
 */
export class SampleLabelFilters {
  readonly #head: Head;
  readonly #conditions: readonly Condition[];
  readonly #filters = new Map<string, Uint8Array>();

  constructor(head: Head, matchers: readonly LabelMatcher[]) {
    this.#head = head;
    const { strings } = head.dictionary;
    this.#conditions = matchers.map((matcher) => {
      return { matcher, name: strings.findText(matcher.name), decided: new Map() };
    });
  }

  /** Returns true if a stream's rows have to be read to decide whether it matches. */
  readsRows(ref: number): boolean {
    return this.#findUndecided(ref).length > 0;
  }

  /**
   * Returns which rows match, for a stream that the index returned as a candidate. `labelSets`
   * returns the distinct label sets of the requested rows.
   */
  verdict(ref: number, labelSets: () => Iterable<number>): RowVerdict {
    const undecided = this.#findUndecided(ref);
    if (undecided.length === 0) return 'all';
    const filter = this.#findFilter(undecided);
    let count = 0;
    let belonging = 0;
    for (const row of labelSets()) {
      count += 1;
      if (!this.#belongs(undecided, row as SampleLabelsIndex)) continue;
      filter[row] = 1;
      belonging += 1;
    }
    if (belonging === 0) return 'none';
    return belonging === count ? 'all' : filter;
  }

  /** Returns the conditions that the labels of the stream itself do not decide. */
  #findUndecided(ref: number): number[] {
    const { samples, streams, pairs } = this.#head;
    const undecided: number[] = [];
    if (this.#conditions.length === 0 || !samples.has(ref)) return undecided;
    for (const [index, { name, matcher }] of this.#conditions.entries()) {
      if (name === 0 || !samples.hasName(ref, name)) continue;
      if (streams.labelNamed(ref, pairs.numberOfName(matcher.name)) === 0) undecided.push(index);
    }
    return undecided;
  }

  #findFilter(undecided: readonly number[]): Uint8Array {
    const key = undecided.join();
    let filter = this.#filters.get(key);
    if (filter === undefined) {
      filter = new Uint8Array(this.#head.dictionary.sampleLabels.length);
      this.#filters.set(key, filter);
    }
    return filter;
  }

  #belongs(undecided: readonly number[], row: SampleLabelsIndex): boolean {
    const { sampleLabels, strings } = this.#head.dictionary;
    for (const index of undecided) {
      const { matcher, name, decided } = this.#conditions[index];
      const text = sampleLabels.findText(row, name);
      let matches = decided.get(text);
      if (matches === undefined) {
        matches = matcher.matches(strings.text(text));
        decided.set(text, matches);
      }
      if (!matches) return false;
    }
    return true;
  }
}
