// The fleet as a selection of 10 million rows, for query benchmarks without a store.
import { seededRandom } from '../../src/base/random.ts';
import { Dictionary } from '../../src/model/dictionary.ts';
import { sumMagnitude } from '../../src/model/merge.ts';
import { parseProfileType } from '../../src/model/profile-type.ts';
import type { LocationIndex, MappingIndex, StringIndex } from '../../src/model/rows.ts';
import { computeDigest } from '../../src/model/profiles/profile-digest.ts';
import type {
  RowSegment,
  RunRows,
  StoredSelection,
  StoredSeries,
} from '../../src/storage/selection.ts';
import type { FleetRows } from './rows.ts';
import { createUniverse, type FleetBinary } from './universe.ts';

export const selectionQuery = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';

const seriesCount = 1000;
const segmentBytes = 32 * 1024 * 1024;
const valueColumnCount = 2;

/** Creates a dictionary with the stacks that `generateRows` numbers. */
export function createFleetDictionary(seed = 1): Dictionary {
  const dictionary = new Dictionary([1, 2, 3]);
  const universe = createUniverse(seededRandom(seed));
  const runtime = addBinary(dictionary, universe.runtime);
  universe.programs.forEach(({ binary, stacks }) => {
    const own = addBinary(dictionary, binary);
    for (const stack of stacks) {
      const locations = stack.map((frame) => (frame % 2 === 1 ? own : runtime)[frame >> 1]);
      const row = dictionary.stacks.length;
      dictionary.stacks.add(row, ~row, locations);
    }
  });
  dictionary.deriveCallNodes();
  return dictionary;
}

function addBinary(dictionary: Dictionary, binary: FleetBinary): LocationIndex[] {
  const { strings, functions, mappings, locations } = dictionary;
  const text = (value: string): StringIndex => strings.internText(value);
  const mapping: MappingIndex = mappings.intern(
    ...([0, 0, 1, 1, 0, 0] as const),
    text(binary.path),
    text(binary.buildId),
  );
  const rows = binary.functions.map(({ name, file, startLine }) =>
    functions.intern(text(name), text(name), text(file), startLine),
  );
  return binary.locations.map(({ address, lines }) => {
    locations.find(mapping, address, 0, 1);
    const row = locations.add(mapping, address, 0, 1);
    for (const { functionIndex, line } of lines) locations.addLine(rows[functionIndex], line, 0);
    return row;
  });
}

/** Lays rows out as the store does: for each profile, two value columns, then the stacks. */
export function layOutSelection(rows: FleetRows, dictionary: Dictionary): StoredSelection {
  const segments: RowSegment[] = [];
  const columns = Array.from({ length: seriesCount }, () => new SeriesColumns());
  let used = segmentBytes / 8;
  for (let run = 0; run + 1 < rows.runStart.length; run += 1) {
    const from = rows.runStart[run];
    const to = rows.runStart[run + 1];
    const count = to - from;
    const size = valueColumnCount * count + Math.ceil(count / 2);
    if (used + size > segmentBytes / 8) {
      const buffer = new SharedArrayBuffer(segmentBytes);
      const views = { words: new Uint32Array(buffer), values: new BigInt64Array(buffer) };
      segments.push({ buffer, ...views });
      used = 0;
    }
    const { values, words } = segments[segments.length - 1];
    values.set(rows.values.subarray(from, to), used + count);
    words.set(rows.stacks.subarray(from, to), (used + valueColumnCount * count) * 2);
    columns[run % seriesCount].add(segments.length - 1, used, count);
    used += size;
  }
  return {
    parts: [{ id: 'head', dictionary: async () => dictionary }],
    series: columns.map((one, i) => one.finish(i, segments)),
    profileCount: rows.runStart.length - 1,
    rowCount: rows.rowCount,
    missing: [],
    [Symbol.dispose]: () => undefined,
  };
}

class SeriesColumns {
  readonly #segment: number[] = [];
  readonly #offset: number[] = [];
  readonly #rows: number[] = [];

  add(segment: number, offset: number, rows: number): void {
    this.#segment.push(segment);
    this.#offset.push(offset);
    this.#rows.push(rows);
  }

  finish(series: number, segments: readonly RowSegment[]): StoredSeries {
    const profileCount = this.#rows.length;
    const period = new BigInt64Array(profileCount).fill(1n);
    const columns = {
      profileCount,
      timeNanos: BigInt64Array.from(this.#rows, (_, i) => BigInt(i) * 10_000_000_000n),
      durationNanos: new BigInt64Array(profileCount).fill(10_000_000_000n),
      period,
      total: period,
      count: Uint32Array.from(this.#rows),
    };
    const runs: RunRows = {
      kind: 'runs',
      segments,
      profileCount,
      period,
      valueColumnCount,
      valueColumn: 1,
      runSegment: Uint32Array.from(this.#segment),
      runOffset: Uint32Array.from(this.#offset),
      runRows: Uint32Array.from(this.#rows),
      runLabelled: new Uint8Array(profileCount),
    };
    const rowCount = this.#rows.reduce((sum, rows) => sum + rows, 0);
    const slice = {
      part: 0,
      rowFilter: undefined,
      isLabelled: false,
      profileCount: columns.profileCount,
      digest: () => computeDigest(columns, rowCount),
      profiles: () => columns,
      profileRuns: () => [{ columns, sums: undefined }],
      magnitudeMax: () => sumMagnitude(columns.total),
      rows: () => [runs],
      sampleTimes: () => undefined,
    };
    const labels = [{ name: 'instance', value: `i${series}` }];
    return { labels, profileType: parseProfileType(selectionQuery), slices: [slice] };
  }
}
