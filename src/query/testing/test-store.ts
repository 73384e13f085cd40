// A store made of text for tests: `main;serve;decode 30` is a row of a profile.
import { Dictionary } from '../../model/dictionary.ts';
import { mixHash } from '../../model/hash-index.ts';
import { createLabelSet, labelValue, type LabelSet } from '../../model/labels.ts';
import type { LabelMatcher } from '../../model/matcher.ts';
import {
  equalProfileTypes,
  formatProfileType,
  type ProfileType,
} from '../../model/profile-type.ts';
import type { FunctionIndex, LocationIndex, MappingIndex, StringIndex } from '../../model/rows.ts';
import type { IncomingProfile, Querier, SeriesQuery, TimeRange } from '../../storage/interface.ts';
import { digestOf } from '../../storage/piece-digest.ts';
import { chunksOf } from './test-chunks.ts';
import type {
  RowSegment,
  RunRows,
  SelectedSeries,
  Selection,
  SeriesPiece,
} from '../../storage/selection.ts';

/** One line of a location. */
export interface TestLine {
  readonly name: string;
  readonly systemName?: string;
  readonly fileName?: string;
  readonly startLine?: number;
  readonly line?: number;
}

/** A location; lines innermost first. */
export interface TestLocation {
  readonly address: number;
  readonly mappingFile?: string;
  readonly buildId?: string;
  readonly lines: readonly TestLine[];
}

export interface TestProfile {
  readonly labels?: Readonly<Record<string, string>>;
  readonly type: ProfileType;
  readonly timeNanos: bigint;
  readonly durationNanos?: bigint;
  readonly period?: bigint;
  /**
   * One row a line: frames from the root joined by ";", a value, then labels of the sample. A
   * frame is a name, names of inlined calls joined by ">" (outermost first), or an address.
   * An empty stack is "-"; "#7" is row 7 of the dictionary, made with addStack.
   */
  readonly rows: string;
}

/** Of all stores: of parts that become one, profiles of one time and hash are taken for copies. */
let contentHashes = 0n;

interface StoredProfile extends TestProfile {
  readonly contentHash: bigint;
  readonly set: LabelSet;
  readonly stacks: number[];
  readonly values: bigint[];
  readonly sampleLabels: number[];
}

/**
 * Builds a Dictionary and answers as a Querier. Each profile has a run of two planes, or, with
 * `profilesPerChunk`, lies in a chunk of so many. `describe` says what the text of a frame means.
 */
export class TestStore implements Querier {
  readonly dictionary = new Dictionary([11, 22, 33]);
  readonly #isPart: boolean;
  readonly #profilesPerChunk: number;
  readonly #describe: (frame: string) => TestLocation;
  readonly #profiles: StoredProfile[] = [];
  readonly #locations = new Map<string, LocationIndex>();
  readonly #stackRows = new Map<string, number>();

  /** `isPart`: other stores may have more of its series. */
  constructor(profilesPerChunk = 0, describe = describeFrame, isPart = true) {
    this.#isPart = isPart;
    this.#profilesPerChunk = profilesPerChunk;
    this.#describe = describe;
  }

  add(profile: TestProfile): void {
    contentHashes += 1n;
    const stored: StoredProfile = {
      ...profile,
      contentHash: contentHashes,
      set: createLabelSet(
        Object.entries(profile.labels ?? {}).map(([name, value]) => ({ name, value })),
      ),
      stacks: [],
      values: [],
      sampleLabels: [],
    };
    for (const line of profile.rows.split('\n').map((text) => text.trim())) {
      if (line === '') continue;
      const [stack, value, ...labels] = line.split(' ');
      stored.stacks.push(this.#stack(stack));
      stored.values.push(BigInt(value));
      stored.sampleLabels.push(this.#sampleLabels(labels));
    }
    this.#profiles.push(stored);
  }

  /** Everything that was added, for a real store; a plane of another type comes first. */
  incoming(): IncomingProfile[] {
    return this.#profiles.map(({ set, type, stacks, values, sampleLabels, ...profile }) => ({
      labels: set,
      name: type.name,
      sampleTypes: [{ type: 'other', unit: 'count' }, type.sample],
      periodType: type.period,
      period: profile.period ?? 0n,
      timeNanos: profile.timeNanos,
      durationNanos: profile.durationNanos ?? 0n,
      rowCount: stacks.length,
      stacks: Uint32Array.from(stacks),
      values: [new BigInt64Array(stacks.length).fill(-77n), BigInt64Array.from(values)],
      sampleLabels: sampleLabels.some(Boolean) ? Uint32Array.from(sampleLabels) : undefined,
      contentHash: profile.contentHash,
    }));
  }

  /** Adds a stack of locations, leaf first, and returns its row. */
  addStack(locations: readonly LocationIndex[]): number {
    const key = locations.join();
    const known = this.#stackRows.get(key);
    if (known !== undefined) return known;
    const id = this.#stackRows.size + 1;
    const row = this.dictionary.stacks.add(id, ~id, locations, 0, locations.length);
    this.#stackRows.set(key, row);
    return row;
  }

  addLocation({ address, mappingFile = '', buildId = '', lines }: TestLocation): LocationIndex {
    const { strings, mappings, locations, functions } = this.dictionary;
    const text = (value: string): StringIndex => strings.internText(value);
    const mapping =
      mappingFile + buildId === ''
        ? (0 as MappingIndex)
        : mappings.intern(0, 0, 1000, 0, 0, 0, text(mappingFile), text(buildId));
    const key = JSON.stringify({ address, mapping, lines });
    const known = this.#locations.get(key);
    if (known !== undefined) return known;
    // A location with a build id is known by its line numbers, in whichever dictionary it is.
    const ofLines = lines.reduce((sum, { line = 0 }) => mixHash(sum, line), lines.length);
    const hash = buildId === '' ? this.#locations.size + 1 : ofLines;
    const high = Math.floor(address / 2 ** 32);
    if (locations.find(mapping, address, high, hash) !== 0) throw new Error('hash is used twice');
    const row = locations.add(mapping, address, high, hash);
    for (const { name, systemName = name, fileName = '', startLine = 0, line = 0 } of lines) {
      const system = text(systemName);
      const lineFunction: FunctionIndex = functions.intern(
        text(name),
        system,
        text(fileName),
        startLine,
      );
      locations.addLine(lineFunction, line, 0);
    }
    this.#locations.set(key, row);
    return row;
  }

  async select(query: SeriesQuery): Promise<Selection> {
    const { matchers } = query;
    const groups = new Map<string, StoredProfile[]>();
    const isOfSample = this.#namesOfSampleLabels();
    for (const profile of this.#matching(query, isOfSample)) {
      const key = JSON.stringify([profile.set, formatProfileType(profile.type)]);
      groups.set(key, [...(groups.get(key) ?? []), profile]);
    }
    const segments: RowSegment[] = [];
    const filter = this.#rowFilter(matchers.filter((m) => isOfSample.has(m.name)));
    // A series belongs with all of its profiles when one row of it does, in whichever part.
    const found = [...groups.values()].filter(
      (group) =>
        filter === undefined ||
        this.#isPart ||
        group.some((profile) => profile.sampleLabels.some((row) => filter[row] === 1)),
    );
    const series = found.map((group) => seriesOf(group, segments, filter, this.#profilesPerChunk));
    const digests = series.map(({ pieces }) => pieces[0].digest());
    return {
      parts: [{ id: 'test', dictionary: async () => this.dictionary }],
      series,
      profileCount: digests.reduce((sum, digest) => sum + digest.profileCount, 0),
      rowCount: digests.reduce((sum, digest) => sum + digest.rowCount, 0),
      missing: [],
      [Symbol.dispose]: () => undefined,
    };
  }

  async labelNames(query: SeriesQuery): Promise<string[]> {
    const names = this.#labelsIn(query).map(([name]) => name);
    return [...new Set(names)].sort();
  }

  async labelValues(name: string, query: SeriesQuery): Promise<string[]> {
    const values = this.#labelsIn(query).filter(([key]) => key === name);
    return [...new Set(values.map(([, value]) => value))].filter(Boolean).sort();
  }

  async profileTypes(
    range: TimeRange,
    matchers: readonly LabelMatcher[] = [],
  ): Promise<ProfileType[]> {
    using selection = await this.select({ matchers, profileType: undefined, range });
    const types = selection.series.map(({ profileType }) => profileType);
    const byText = new Map(types.map((type) => [formatProfileType(type), type]));
    return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, type]) => type);
  }

  async hasData(): Promise<boolean> {
    return this.#profiles.length > 0;
  }

  #matching(
    { matchers, profileType, range }: SeriesQuery,
    isOfSample: ReadonlySet<string>,
  ): StoredProfile[] {
    return this.#profiles
      .filter(({ timeNanos }) => timeNanos >= range.from && timeNanos <= range.to)
      .filter(({ type }) => profileType === undefined || equalProfileTypes(type, profileType))
      .filter(({ set }) => matchers.every((m) => isOfSample.has(m.name) || matchesSet(m, set)));
  }

  /** Name and value of every label of matching series and of their samples. */
  #labelsIn(query: SeriesQuery): (readonly [string, string])[] {
    const { sampleLabels, strings } = this.dictionary;
    const text = (row: number): string => strings.text(row as StringIndex);
    const isOfSample = this.#namesOfSampleLabels();
    const filter = this.#rowFilter(query.matchers.filter((m) => isOfSample.has(m.name)));
    const found = this.#matching(query, isOfSample).flatMap(({ set, sampleLabels: all }) => {
      const rows = [...new Set(all)].filter((row) => filter === undefined || filter[row] === 1);
      return rows.length > 0 || filter === undefined || this.#isPart ? [{ set, rows }] : [];
    });
    return found.flatMap(({ set, rows }) => [
      ...set.map(({ name, value }) => [name, value] as const),
      ...rows.flatMap((row) => {
        const [from, to] = [sampleLabels.entryStart[row], sampleLabels.entryStart[row + 1]];
        return Array.from({ length: to - from }, (_, i) => {
          return [text(sampleLabels.key[from + i]), text(sampleLabels.text[from + i])] as const;
        });
      }),
    ]);
  }

  #stack(text: string): number {
    if (text === '-') return 0;
    if (text.startsWith('#')) return Number(text.slice(1));
    const locations = text.split(';').map((frame) => this.addLocation(this.#describe(frame)));
    return this.addStack(locations.reverse());
  }

  #sampleLabels(labels: readonly string[]): number {
    const { strings, sampleLabels } = this.dictionary;
    const entries = labels.map((label) => {
      const [key, value] = label.split('=').map((part) => strings.internText(part));
      return { key, text: value, number: 0n, unit: 0 as StringIndex };
    });
    return sampleLabels.intern(entries.sort((a, b) => a.key - b.key));
  }

  #namesOfSampleLabels(): Set<string> {
    const { sampleLabels, strings } = this.dictionary;
    const used = sampleLabels.key.subarray(0, sampleLabels.entryStart[sampleLabels.length]);
    return new Set([...used].map((key) => strings.text(key as StringIndex)));
  }

  #rowFilter(matchers: readonly LabelMatcher[]): Uint8Array | undefined {
    if (matchers.length === 0) return undefined;
    const { sampleLabels, strings } = this.dictionary;
    return Uint8Array.from({ length: sampleLabels.length }, (_, row) => {
      const passes = matchers.every(({ name, matches }) => {
        const key = strings.internText(name);
        return matches(strings.text(sampleLabels.textOf(row as never, key)));
      });
      return passes ? 1 : 0;
    });
  }
}

/** An address, or names of a call and of calls inlined into it. */
function describeFrame(frame: string): TestLocation {
  if (frame.startsWith('0x')) return { address: Number(frame), lines: [] };
  const lines = frame.split('>').map((name) => ({ name }));
  return { address: frame.length, lines: lines.reverse() };
}

function seriesOf(
  group: StoredProfile[],
  segments: RowSegment[],
  rowFilter: Uint8Array | undefined,
  profilesPerChunk: number,
): SelectedSeries {
  const profiles = group.toSorted((a, b) => (a.timeNanos < b.timeNanos ? -1 : 1));
  const [{ set, type }] = profiles;
  return {
    labels: set,
    profileType: type,
    pieces: [pieceOf(profiles, segments, rowFilter, profilesPerChunk)],
  };
}

function pieceOf(
  profiles: readonly StoredProfile[],
  segments: RowSegment[],
  rowFilter: Uint8Array | undefined,
  profilesPerChunk: number,
): SeriesPiece {
  // Every profile has a segment of its own and does not start at its beginning.
  const runSegment = profiles.map((profile) => segments.push(segmentOf(profile)) - 1);
  const columns = {
    profileCount: profiles.length,
    timeNanos: BigInt64Array.from(profiles, (p) => p.timeNanos),
    durationNanos: BigInt64Array.from(profiles, (p) => p.durationNanos ?? 0n),
    period: BigInt64Array.from(profiles, (p) => p.period ?? 0n),
    total: BigInt64Array.from(profiles, (p) => p.values.reduce((a, b) => a + b, 0n)),
    count: Uint32Array.from(profiles, (p) => p.values.filter((v) => v !== 0n).length),
  };
  const runs: RunRows = {
    kind: 'runs',
    segments,
    profileCount: profiles.length,
    period: columns.period,
    runSegment: Uint32Array.from(runSegment),
    runOffset: Uint32Array.from(profiles, () => firstRunOffset),
    runRows: Uint32Array.from(profiles, (p) => p.stacks.length),
    runLabelled: Uint8Array.from(profiles, (p) => (p.sampleLabels.some(Boolean) ? 1 : 0)),
    planeCount: 2,
    plane: 1,
  };
  const rowCount = profiles.reduce((sum, { stacks }) => sum + stacks.length, 0);
  return {
    part: 0,
    profileCount: columns.profileCount,
    digest: () => digestOf(columns, rowCount),
    profiles: () => columns,
    profileRuns: () => [{ columns, sums: undefined }],
    magnitudeMax: () => digestOf(columns, rowCount).magnitude,
    rows: (isWhole) =>
      profilesPerChunk === 0 ? [runs] : chunksOf(profiles, profilesPerChunk, isWhole),
    rowFilter,
    isLabelled: runs.runLabelled.includes(1),
  };
}

/** Where each run starts in its segment, in units of 8 bytes. */
const firstRunOffset = 3;

function segmentOf({ stacks, values, sampleLabels }: StoredProfile): RowSegment {
  const rows = stacks.length;
  const buffer = new SharedArrayBuffer((firstRunOffset + rows * 3 + 1) * 8);
  const words = new Uint32Array(buffer);
  const planes = new BigInt64Array(buffer);
  // The plane of another value type comes first; nothing may read it.
  planes.fill(-77n, firstRunOffset, firstRunOffset + rows);
  planes.set(values, firstRunOffset + rows);
  words.set(stacks, (firstRunOffset + rows * 2) * 2);
  words.set(sampleLabels, (firstRunOffset + rows * 2) * 2 + rows);
  return { buffer, words, values: planes };
}

function matchesSet(matcher: LabelMatcher, labels: LabelSet): boolean {
  return matcher.matches(labelValue(labels, matcher.name));
}
