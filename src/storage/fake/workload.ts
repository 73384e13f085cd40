// Random profiles for tests that crash a store, and what an oracle must remember about each.
import { randomBelow, type Random } from '../../base/random.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { IncomingProfile, Storage } from '../interface.ts';
import { internStack } from './intern.ts';
import { readSelection } from './read-selection.ts';
import { storedSeries } from './stored-series.ts';

/** Data of a profile that must still be in the store after a crash. */
export interface ExpectedProfile {
  /** Series and time, which identify the profile. */
  readonly id: string;
  /** Totals, and a value for each function name. */
  readonly content: string;
}

const sampleTypes = [
  { type: 'samples', unit: 'count' },
  { type: 'cpu', unit: 'nanoseconds' },
] as const;
const period = 10_000_000n;

/**
 * Returns a random profile with `rows` rows, interned into `dictionary`. It belongs to one of
 * `seriesCount` series.
 */
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

/** Returns every stored profile of the workload, read through the seam. */
export async function readProfiles(storage: Storage): Promise<ExpectedProfile[]> {
  const selection = await storedSeries(storage.querier).select({
    matchers: [],
    profileType: undefined,
    range: { from: -(2n ** 63n), to: 2n ** 63n - 1n },
  });
  const counts: ExpectedProfile[] = [];
  const nanos: ExpectedProfile[] = [];
  for (const { labels, profileType, profiles } of await readSelection(selection)) {
    const isCounts = profileType.sample.type === 'samples';
    for (const { timeNanos, rows } of profiles) {
      const lines = rows.map(({ stack, value }) => {
        if (isCounts) return `${stack}=${value}`;
        if (value % period !== 0n) throw new Error(`${stack}: ${value} is not a multiple`);
        return `${stack}=${value / period}`;
      });
      const id = `${labels[0]?.value ?? ''}@${timeNanos}`;
      (isCounts ? counts : nanos).push({ id, content: contentText(lines) });
    }
  }
  checkValueColumns(counts, nanos);
  return counts;
}

/** Fails unless the profiles of both sample types (samples and nanoseconds) match. */
function checkValueColumns(
  counts: readonly ExpectedProfile[],
  nanos: readonly ExpectedProfile[],
): void {
  const format = ({ id, content }: ExpectedProfile): string => `${id}\n${content}`;
  const byValueColumn = [counts, nanos].map((profiles) => profiles.map(format).sort().join('\n\n'));
  if (byValueColumn[0] !== byValueColumn[1]) throw new Error('samples and nanoseconds differ');
}

function contentText(lines: readonly string[]): string {
  return [...lines].sort().join('\n');
}
