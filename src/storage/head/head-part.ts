// A head as a part of the store: selects series, and answers queries about labels.
import type { Clock } from '../../base/clock.ts';
import { querySliceMillis } from '../../base/limits.ts';
import { Pacer, finishPausing, stoppablePacer, type Steps } from '../../base/pacer.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { Label, LabelSet } from '../../model/labels.ts';
import type { LabelMatcher } from '../../model/matcher.ts';
import {
  equalProfileTypes,
  formatProfileType,
  type ProfileType,
} from '../../model/profile-type.ts';
import type { StringIndex } from '../../model/rows.ts';
import { HeadSlice, type HeadMatch } from './head-slice.ts';
import type { Head } from './head.ts';
import type { SeriesQuery, TimeRange } from '../interface.ts';
import type { Part } from '../part.ts';
import { SampleLabelFilters } from './sample-label-filter.ts';
import { RowlessSlice, type SeriesSlice, type StoredSeries } from '../selection.ts';
import type { StreamKey } from '../series/stream-key.ts';
import type { Presence, ProfileSpan } from './stream-profiles.ts';
import type { StreamShape } from './stream-table.ts';

/** Reads a head. Answers are in the order of stream refs. This order is the same after a replay. */
export class HeadPart implements Part {
  readonly id: string;
  readonly #head: Head;
  readonly #clock: Clock | undefined;

  /** Creates a part. Without a clock, it does not pause in queries about many streams. */
  constructor(id: string, head: Head, clock?: Clock) {
    this.id = id;
    this.#head = head;
    this.#clock = clock;
  }

  get profileCount(): number {
    return this.#head.profileCount;
  }

  get rowCount(): number {
    return this.#head.rowCount;
  }

  get range(): TimeRange | undefined {
    return this.#head.range;
  }

  version(range: TimeRange): number {
    return this.#head.writeTimes.version(range);
  }

  async dictionary(): Promise<Dictionary> {
    return this.#head.dictionary;
  }

  async select(
    query: SeriesQuery,
    part: number,
    _noteMissing?: (sentence: string) => void,
    signal?: AbortSignal,
  ): Promise<StoredSeries[]> {
    const series: StoredSeries[] = [];
    const { arena, streams } = this.#head;
    const labelsAt = this.#labelReader();
    const pacer = this.#pacer(signal);
    const refs = await this.#findRefs(query, pacer);
    let segments = [...arena.segments];
    for (const match of this.#candidates(query, refs)) {
      if (match !== undefined) {
        const isLabelled = this.#head.samples.has(match.ref);
        for (const [valueColumn, type] of streams.toStreamShape(match.ref).types.entries()) {
          if (query.profileType && !equalProfileTypes(type, query.profileType)) continue;
          const slice = new HeadSlice(this.#head, match, part, valueColumn, segments, isLabelled);
          const slices = [match.verdict === 'none' ? new RowlessSlice(slice) : slice];
          series.push(new HeadSeries(match.ref, labelsAt, type, slices));
        }
      }
      const pausing = pacer?.pause();
      if (pausing === undefined) continue;
      await pausing;
      // Profiles that were written in the meantime may be in new segments.
      segments = [...arena.segments];
    }
    return series;
  }

  async labelNames(query: SeriesQuery, signal?: AbortSignal): Promise<Iterable<string>> {
    const { pairs, streams, samples, dictionary } = this.#head;
    const isSeen = new Uint8Array(pairs.length);
    const names = new Set<string>();
    const addName = (row: number): void => {
      names.add(dictionary.strings.text(row as StringIndex));
    };
    const pacer = this.#pacer(signal);
    const filters = new SampleLabelFilters(this.#head, query.matchers);
    for (const ref of await this.#findRefs(query, pacer)) {
      const pausing = pacer?.pause();
      if (pausing !== undefined) await pausing;
      const presence = this.#findPresence(ref, query.range, filters);
      if (presence === 'none') continue;
      for (const row of streams.readLabels(ref)) {
        // A stream that was added during a pause may have labels for which there is no entry in
        // `isSeen`.
        if (row >= isSeen.length || isSeen[row] === 1) continue;
        isSeen[row] = 1;
        names.add(pairs.name(row));
      }
      if (!samples.has(ref)) continue;
      if (presence === 'all') samples.labelNames(ref).forEach(addName);
      else this.#addNamesOfRows(ref, query.range, filters, addName);
    }
    return names;
  }

  async labelValues(
    name: string,
    query: SeriesQuery,
    signal?: AbortSignal,
  ): Promise<Iterable<string>> {
    const { pairs, streams, samples, dictionary } = this.#head;
    const { strings } = dictionary;
    const isSeen = new Uint8Array(pairs.length);
    const values = new Set<string>();
    const nameNumber = pairs.numberOfName(name);
    const nameRow = strings.findText(name);
    const pacer = this.#pacer(signal);
    const filters = new SampleLabelFilters(this.#head, query.matchers);
    for (const ref of await this.#findRefs(query, pacer)) {
      const pausing = pacer?.pause();
      if (pausing !== undefined) await pausing;
      if (this.#findPresence(ref, query.range, filters) === 'none') continue;
      const row = streams.labelNamed(ref, nameNumber);
      if (row !== 0 && row < isSeen.length && isSeen[row] === 0) {
        isSeen[row] = 1;
        values.add(pairs.value(row));
      }
      if (nameRow === 0 || !samples.hasName(ref, nameRow)) continue;
      const match = this.#findMatch(ref, query.range, filters);
      if (match === undefined) continue;
      this.#forEachSampleLabel(match, (key, text) => {
        if (key === nameRow) values.add(strings.text(text));
      });
    }
    return values;
  }

  /** Returns the profile types. Checks only streams whose shape has not been found yet. */
  async profileTypes(
    range: TimeRange,
    matchers: readonly LabelMatcher[] = [],
    signal?: AbortSignal,
  ): Promise<ProfileType[]> {
    const { streams, index } = this.#head;
    const query = { matchers, profileType: undefined, range };
    const pacer = this.#pacer(signal);
    const found = new Map<string, ProfileType>();
    const add = (shape: StreamShape): void => {
      for (const [i, text] of shape.typeTexts.entries()) found.set(text, shape.types[i]);
    };
    if (matchers.length === 0) {
      for (const shape of index.shapes()) {
        const refs = index.withShape(shape);
        // For most shapes, the first stream has profiles in the range. The set is copied, because a
        // view is invalid after a pause.
        const isFound = refs.length > 0 && this.#head.presenceIn(refs[0], range) !== 'none';
        if (isFound || (await this.#hasPresence(refs.slice(), range, pacer))) add(shape);
        const pausing = pacer?.pause();
        if (pausing !== undefined) await pausing;
      }
      return [...found.values()];
    }
    const refs = await this.#findRefs(query, pacer);
    const filters = new SampleLabelFilters(this.#head, matchers);
    const shapes = new Set<StreamShape>();
    for (const ref of refs) {
      const pausing = pacer?.pause();
      if (pausing !== undefined) await pausing;
      const shape = streams.toStreamShape(ref);
      if (shapes.has(shape) || this.#findPresence(ref, range, filters) === 'none') continue;
      shapes.add(shape);
      add(shape);
    }
    return [...found.values()];
  }

  async #hasPresence(
    refs: Uint32Array,
    range: TimeRange,
    pacer: Pick<Pacer, 'pause'> | undefined,
  ): Promise<boolean> {
    for (const ref of refs) {
      if (this.#head.presenceIn(ref, range) !== 'none') return true;
      const pausing = pacer?.pause();
      if (pausing !== undefined) await pausing;
    }
    return false;
  }

  async has(key: StreamKey, timeNanos: bigint, contentHash: bigint): Promise<boolean> {
    const ref = this.#head.findStream(key);
    return ref !== 0 && this.#head.holds(ref, timeNanos, contentHash);
  }

  pin(): () => void {
    return this.#head.pin();
  }

  #pacer(signal?: AbortSignal): Pick<Pacer, 'pause'> | undefined {
    return this.#clock && stoppablePacer(new Pacer(this.#clock, querySliceMillis), signal);
  }

  /**
   * Returns 'all', 'some' or 'none', depending on how many rows of a stream match. Profiles are
   * read only if a filter of sample labels requires it.
   */
  #findPresence(ref: number, range: TimeRange, filters: SampleLabelFilters): Presence {
    const presence = this.#head.presenceIn(ref, range);
    if (presence === 'none' || !filters.readsRows(ref)) return presence;
    return this.#findMatch(ref, range, filters) === undefined ? 'none' : 'some';
  }

  /** Returns the matching profiles of a stream; undefined if there are none. */
  #findMatch(ref: number, range: TimeRange, filters: SampleLabelFilters): HeadMatch | undefined {
    const span = this.#head.spanIn(ref, range);
    if (span === undefined) return undefined;
    const verdict = filters.verdict(ref, () => this.#sampleLabelsIn(ref, span));
    return verdict === 'none' ? undefined : { ref, span, verdict };
  }

  /** Adds the names of the sample labels on the matching rows of a stream. */
  #addNamesOfRows(
    ref: number,
    range: TimeRange,
    filters: SampleLabelFilters,
    add: (name: StringIndex) => void,
  ): void {
    const match = this.#findMatch(ref, range, filters);
    if (match !== undefined) this.#forEachSampleLabel(match, add);
  }

  /** Returns the streams that may match, including all that existed when the search began. */
  async #findRefs(
    { matchers, profileType }: SeriesQuery,
    pacer: Pick<Pacer, 'pause'> | undefined,
  ): Promise<Uint32Array> {
    const type = profileType && formatProfileType(profileType);
    return finishPausing(copied(this.#head.index.candidates(matchers, type)), pacer);
  }

  /**
   * Yields a match for each stream of `refs`, or undefined if the stream has no profiles in the
   * range. The verdict of a match says which rows match by their sample labels.
   */
  *#candidates(
    { matchers, range }: SeriesQuery,
    refs: Uint32Array,
  ): Generator<HeadMatch | undefined> {
    const filters = new SampleLabelFilters(this.#head, matchers);
    for (const ref of refs) {
      const span = this.#head.spanIn(ref, range);
      if (span === undefined) yield undefined;
      else
        yield { ref, span, verdict: filters.verdict(ref, () => this.#sampleLabelsIn(ref, span)) };
    }
  }

  /**
   * Returns a function that reads the label set of a stream. Labels that several streams have are
   * created only once for an answer.
   */
  #labelReader(): (ref: number) => LabelSet {
    const { pairs, streams, index } = this.#head;
    const shared = new Map<number, Label>();
    const readLabel = (row: number): Label => {
      const known = shared.get(row);
      if (known !== undefined) return known;
      const label = pairs.label(row);
      if (index.streamsWith(row) > 1) shared.set(row, label);
      return label;
    };
    return (ref) => streams.readLabels(ref).map(readLabel);
  }

  /** Calls `found` for each string label of the matching rows. */
  #forEachSampleLabel(
    match: HeadMatch,
    found: (name: StringIndex, text: StringIndex) => void,
  ): void {
    if (!this.#head.samples.has(match.ref)) return;
    const { sampleLabels } = this.#head.dictionary;
    for (const row of this.#sampleLabelsIn(match.ref, match.span)) {
      if (typeof match.verdict !== 'string' && match.verdict[row] === 0) continue;
      for (let i = sampleLabels.entryStart[row]; i < sampleLabels.entryStart[row + 1]; i += 1) {
        if (sampleLabels.text[i] === 0) continue;
        found(sampleLabels.key[i] as StringIndex, sampleLabels.text[i] as StringIndex);
      }
    }
  }

  /**
   * Returns the distinct sample label sets on the rows of some profiles of a stream; 0 for rows
   * without labels.
   */
  #sampleLabelsIn(ref: number, { columns, first, end }: ProfileSpan): Iterable<number> {
    if (end - first === this.#head.countProfiles(ref)) return this.#head.samples.labelRows(ref);
    const used = new Set<number>();
    for (let profile = first; profile < end; profile += 1) {
      if (columns.runLabelled[profile] === 0) {
        used.add(0);
        continue;
      }
      const { words } = this.#head.arena.segments[columns.runSegment[profile]];
      const rows = columns.runRows[profile];
      const start = columns.runOffset[profile] * 2 + rows * (2 * columns.total.length + 1);
      for (let i = start; i < start + rows; i += 1) used.add(words[i]);
    }
    return used;
  }
}

/** Series of a head. Most graphs and merges need no labels, so labels are read on demand. */
class HeadSeries implements StoredSeries {
  readonly profileType: ProfileType;
  readonly slices: readonly SeriesSlice[];
  readonly #ref: number;
  readonly #readLabels: (ref: number) => LabelSet;
  #labels: LabelSet | undefined;

  constructor(
    ref: number,
    readLabels: (ref: number) => LabelSet,
    profileType: ProfileType,
    slices: readonly SeriesSlice[],
  ) {
    this.#ref = ref;
    this.#readLabels = readLabels;
    this.profileType = profileType;
    this.slices = slices;
  }

  get labels(): LabelSet {
    return (this.#labels ??= this.#readLabels(this.#ref));
  }
}

/**
 * Copies the set that `steps` return. The set may be a view, so it is copied before other work
 * runs.
 */
function* copied(steps: Steps<Uint32Array>): Steps<Uint32Array> {
  return (yield* steps).slice();
}
