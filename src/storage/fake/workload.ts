// Random profiles and what an oracle must remember of them, for tests that crash a store.
import { randomBelow, type Random } from '../../base/random.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { MappingIndex } from '../../model/rows.ts';
import { mixHash } from '../../model/hash-index.ts';
import type { IncomingProfile, Selection, Storage } from '../interface.ts';

/** Everything that a profile must still say after a crash, as one text. */
export interface ExpectedProfile {
  /** Names the profile: its series and time. */
  readonly id: string;
  /** Totals, and the value under every function name. */
  readonly content: string;
}

const sampleTypes = [
  { type: 'samples', unit: 'count' },
  { type: 'cpu', unit: 'nanoseconds' },
] as const;
const period = 10_000_000n;

/** A profile of `rows` rows of one of `seriesCount` series; interned into `dictionary`. */
export function randomProfile(
  random: Random,
  dictionary: Dictionary,
  options: {
    readonly rows: number;
    readonly seriesCount: number;
    readonly functionCount: number;
    readonly timeNanos: bigint;
  },
): { readonly profile: IncomingProfile; readonly expected: ExpectedProfile } {
  const { rows, timeNanos } = options;
  const instance = `host-${randomBelow(random, options.seriesCount)}`;
  const byStack = new Map<number, { count: bigint; name: string }>();
  for (let row = 0; row < rows; row += 1) {
    const names = Array.from(
      { length: 1 + randomBelow(random, 6) },
      () => `function_${randomBelow(random, options.functionCount)}`,
    );
    const count = BigInt(1 + randomBelow(random, 1 << (random.uint32() & 15)));
    byStack.set(internStack(dictionary, names), { count, name: names.join(';') });
  }
  const stacks = Uint32Array.from(byStack.keys());
  const counts = BigInt64Array.from(byStack.values(), ({ count }) => count);
  const profile: IncomingProfile = {
    labels: [{ name: 'instance', value: instance }],
    name: 'process_cpu',
    sampleTypes,
    periodType: sampleTypes[1],
    period,
    timeNanos,
    durationNanos: 10_000_000_000n,
    rowCount: stacks.length,
    stacks,
    values: [counts, counts.map((count) => count * period)],
    sampleLabels: undefined,
    contentHash: (BigInt(random.uint32()) << 32n) | BigInt(random.uint32()),
  };
  const lines = [...byStack.values()].map(({ name, count }) => `${name}=${count}`);
  const expected = { id: `${instance}@${timeNanos}`, content: contentText(lines) };
  return { profile, expected };
}

/** Interns a stack of functions (leaf first) the way ingest does: every table gets rows. */
export function internStack(dictionary: Dictionary, names: readonly string[]): number {
  const { strings, functions, locations, stacks } = dictionary;
  const file = strings.internText('main.go');
  const frames = names.map((name) => {
    const text = strings.internText(name);
    const functionRow = functions.intern(text, text, file, 1);
    const known = locations.find(0 as MappingIndex, functionRow, 0, functionRow);
    if (known !== 0) return known;
    const added = locations.add(0 as MappingIndex, functionRow, 0, functionRow);
    locations.addLine(functionRow, 7, 0);
    return added;
  });
  let low = stacks.seedLow;
  let high = stacks.seedHigh;
  for (const frame of frames) {
    low = mixHash(low, frame);
    high = mixHash(high, frame ^ 0x55);
  }
  const known = stacks.find(low, high);
  return known === 0 ? stacks.add(low, high, frames, 0, frames.length) : known;
}

/** Every stored profile of the workload, read through the seam. */
export async function readProfiles(storage: Storage): Promise<ExpectedProfile[]> {
  const selection = await storage.querier.select({
    matchers: [],
    profileType: undefined,
    range: { from: -(2n ** 63n), to: 2n ** 63n - 1n },
  });
  const profiles: ExpectedProfile[] = [];
  for (const series of selection.series) {
    if (series.plane !== 0) continue;
    const instance = series.labels[0]?.value ?? '';
    for (let row = 0; row < series.profileCount; row += 1) {
      const lines = linesOf(selection, series, row);
      profiles.push({ id: `${instance}@${series.timeNanos[row]}`, content: contentText(lines) });
    }
  }
  return profiles;
}

function linesOf(
  selection: Selection,
  series: Selection['series'][number],
  profile: number,
): string[] {
  const { dictionary } = selection;
  const { stacks, strings, functions, locations } = dictionary;
  const { values, words } = selection.segments[series.runSegment[profile]];
  const rows = series.runRows[profile];
  const start = series.runOffset[profile];
  const lines: string[] = [];
  for (let row = 0; row < rows; row += 1) {
    const names: string[] = [];
    const stack = words[(start + rows * series.planeCount) * 2 + row];
    for (let node = stacks.leaf[stack]; node !== 0; node = stacks.nodeParent[node]) {
      const location = stacks.nodeLocation[node];
      const line = locations.lineStart[location];
      const isLost = line === locations.lineStart[location + 1];
      const name = isLost ? 0 : functions.name[locations.lineFunction[line]];
      names.push(strings.text(name as Parameters<typeof strings.text>[0]));
    }
    const [count, nanos] = [values[start + row], values[start + rows + row]];
    if (nanos !== count * period) throw new Error(`row ${row}: ${nanos} for ${count} samples`);
    lines.push(`${names.join(';')}=${count}`);
  }
  return lines;
}

function contentText(lines: readonly string[]): string {
  return [...lines].sort().join('\n');
}
