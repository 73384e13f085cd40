// Which rows belong to an answer when matchers look at labels of samples.
import type { Dictionary } from '../model/dictionary.ts';
import { labelValue } from '../model/labels.ts';
import type { LabelMatcher } from '../model/matcher.ts';
import type { SampleLabelsIndex } from '../model/rows.ts';
import type { Stream } from './stream.ts';

/** What the matchers say of a stream: all rows belong, none, or those of a filter. */
export type RowVerdict = 'all' | 'none' | Uint8Array;

/**
 * Decides rows by their sample labels for one query. Filters and decisions are shared between
 * streams that leave the same matchers to their rows.
 */
export class SampleLabelFilters {
  private readonly dictionary: Dictionary;
  private readonly matchers: readonly LabelMatcher[];
  private readonly filters = new Map<string, Uint8Array>();
  /** For each matcher: decisions by StringIndex of the value. */
  private readonly decided: readonly Map<number, boolean>[];

  constructor(dictionary: Dictionary, matchers: readonly LabelMatcher[]) {
    this.dictionary = dictionary;
    this.matchers = matchers;
    this.decided = matchers.map(() => new Map());
  }

  /** The verdict for a stream that the index named as a candidate. */
  verdict(stream: Stream): RowVerdict {
    if (stream.sampleLabelNames.size === 0) return 'all';
    const undecided: number[] = [];
    for (const [index, { name }] of this.matchers.entries()) {
      if (!stream.sampleLabelNames.has(name)) continue;
      if (labelValue(stream.key.labels, name) === '') undecided.push(index);
    }
    if (undecided.length === 0) return 'all';
    const filter = this.filterOf(undecided);
    let belonging = 0;
    for (const row of stream.sampleLabels) {
      if (!this.belongs(undecided, row as SampleLabelsIndex)) continue;
      filter[row] = 1;
      belonging += 1;
    }
    if (belonging === 0) return 'none';
    return belonging === stream.sampleLabels.size ? 'all' : filter;
  }

  private filterOf(undecided: readonly number[]): Uint8Array {
    const key = undecided.join();
    let filter = this.filters.get(key);
    if (filter === undefined) {
      filter = new Uint8Array(this.dictionary.sampleLabels.length);
      this.filters.set(key, filter);
    }
    return filter;
  }

  private belongs(undecided: readonly number[], row: SampleLabelsIndex): boolean {
    const { sampleLabels, strings } = this.dictionary;
    for (const index of undecided) {
      // A stream's samples have the name, so it is in the table and nothing is added.
      const key = strings.internText(this.matchers[index].name);
      const text = sampleLabels.textOf(row, key);
      let matches = this.decided[index].get(text);
      if (matches === undefined) {
        matches = this.matchers[index].matches(strings.text(text));
        this.decided[index].set(text, matches);
      }
      if (!matches) return false;
    }
    return true;
  }
}
