// The index from labels and profile types to streams, with the matching rules of Prometheus.
import type { Steps } from '../../base/pacer.ts';
import { profileNameLabel } from '../../model/labels.ts';
import type { LabelMatcher } from '../../model/matcher.ts';
import { IdLists } from './id-lists.ts';
import type { LabelPairs } from '../series/label-pairs.ts';
import { ascending, filtered, union } from '../series/postings.ts';
import type { StreamShape, StreamTable } from './stream-table.ts';

/**
 * Number of values that are tested between two pauses. Testing a value with a regular expression
 * takes a microsecond or two.
 */
const valuesPerStep = 1024;

/**
 * Finds the streams that may satisfy matchers. A stream without a label has the value "" for it.
 * But if the samples of the stream have that label, the stream is a candidate, and its rows are
 * checked later.
 */
export class LabelIndex {
  readonly #pairs: LabelPairs;
  readonly #streams: Pick<StreamTable, 'labelNamed'>;
  /** Refs of the streams with each label, by the row of the label. */
  readonly #withLabel = new IdLists();
  /**
   * Sets of refs, by number: the streams with a shape, or the streams whose samples have a label.
   */
  readonly #sets = new IdLists();
  /** Number of the set of streams with each shape. */
  readonly #shapes = new Map<StreamShape, number>();
  /** Numbers of the sets whose shape has a type, by the string form of the type. */
  readonly #types = new Map<string, number[]>();
  /**
   * Number of a set by label name: the streams whose samples have a string label of that name that
   * the stream itself lacks.
   */
  readonly #sampleNames = new Map<string, number>();

  constructor(pairs: LabelPairs, streams: Pick<StreamTable, 'labelNamed'>) {
    this.#pairs = pairs;
    this.#streams = streams;
  }

  /** Adds a stream. `labels` has the rows of its labels; equal streams share the object `shape`. */
  add(ref: number, labels: readonly number[], shape: StreamShape): void {
    if (!this.#shapes.has(shape)) this.#addShape(shape);
    this.#sets.add(this.#findSet(this.#shapes, shape), ref);
    for (const row of labels) {
      while (this.#withLabel.length <= row) this.#withLabel.create();
      this.#withLabel.add(row, ref);
    }
  }

  /** Records that samples of a stream have a string label that the stream itself lacks. */
  addSampleName(ref: number, name: string): void {
    this.#sets.add(this.#findSet(this.#sampleNames, name), ref);
  }

  /**
   * Finds the streams that may match, in steps of about a millisecond. `type` is the string form of
   * a profile type; undefined = every type. Returns the refs of the streams in ascending order; the
   * result may be a view, valid until a stream is added. If streams are added between two steps,
   * the result contains all matching streams that existed at the start, and may contain later
   * streams.
   */
  *candidates(matchers: readonly LabelMatcher[], type: string | undefined): Steps<Uint32Array> {
    const required: Uint32Array[] = [];
    const others: LabelMatcher[] = [];
    const lookedUp: LabelMatcher[] = [];
    for (const matcher of matchers) {
      if (!this.#isLookedUp(matcher)) others.push(matcher);
      // Shapes are searched in steps, so these come before all views: a view is only valid within a
      // step.
      else if (matcher.name !== profileNameLabel) lookedUp.push(matcher);
      else required.push((yield* this.#matching(matcher)).slice());
    }
    if (type !== undefined) required.push(this.withType(type));
    for (const matcher of lookedUp) required.push(yield* this.#matching(matcher));
    // It is fastest to start with the smallest set.
    required.sort((a, b) => a.length - b.length);
    let result = required.length === 0 ? yield* this.#ofShapes(() => true) : required[0];
    for (const set of required.slice(1)) result = filtered(result, set, true);
    // Views are only valid within a step.
    if (others.length > 0) result = result.slice();
    for (const matcher of others) {
      const isOneValue = matcher.operator === '!=' && matcher.value !== '';
      if (!isOneValue && result.length < this.#pairs.countPairs(matcher.name)) {
        // There are fewer remaining streams than values of the label, so the value of each stream
        // is compared.
        result = yield* this.#thatMatch(result, matcher);
      } else if (matcher.matches('')) {
        result = filtered(result, yield* this.#contradicting(matcher), false);
      } else result = filtered(result, yield* this.#matching(matcher), true);
    }
    return result;
  }

  /** Returns the shapes of all streams. */
  shapes(): StreamShape[] {
    return [...this.#shapes.keys()];
  }

  /**
   * Returns the streams of a shape, ascending. Ownership: a view, valid until a stream is added.
   */
  withShape(shape: StreamShape): Uint32Array {
    const set = this.#shapes.get(shape);
    return set === undefined ? none : this.#sets.view(set);
  }

  /** Returns the streams of one type, ascending. */
  withType(type: string): Uint32Array {
    return union((this.#types.get(type) ?? []).map((set) => this.#sets.view(set)));
  }

  /** Returns the number of streams that have the label in row `row`. */
  streamsWith(row: number): number {
    return row < this.#withLabel.length ? this.#withLabel.count(row) : 0;
  }

  get usedBytes(): number {
    return this.#withLabel.usedBytes + this.#sets.usedBytes;
  }

  /** Returns true if all matching streams are in a few sets. */
  #isLookedUp(matcher: LabelMatcher): boolean {
    if (matcher.matches('')) return false;
    return matcher.operator === '=' || matcher.name === profileNameLabel;
  }

  /** Returns the streams of `refs` whose label matches, or whose rows have to be checked. */
  *#thatMatch(refs: Uint32Array, matcher: LabelMatcher): Steps<Uint32Array> {
    const pairs = this.#pairs;
    const nameNumber = pairs.numberOfName(matcher.name);
    const undecided = this.#sampleNames.get(matcher.name);
    const matchesNone = matcher.matches('');
    const decided = new Map<number, boolean>();
    const isCandidate = (ref: number): boolean => {
      const row = this.#streams.labelNamed(ref, nameNumber);
      if (row === 0) {
        return matchesNone || (undecided !== undefined && this.#sets.has(undecided, ref));
      }
      let matches = decided.get(row);
      if (matches === undefined) {
        matches = matcher.matches(pairs.value(row));
        if (this.streamsWith(row) > 1) decided.set(row, matches);
      }
      return matches;
    };
    const kept = new Uint32Array(refs.length);
    let count = 0;
    for (let i = 0; i < refs.length; i += 1) {
      if (isCandidate(refs[i])) {
        kept[count] = refs[i];
        count += 1;
      }
      if (i % valuesPerStep === valuesPerStep - 1) yield;
    }
    return kept.subarray(0, count);
  }

  /**
   * Returns the streams that have the label with a matching value, or whose rows have to be
   * checked.
   */
  *#matching(matcher: LabelMatcher): Steps<Uint32Array> {
    if (matcher.name === profileNameLabel) {
      return yield* this.#ofShapes(({ name }) => matcher.matches(name));
    }
    const streams =
      matcher.operator === '='
        ? this.#withValue(matcher)
        : yield* this.#withValues(matcher.name, valueTest(matcher));
    const undecided = this.#sampleNames.get(matcher.name);
    return undecided === undefined ? streams : union([streams, this.#sets.view(undecided)]);
  }

  /** Returns the streams that have the label with a value that does not match. */
  *#contradicting(matcher: LabelMatcher): Steps<Uint32Array> {
    if (matcher.name === profileNameLabel) {
      return yield* this.#ofShapes(({ name }) => !matcher.matches(name));
    }
    if (matcher.operator === '!=') return this.#withValue(matcher);
    const test = valueTest(matcher);
    return yield* this.#withValues(
      matcher.name,
      test === undefined ? undefined : (value) => !test(value),
    );
  }

  #withValue({ name, value }: LabelMatcher): Uint32Array {
    const row = this.#pairs.find(name, value);
    return row === 0 || row >= this.#withLabel.length ? none : this.#withLabel.view(row);
  }

  /**
   * Returns the streams that have a label with this name whose value passes `test`; without a test,
   * every value passes.
   */
  *#withValues(name: string, test: ((value: string) => boolean) | undefined): Steps<Uint32Array> {
    const pairs = this.#pairs;
    const withLabel = this.#withLabel;
    const rows: number[] = [];
    let seen = 0;
    for (let row = pairs.lastPair(name); row !== 0; row = pairs.before(row)) {
      seen += 1;
      if (seen % valuesPerStep === 0 && test !== undefined) yield;
      if (row >= withLabel.length || (test !== undefined && !test(pairs.value(row)))) continue;
      rows.push(row);
    }
    let count = 0;
    for (const row of rows) count += withLabel.count(row);
    const refs = new Uint32Array(count);
    let at = 0;
    // The list of rows is in reverse order. No ref is repeated, because a stream has only one value
    // for a label.
    for (let i = rows.length - 1; i >= 0; i -= 1) at += withLabel.copyTo(rows[i], refs, at);
    return ascending(refs);
  }

  /**
   * Returns the streams whose shapes pass `test`. The result is a view if only one shape passes.
   */
  *#ofShapes(test: (shape: StreamShape) => boolean): Steps<Uint32Array> {
    const found: number[] = [];
    let seen = 0;
    for (const [shape, set] of this.#shapes) {
      if (test(shape)) found.push(set);
      seen += 1;
      if (seen % valuesPerStep === 0) yield;
    }
    // Views are only valid within a step.
    return union(found.map((set) => this.#sets.view(set)));
  }

  #addShape(shape: StreamShape): void {
    const set = this.#findSet(this.#shapes, shape);
    for (const text of new Set(shape.typeTexts)) {
      const known = this.#types.get(text);
      if (known === undefined) this.#types.set(text, [set]);
      else known.push(set);
    }
  }

  #findSet<K>(map: Map<K, number>, key: K): number {
    let set = map.get(key);
    if (set === undefined) {
      set = this.#sets.create();
      map.set(key, set);
    }
    return set;
  }
}

const none = new Uint32Array(0);

/** Returns the test of a matcher for values other than ""; undefined if it accepts all of them. */
function valueTest(matcher: LabelMatcher): ((value: string) => boolean) | undefined {
  if (matcher.value === '' && (matcher.operator === '=' || matcher.operator === '!=')) {
    return undefined;
  }
  return (value) => matcher.matches(value);
}
