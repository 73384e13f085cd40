// Random selectors of profiles, most of which find something.
import type { TimeRange } from '../../../storage/interface.ts';
import { printTimeSpan } from '../../../promql-like/time.ts';
import {
  readLabel,
  type PlainMatcher,
  type PlainProfile,
  type PlainSelector,
} from './plain-data.ts';
import { randomList, pick, type RandomBelow } from '../random-rows.ts';
import { randomTypes } from '../random-store.ts';

const second = 1_000_000_000n;
const hour = 3_600n * second;
const whole: TimeRange = { from: 0n, to: 9_000_000_000n * second };
const types: readonly string[] = Object.values(randomTypes);

const values: Readonly<Record<string, readonly string[]>> = {
  job: ['job0', 'job1', ''],
  instance: ['i0', 'i1', 'i2', ''],
  thread: ['t0', 't1', 't2', ''],
  absent: ['', 'x'],
};
const expressions = ['', '.+', '.*', 'job.*', 'i[0-2]', 'i', 't(1|2)', '(job0|t.|x)?', '[^t].*'];

/** Returns a selector, usually one that some profile satisfies. */
export function randomSelector(
  random: RandomBelow,
  profiles: readonly PlainProfile[],
): PlainSelector {
  const one = pick(random, profiles);
  const type = random(16) === 0 ? pick(random, types) : one.type;
  const matchers = random(2) === 0 ? [] : randomList(random, 2, () => randomMatcher(random, one));
  const times = profiles.filter((profile) => profile.type === one.type);
  const range = { ...randomTimes(random, times), ...randomParts(random, times) };
  return { type, matchers, ...range, isIncrease: false };
}

/** Formats a selector in the query language, with an offset in seconds. */
export function selectorText(
  { type, matchers, within, except }: PlainSelector,
  offsetSeconds = 0n,
): string {
  const texts = matchers.map(({ name, operator, value }) => `${name}${operator}"${value}"`);
  const moved = ({ from, to }: TimeRange): string =>
    printTimeSpan({ from: from + offsetSeconds * second, to: to + offsetSeconds * second });
  const only = within === undefined ? '' : ` ${moved(within)}`;
  const without = except === undefined ? '' : ` except ${moved(except)}`;
  const offset = offsetSeconds === 0n ? '' : ` offset ${offsetSeconds}s`;
  return `${type}{${texts.join(',')}}${only}${without}${offset}`;
}

function randomMatcher(random: RandomBelow, like: PlainProfile): PlainMatcher {
  const name = pick(random, Object.keys(values));
  if (random(2) === 0) {
    return { name, operator: '=', value: readLabel(name, like, pick(random, like.rows)) };
  }
  const operator = pick(random, ['=', '!=', '!=', '=~', '!~'] as const);
  const isExpression = operator === '=~' || operator === '!~';
  return { name, operator, value: pick(random, isExpression ? expressions : values[name]) };
}

/** Returns the times to which a selector is limited and those it excludes; often none. */
function randomParts(
  random: RandomBelow,
  profiles: readonly PlainProfile[],
): Pick<PlainSelector, 'within' | 'except'> {
  const times = profiles.map(({ timeNanos }) => timeNanos);
  times.sort((a, b) => (a < b ? -1 : 1));
  const part = (profilesMax: number): TimeRange => {
    const first = random(times.length);
    const last = Math.min(times.length - 1, first + random(profilesMax));
    const from = times[first] + BigInt(random(2));
    return { from, to: times[last] < from ? from : times[last] };
  };
  return {
    ...(random(16) === 0 && { within: part(times.length) }),
    ...(random(6) === 0 && { except: part(random(4) === 0 ? times.length : 4) }),
  };
}

/** Returns a range: all times, from one profile to another, or full hours. */
function randomTimes(random: RandomBelow, profiles: readonly PlainProfile[]): TimeRange {
  if (random(3) === 0) return whole;
  if (random(3) === 0) {
    const first = profiles.reduce(
      (min, { timeNanos }) => (timeNanos < min ? timeNanos : min),
      whole.to,
    );
    const from = first - (first % hour) + BigInt(random(10)) * hour;
    return { from, to: from + BigInt(1 + random(10)) * hour - 1n };
  }
  const times = [pick(random, profiles).timeNanos, pick(random, profiles).timeNanos];
  const [from, to] = times.toSorted((a, b) => (a < b ? -1 : 1));
  // Starts at the first profile or right after it.
  return { from: from + BigInt(random(2)), to: to + 1n };
}
