// A head as a part: selects series, and answers what is known about labels.
import type { Dictionary } from '../model/dictionary.ts';
import { equalProfileTypes, formatProfileType, type ProfileType } from '../model/profile-type.ts';
import type { SampleLabelsIndex, StringIndex } from '../model/rows.ts';
import type { Head } from './head.ts';
import type { SeriesQuery, TimeRange } from './interface.ts';
import type { Part } from './part.ts';
import { digestOf } from './piece-digest.ts';
import { SampleLabelFilters, type RowVerdict } from './sample-label-filter.ts';
import type { ProfileColumns, RowSegment, SelectedSeries, SeriesPiece } from './selection.ts';
import type { StreamKey } from './stream-key.ts';
import type { Stream } from './stream.ts';

/** A stream that has profiles in the range, and which of its rows belong. */
interface Match {
  readonly stream: Stream;
  readonly first: number;
  readonly end: number;
  readonly verdict: RowVerdict;
}

/** Reads a head; answers in the order of stream refs, which replay keeps. */
export class HeadPart implements Part {
  readonly id: string;
  private readonly head: Head;

  constructor(id: string, head: Head) {
    this.id = id;
    this.head = head;
  }

  get profileCount(): number {
    return this.head.profileCount;
  }

  get rowCount(): number {
    return this.head.rowCount;
  }

  get range(): TimeRange | undefined {
    return this.head.range;
  }

  async dictionary(): Promise<Dictionary> {
    return this.head.dictionary;
  }

  async select(query: SeriesQuery, part: number): Promise<SelectedSeries[]> {
    const series: SelectedSeries[] = [];
    const segments = [...this.head.arena.segments];
    for (const match of this.matches(query)) {
      const { stream, first, end } = match;
      let rows = 0;
      for (let i = first; i < end; i += 1) rows += stream.runRows[i];
      for (const [plane, type] of stream.types.entries()) {
        if (query.profileType && !equalProfileTypes(type, query.profileType)) continue;
        const pieces = [pieceOf(match, part, plane, rows, segments)];
        series.push({ labels: stream.key.labels, profileType: type, pieces });
      }
    }
    return series;
  }

  async labelNames(query: SeriesQuery): Promise<Iterable<string>> {
    const names = new Set<string>();
    for (const match of this.matches(query)) {
      for (const { name } of match.stream.key.labels) names.add(name);
      this.forEachSampleLabel(match, (name) => {
        names.add(this.head.dictionary.strings.text(name));
      });
    }
    return names;
  }

  async labelValues(name: string, query: SeriesQuery): Promise<Iterable<string>> {
    const values = new Set<string>();
    const { strings } = this.head.dictionary;
    for (const match of this.matches(query)) {
      const { labels } = match.stream.key;
      for (const label of labels) if (label.name === name) values.add(label.value);
      if (!match.stream.sampleLabelNames.has(name)) continue;
      const key = strings.internText(name);
      this.forEachSampleLabel(match, (nameRow, textRow) => {
        if (nameRow === key) values.add(strings.text(textRow));
      });
    }
    return values;
  }

  async profileTypes(range: TimeRange): Promise<ProfileType[]> {
    const found = new Map<string, ProfileType>();
    for (const text of this.head.index.typeTexts()) {
      for (const ref of this.head.index.withType(text)) {
        const stream = this.head.streams[ref];
        if (!stream || stream.profileCount === 0 || !hasProfiles(stream, range)) continue;
        found.set(text, stream.types[stream.typeTexts.indexOf(text)]);
        break;
      }
    }
    return [...found.values()];
  }

  async has(key: StreamKey, timeNanos: bigint, contentHash: bigint): Promise<boolean> {
    const ref = this.head.findStream(key);
    return ref !== 0 && this.head.holds(ref, timeNanos, contentHash);
  }

  /** What a selection refers to, it keeps in memory by itself. */
  pin(): () => void {
    return () => undefined;
  }

  private *matches(query: SeriesQuery): Generator<Match> {
    const { matchers, profileType, range } = query;
    const type = profileType && formatProfileType(profileType);
    const filters = new SampleLabelFilters(this.head.dictionary, matchers);
    for (const ref of this.head.index.candidates(matchers, type)) {
      const stream = this.head.streams[ref];
      if (!stream || stream.profileCount === 0) continue;
      const { first, end } = stream.rowsIn(range);
      if (first >= end) continue;
      const verdict = filters.verdict(stream);
      if (verdict !== 'none') yield { stream, first, end, verdict };
    }
  }

  /** Calls `found` for each text label of rows that belong. */
  private forEachSampleLabel(
    match: Match,
    found: (name: StringIndex, text: StringIndex) => void,
  ): void {
    if (match.stream.sampleLabelNames.size === 0) return;
    const { sampleLabels } = this.head.dictionary;
    for (const row of this.sampleLabelsIn(match)) {
      if (typeof match.verdict !== 'string' && match.verdict[row] === 0) continue;
      for (let i = sampleLabels.entryStart[row]; i < sampleLabels.entryStart[row + 1]; i += 1) {
        if (sampleLabels.text[i] === 0) continue;
        found(sampleLabels.key[i] as StringIndex, sampleLabels.text[i] as StringIndex);
      }
    }
  }

  /** Sample labels of the profiles in the range; all of the stream's when it covers them all. */
  private sampleLabelsIn({ stream, first, end }: Match): ReadonlySet<number> {
    if (first === 0 && end === stream.profileCount) return stream.sampleLabels;
    const used = new Set<SampleLabelsIndex>();
    for (let profile = first; profile < end; profile += 1) {
      if (stream.runLabelled[profile] === 0) continue;
      const { words } = this.head.arena.segments[stream.runSegment[profile]];
      const rows = stream.runRows[profile];
      const start = stream.runOffset[profile] * 2 + rows * (2 * stream.types.length + 1);
      for (let i = start; i < start + rows; i += 1) used.add(words[i] as SampleLabelsIndex);
    }
    return used;
  }
}

function hasProfiles(stream: Stream, range: TimeRange): boolean {
  const { first, end } = stream.rowsIn(range);
  return first < end;
}

/** Views of the stream's columns, which stay right when the stream grows. */
function pieceOf(
  { stream, first, end, verdict }: Match,
  part: number,
  plane: number,
  rowCount: number,
  segments: readonly RowSegment[],
): SeriesPiece {
  const profileCount = end - first;
  const columns: ProfileColumns = {
    profileCount,
    timeNanos: stream.timeNanos.subarray(first, end),
    durationNanos: stream.durationNanos.subarray(first, end),
    period: stream.period.subarray(first, end),
    total: stream.total[plane].subarray(first, end),
    count: stream.count[plane].subarray(first, end),
  };
  const runs = {
    kind: 'runs',
    segments,
    profileCount,
    period: columns.period,
    runSegment: stream.runSegment.subarray(first, end),
    runOffset: stream.runOffset.subarray(first, end),
    runRows: stream.runRows.subarray(first, end),
    runLabelled: stream.runLabelled.subarray(first, end),
    planeCount: stream.types.length,
    plane,
  } as const;
  return {
    part,
    digest: () => digestOf(columns, rowCount),
    profiles: () => columns,
    rows: () => [runs],
    rowFilter: typeof verdict === 'string' ? undefined : verdict,
    isLabelled: runs.runLabelled.includes(1),
  };
}
