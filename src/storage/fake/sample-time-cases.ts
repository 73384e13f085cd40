// Test cases about sample times that every store must pass. They compare answers with sums of
// single events.
import assert from 'node:assert/strict';
import { randomBelow, seededRandom, type Random } from '../../base/random.ts';
import { parseProfileType } from '../../model/profile-type.ts';
import { encodeSampleTimes } from '../../model/profiles/sample-times-codec.ts';
import { freeContext } from '../free-context.ts';
import type { SamplesOverTime, Storage, TimeRange } from '../interface.ts';
import { stackText } from './read-selection.ts';
import { append, cpu, query, samples, wholeTime, type Profile } from './short-profiles.ts';

const second = 1_000_000_000n;
const milli = 1_000_000n;
const start = 1_790_000_000n * second;

/** One sample: an event in a program. */
interface Event {
  readonly job: string;
  readonly nanos: bigint;
  readonly stack: string;
  readonly thread: string;
  readonly value: bigint;
}

/**
 * A profile and its samples. A profile without sample times has one sample, at the time of the
 * profile.
 */
interface Timed {
  readonly profile: Profile;
  readonly events: readonly Event[];
}

/**
 * Creates a profile of 10 s. If `isTimed`, it has sample times; otherwise all samples are at its
 * start.
 */
function randomProfile(random: Random, job: string, at: bigint, isTimed: boolean): Timed {
  const rows = new Map<string, Event[]>();
  for (let left = randomBelow(random, 40); left >= 0; left -= 1) {
    const stack = `f${randomBelow(random, 4)};main`;
    const thread = ['', 'a', 'b'][randomBelow(random, 3)];
    const nanos = at + (isTimed ? BigInt(randomBelow(random, 10_000)) * milli : 0n);
    // In some profiles, all samples have equal shares of the value.
    const value = job === 'even' ? 10n : BigInt(randomBelow(random, 50));
    const key = `${stack} ${thread}`;
    const own = rows.get(key) ?? [];
    rows.set(key, own);
    own.push({ job, nanos, stack, thread, value });
  }
  const all = [...rows.values()].map((own) => own.sort((a, b) => Number(a.nanos - b.nanos)));
  const events = all.flat();
  const sums = all.map((own) => own.reduce((sum, { value }) => sum + value, 0n));
  const starts = Uint32Array.from({ length: all.length + 1 });
  all.forEach((own, i) => (starts[i + 1] = starts[i] + own.length));
  const values = BigInt64Array.from(events, ({ value }) => value);
  const ones = values.map(() => 1n);
  const counts = BigInt64Array.from(all, (own) => BigInt(own.length));
  const millis = Float64Array.from(events, ({ nanos }) => Number(nanos / milli));
  const times = { start: starts, millis, values: [ones, values] };
  const profile: Profile = {
    labels: { job },
    time: at,
    rows: all.map(([{ stack, thread }, ...others], i) => ({
      stack,
      values: [BigInt(others.length + 1), sums[i]],
      labels: thread === '' ? {} : { thread },
    })),
    sampleTypes: [samples, cpu],
    ...(isTimed && {
      sampleTimes: encodeSampleTimes(times, [counts, BigInt64Array.from(sums)]),
    }),
  };
  return { profile, events };
}

/** Nonzero sums by stack and thread, or by bucket and thread. */
type Sums = Readonly<Record<string, bigint>>;

function sumsBy(events: readonly Event[], keyOf: (event: Event) => string): Sums {
  const sums = new Map<string, bigint>();
  for (const event of events) {
    const key = keyOf(event);
    sums.set(key, (sums.get(key) ?? 0n) + event.value);
  }
  return withoutZeros(sums);
}

function withoutZeros(sums: ReadonlyMap<string, bigint>): Sums {
  const left = [...sums].filter(([, value]) => value !== 0n);
  return Object.fromEntries(left.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const profileType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';

async function mergedIn(storage: Storage, range: TimeRange): Promise<Sums> {
  const asked = { ...query({}), profileType: parseProfileType(profileType) };
  using selection = await storage.querier.select(asked);
  const question = { groupBy: ['thread'], byTime: false, timesPeriod: false, steps: undefined };
  const { groups, dictionary } = await selection.merge(
    { ...question, samplesIn: range },
    freeContext,
  );
  assert.deepEqual(selection.missing, []);
  const sums = new Map<string, bigint>();
  for (const { labelValues, merged } of groups) {
    if (dictionary === undefined) continue;
    merged.stacks.forEach((stack, i) => {
      // Stacks from different parts may have the same names.
      const key = `${stackText(dictionary, stack)} ${labelValues[0]}`;
      sums.set(key, (sums.get(key) ?? 0n) + merged.values[i]);
    });
  }
  return withoutZeros(sums);
}

async function overTime(
  storage: Storage,
  range: TimeRange,
  stepNanos: bigint,
): Promise<SamplesOverTime> {
  const asked = { ...query({}), profileType: parseProfileType(profileType) };
  using selection = await storage.querier.select(asked);
  const question = { range, stepNanos, groupBy: ['thread'], timesPeriod: false };
  return selection.samplesOverTime(question, freeContext);
}

/**
 * Declares the cases. If `keeps` is false, the store does not keep sample times and answers as if
 * each profile were one sample at the time of the profile.
 */
export function sampleTimeCases(
  check: (title: string, body: (storage: Storage) => Promise<void>) => void,
  keeps: boolean,
): void {
  check('samples of a range of time are those of single events', async (storage) => {
    const random = seededRandom(11);
    const all: (Event & { readonly isTimed: boolean })[] = [];
    for (let i = 0; i < 24; i += 1) {
      const at = start + BigInt(i) * 5n * second + BigInt(randomBelow(random, 1_000)) * milli;
      const job = ['even', 'odd'][i % 2];
      const isTimed = i % 5 !== 4;
      const { profile, events } = randomProfile(random, job, at, isTimed);
      const appender = storage.appender();
      append(appender, profile);
      await appender.commit();
      for (const event of events) {
        all.push({ ...event, isTimed: isTimed && keeps, nanos: keeps ? event.nanos : at });
      }
    }
    for (let i = 0; i < 12; i += 1) {
      const from = start + BigInt(randomBelow(random, 130_000)) * milli;
      const length = BigInt(randomBelow(random, i % 2 === 0 ? 2_000 : 60_000)) * milli;
      const range = { from, to: from + length };
      const isIn = ({ nanos }: Event): boolean => nanos >= range.from && nanos <= range.to;
      const inside = all.filter(isIn);
      const want = sumsBy(inside, ({ stack, thread }) => `${stack} ${thread}`);
      assert.deepEqual(await mergedIn(storage, range), want);
      const step = 250n * milli;
      const { lines, untimed } = await overTime(storage, range, step);
      const cells = new Map<string, bigint>();
      for (const { labelValues, values } of lines) {
        values.forEach((value, bucket) => cells.set(`${bucket} ${labelValues[0]}`, value));
      }
      const timed = inside.filter((event) => event.isTimed);
      assert.deepEqual(
        withoutZeros(cells),
        sumsBy(timed, ({ nanos, thread }) => `${(nanos - range.from) / step} ${thread}`),
      );
      const rest = inside.filter((event) => !event.isTimed);
      assert.equal(
        untimed,
        rest.reduce((sum, { value }) => sum + value, 0n),
      );
    }
    // The complete range has the sum of all samples.
    const whole = await mergedIn(storage, { from: 0n, to: wholeTime.to });
    assert.deepEqual(
      whole,
      sumsBy(all, ({ stack, thread }) => `${stack} ${thread}`),
    );
  });
}
