// Random profiles of several series and types: regular series, and series with jitter, gaps and
// late profiles.
import { formatProfileType, parseProfileType } from '../../model/profile-type.ts';
import { type RandomBelow, randomRows } from './random-rows.ts';
import type { TestProfile } from './test-store.ts';

export const randomTypes = {
  cpu: 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta',
  samples: 'process_cpu:samples:count:cpu:nanoseconds:delta',
  heap: 'memory:inuse_space:bytes:space:bytes',
  /** A counter since the start of the program. */
  alloc: 'memory:alloc_space:bytes:space:bytes',
} as const;

const second = 1_000_000_000n;

/**
 * Returns profiles of up to 5 series in random order, each with at least `rowsMin` rows. Their
 * times begin at the epoch.
 */
export function randomProfiles(
  random: RandomBelow,
  rowsMin: number,
  rowsOf: typeof randomRows = randomRows,
): TestProfile[] {
  // Profiles span a few minutes, or more than a day.
  const scale = [1n, 1n, 100n][random(3)];
  const profiles: TestProfile[] = [];
  const typeTexts = Object.values(randomTypes);
  for (let series = 0; series < 1 + random(5); series += 1) {
    const type = parseProfileType(typeTexts[random(typeTexts.length)]);
    const labels = { job: `job${random(2)}`, instance: `i${series}` };
    const pace = [5n, 10n, 10n, 15n, 60n][random(5)] * second * scale;
    const isJittery = random(2) === 0;
    const lasts = type.delta ? [pace, second, 2n * pace][random(3)] : 0n;
    // Number of distinct values of sample labels. If there are many, few values repeat.
    const labelCount = [0, 0, 3, 500][random(4)];
    const periods = random(3) === 0 ? [3n, 7n] : [10_000_000n];
    let time = BigInt(random(30)) * second;
    const count = 1 + random(20);
    const rowsNow = (): string =>
      withoutCopies(withLabels(random, rowsOf(random, rowsMin + random(12)), labelCount));
    const isCounter = formatProfileType(type) === randomTypes.alloc;
    const counter = new RandomCounter(random, rowsNow);
    for (let i = 0; i < count; i += 1) {
      const jitter = isJittery ? BigInt(random(400_000_000) - 200_000_000) : 0n;
      profiles.push({
        type,
        labels,
        timeNanos: time + jitter + second,
        durationNanos: lasts + (isJittery && type.delta ? jitter / 10n : 0n),
        period: periods[random(periods.length)],
        rows: isCounter ? counter.next() : rowsNow(),
      });
      // Sometimes leaves a gap, or adds several profiles with the same time.
      const isAgain = random(15) === 0 && !isCounter;
      time += random(12) === 0 ? pace * 7n : isAgain ? 0n : pace;
    }
  }
  return profiles;
}

/** Rows whose values only grow until the program restarts with a lower total. */
class RandomCounter {
  readonly #random: RandomBelow;
  readonly #rowsNow: () => string;
  readonly #values = new Map<string, number>();

  constructor(random: RandomBelow, rowsNow: () => string) {
    this.#random = random;
    this.#rowsNow = rowsNow;
  }

  next(): string {
    const random = this.#random;
    const values = this.#values;
    const rows = this.#rowsNow()
      .split('\n')
      .filter((line) => line !== '');
    const total = [...values.values()].reduce((sum, value) => sum + value, 0);
    if (random(6) === 0 && total > 1) {
      values.clear();
      for (const line of rows.slice(0, 1)) values.set(parsed(line)[0], 1);
    } else {
      for (const line of rows) {
        const [key, value] = parsed(line);
        values.set(key, (values.get(key) ?? 0) + value);
      }
    }
    return Array.from(values, ([key, value]) => key.replace(' ', ` ${value} `).trimEnd()).join(
      '\n',
    );
  }
}

/** Returns `stack labels`, and the value. */
function parsed(line: string): [key: string, value: number] {
  const [stack, value, ...labels] = line.split(' ');
  return [`${stack} ${labels.join(' ')}`, Number(value)];
}

function withLabels(random: RandomBelow, rows: string, labelCount: number): string {
  if (labelCount === 0) return rows;
  const lines = rows.split('\n').filter((line) => line !== '');
  return lines
    .map((line) => (random(3) === 0 ? line : `${line} thread=t${random(labelCount)}`))
    .join('\n');
}

/** Drops rows that repeat a stack and its labels. */
function withoutCopies(rows: string): string {
  const byKey = new Map<string, string>();
  for (const line of rows.split('\n')) {
    const [stack, , ...labels] = line.split(' ');
    byKey.set([stack, ...labels].join(' '), line);
  }
  return [...byKey.values()].join('\n');
}

/**
 * Returns one profile per minute over several hours. The profiles have few stacks, so that rollups
 * are worthwhile.
 */
export function denseProfiles(random: RandomBelow): TestProfile[] {
  const type = parseProfileType(randomTypes.cpu);
  const rows = withoutCopies(randomRows(random, 4)).split('\n');
  return Array.from({ length: 400 }, (_, i) => ({
    type,
    labels: { job: 'job0', instance: 'dense' },
    timeNanos: BigInt(i + 1) * 60n * second + BigInt(random(1000)),
    durationNanos: 10n * second,
    period: 10_000_000n,
    rows: rows.map((row) => row.replace(/\d+$/, `${1 + random(100)}`)).join('\n'),
  }));
}

/** Returns the part for each profile: by time, at random, or by time with some late profiles. */
export function randomParts(
  random: RandomBelow,
  profiles: readonly TestProfile[],
  count: number,
): number[] {
  const times = profiles.map(({ timeNanos }) => timeNanos).sort((a, b) => (a < b ? -1 : 1));
  const cuts = Array.from({ length: count - 1 }, () => times[random(times.length)]);
  const lateOneIn = [1, 20, 1_000_000][random(3)];
  return profiles.map(({ timeNanos }) =>
    random(lateOneIn) === 0 ? random(count) : cuts.filter((cut) => timeNanos >= cut).length,
  );
}
