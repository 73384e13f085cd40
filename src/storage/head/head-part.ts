// A head as a part: selects series, and answers what is known about labels.
import type { Clock } from '../../base/clock.ts';
import { querySliceMillis } from '../../base/limits.ts';
import { Pacer, finishPausing, type Steps } from '../../base/pacer.ts';
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
import type { ProfileSpan } from './stream-profiles.ts';
import type { StreamShape } from './stream-table.ts';

/** Reads a head; answers in the order of stream refs, which replay keeps. */
export class HeadPart implements Part {
  readonly id: string;
  readonly #head: Head;
  readonly #clock: Clock | undefined;

  /** Without a clock, questions about many streams are answered in one go. */
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

  async select(query: SeriesQuery, part: number): Promise<StoredSeries[]> {
    const series: StoredSeries[] = [];
    const { arena, streams } = this.#head;
    const labelsOf = this.#labelReader();
    const pacer = this.#pacer();
    const refs = await this.#refsOf(query, pacer);
    let segments = [...arena.segments];
    for (const match of this.#candidates(query, refs)) {
      for (const [plane, type] of streams.shapeOf(match.ref).types.entries()) {
        if (query.profileType && !equalProfileTypes(type, query.profileType)) continue;
        const slice = new HeadSlice(match, part, plane, segments);
        const slices = [match.verdict === 'none' ? new RowlessSlice(slice) : slice];
        series.push(new HeadSeries(match.ref, labelsOf, type, slices));
      }
      const pausing = pacer?.pause();
      if (pausing === undefined) continue;
      await pausing;
      // Profiles that were written meanwhile may lie in new segments.
      segments = [...arena.segments];
    }
    return series;
  }

  async labelNames(query: SeriesQuery): Promise<Iterable<string>> {
    const { pairs, streams, dictionary } = this.#head;
    const isSeen = new Uint8Array(pairs.length);
    const names = new Set<string>();
    const pacer = this.#pacer();
    for (const match of this.#matches(query, await this.#refsOf(query, pacer))) {
      for (const row of streams.labelsOf(match.ref)) {
        if (isSeen[row] === 1) continue;
        isSeen[row] = 1;
        names.add(pairs.name(row));
      }
      this.#forEachSampleLabel(match, (name) => names.add(dictionary.strings.text(name)));
      const pausing = pacer?.pause();
      if (pausing !== undefined) await pausing;
    }
    return names;
  }

  async labelValues(name: string, query: SeriesQuery): Promise<Iterable<string>> {
    const { pairs, streams, samples, dictionary } = this.#head;
    const { strings } = dictionary;
    const isSeen = new Uint8Array(pairs.length);
    const values = new Set<string>();
    const nameNumber = pairs.numberOfName(name);
    const nameRow = strings.findText(name);
    const pacer = this.#pacer();
    for (const match of this.#matches(query, await this.#refsOf(query, pacer))) {
      const row = streams.labelNamed(match.ref, nameNumber);
      if (row !== 0 && isSeen[row] === 0) {
        isSeen[row] = 1;
        values.add(pairs.value(row));
      }
      const pausing = pacer?.pause();
      if (pausing !== undefined) await pausing;
      if (nameRow === 0 || !samples.hasName(match.ref, nameRow)) continue;
      this.#forEachSampleLabel(match, (key, text) => {
        if (key === nameRow) values.add(strings.text(text));
      });
    }
    return values;
  }

  async profileTypes(
    range: TimeRange,
    matchers: readonly LabelMatcher[] = [],
  ): Promise<ProfileType[]> {
    if (matchers.length > 0)
      return this.#typesOfMatching({ matchers, profileType: undefined, range });
    const { index } = this.#head;
    const found: ProfileType[] = [];
    for (const [text, type] of index.types()) {
      const hasProfiles = (ref: number): boolean => this.#head.spanIn(ref, range) !== undefined;
      if (index.withType(text).some(hasProfiles)) found.push(type);
    }
    return found;
  }

  /** Looks at streams of shapes that were not found yet, and no others. */
  async #typesOfMatching(query: SeriesQuery): Promise<ProfileType[]> {
    const { streams } = this.#head;
    const pacer = this.#pacer();
    const refs = await this.#refsOf(query, pacer);
    const found = new Map<string, ProfileType>();
    const shapes = new Set<StreamShape>();
    const isNew = (ref: number): boolean => !shapes.has(streams.shapeOf(ref));
    for (const { ref } of this.#matches(query, refs, isNew)) {
      const shape = streams.shapeOf(ref);
      shapes.add(shape);
      for (const [i, text] of shape.typeTexts.entries()) found.set(text, shape.types[i]);
      const pausing = pacer?.pause();
      if (pausing !== undefined) await pausing;
    }
    return [...found.values()];
  }

  async has(key: StreamKey, timeNanos: bigint, contentHash: bigint): Promise<boolean> {
    const ref = this.#head.findStream(key);
    return ref !== 0 && this.#head.holds(ref, timeNanos, contentHash);
  }

  pin(): () => void {
    return this.#head.pin();
  }

  #pacer(): Pacer | undefined {
    return this.#clock && new Pacer(this.#clock, querySliceMillis);
  }

  /** Streams of which some row belongs, of those that are `wanted`. */
  *#matches(
    query: SeriesQuery,
    refs: Uint32Array,
    wanted?: (ref: number) => boolean,
  ): Generator<HeadMatch> {
    for (const match of this.#candidates(query, refs, wanted)) {
      if (match.verdict !== 'none') yield match;
    }
  }

  /** Streams that may match: those that are there at the start, as others may come meanwhile. */
  async #refsOf(
    { matchers, profileType }: SeriesQuery,
    pacer: Pacer | undefined,
  ): Promise<Uint32Array> {
    const type = profileType && formatProfileType(profileType);
    return finishPausing(copied(this.#head.index.candidates(matchers, type)), pacer);
  }

  /** Yields the streams of `refs` that match, sample labels aside. */
  *#candidates(
    { matchers, range }: SeriesQuery,
    refs: Uint32Array,
    wanted?: (ref: number) => boolean,
  ): Generator<HeadMatch> {
    const filters = new SampleLabelFilters(this.#head, matchers);
    for (const ref of refs) {
      if (wanted?.(ref) === false) continue;
      const span = this.#head.spanIn(ref, range);
      if (span === undefined) continue;
      yield { ref, span, verdict: filters.verdict(ref, () => this.#sampleLabelsIn(ref, span)) };
    }
  }

  /** Reads label sets; series of one answer share the labels that several streams have. */
  #labelReader(): (ref: number) => LabelSet {
    const { pairs, streams, index } = this.#head;
    const shared = new Map<number, Label>();
    const labelOf = (row: number): Label => {
      const known = shared.get(row);
      if (known !== undefined) return known;
      const label = pairs.label(row);
      if (index.streamsWith(row) > 1) shared.set(row, label);
      return label;
    };
    return (ref) => streams.labelsOf(ref).map(labelOf);
  }

  /** Calls `found` for each text label of rows that belong. */
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

  /** Sample labels of the rows of some profiles of a stream, each once; 0 for rows without. */
  #sampleLabelsIn(ref: number, { columns, first, end }: ProfileSpan): Iterable<number> {
    if (end - first === this.#head.profileCountOf(ref)) return this.#head.samples.rowsOf(ref);
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

/** Series of a head. Most graphs and merges read no labels, so they are read when asked for. */
class HeadSeries implements StoredSeries {
  readonly profileType: ProfileType;
  readonly slices: readonly SeriesSlice[];
  readonly #ref: number;
  readonly #labelsOf: (ref: number) => LabelSet;
  #labels: LabelSet | undefined;

  constructor(
    ref: number,
    labelsOf: (ref: number) => LabelSet,
    profileType: ProfileType,
    slices: readonly SeriesSlice[],
  ) {
    this.#ref = ref;
    this.#labelsOf = labelsOf;
    this.profileType = profileType;
    this.slices = slices;
  }

  get labels(): LabelSet {
    return (this.#labels ??= this.#labelsOf(this.#ref));
  }
}

/** Copies the set that steps find before other work runs, because the set may be a view. */
function* copied(steps: Steps<Uint32Array>): Steps<Uint32Array> {
  return (yield* steps).slice();
}
