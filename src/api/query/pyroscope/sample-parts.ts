// Splits profiles by the times of their samples, for heatmaps whose steps are shorter than
// profiles.
import { errorCode } from '../../../base/errors.ts';
import { finishPausing, type Pacer, type Steps } from '../../../base/pacer.ts';
import { type LabelSet, labelSetKey } from '../../../model/labels.ts';
import type { QueryEngine, SamplesAnswer } from '../../../query/interface.ts';
import type { CallContext } from '../../transport/call/method.ts';
import type { ProfileValue, ProfileValues } from './profile-values.ts';

/** A profile, or its part in one step. */
export interface ProfilePart {
  /** Profile that the part belongs to; its value is replaced by the value of the part. */
  readonly profile: ProfileValue;
  /** Time of the profile, or, for a part, the start of its step. */
  readonly timeNanos: bigint;
}

/**
 * Splits profiles by the times of their samples if steps are shorter than profiles; the parts of a
 * series in the same step are merged. Profiles without sample times are not split.
 */
export async function divideBySamples(
  engine: QueryEngine,
  { names, query, range, profiles }: ProfileValues,
  stepNanos: bigint,
  context: CallContext,
  pacer: Pick<Pacer, 'pause'>,
): Promise<ProfilePart[]> {
  const groups = await finishPausing(groupByLabels(profiles), pacer);
  const all = Array.from(groups, ([key, own]) => ({ key, own, gap: gapNanos(own) }));
  if (all.every(({ gap }) => stepNanos >= gap)) return profiles.map(toWhole);
  const question = { query, range, stepNanos, by: names, limit: 0 };
  const lines = await readSamples(engine, question, context);
  const parts: ProfilePart[] = [];
  for (const { key, own, gap } of all) {
    const line = lines.get(key);
    if (line !== undefined && stepNanos < gap) {
      const steps = { fromNanos: range.from, stepNanos, gap };
      await finishPausing(divide(own, line, steps, parts), pacer);
    } else for (const profile of own) parts.push(toWhole(profile));
    const pausing = pacer.pause();
    if (pausing !== undefined) await pausing;
  }
  return parts;
}

/** Number of items that are handled in one step; each takes 1 to 2 microseconds. */
const itemsPerStep = 1_024;

/** Groups values by their labels, in steps. */
export function* groupByLabels<T extends { readonly labels: LabelSet }>(
  items: readonly T[],
): Steps<Map<string, T[]>> {
  const groups = new Map<string, T[]>();
  for (const [i, item] of items.entries()) {
    const key = labelSetKey(item.labels);
    const own = groups.get(key);
    if (own === undefined) groups.set(key, [item]);
    else own.push(item);
    if (i % itemsPerStep === itemsPerStep - 1) yield;
  }
  return groups;
}

function toWhole(profile: ProfileValue): ProfilePart {
  return { profile, timeNanos: profile.timeNanos };
}

/**
 * Returns the mean time between the profiles of a series; for a single profile, it is longer than
 * any step.
 */
function gapNanos(own: readonly ProfileValue[]): bigint {
  if (own.length === 1) return 1n << 62n;
  const [first, last] = [own[0], own[own.length - 1]];
  return (last.timeNanos - first.timeNanos) / BigInt(own.length - 1);
}

/** Returns the values of each step by label set; none if they do not fit into memory. */
async function readSamples(
  engine: QueryEngine,
  question: Parameters<QueryEngine['querySamples']>[0],
  context: CallContext,
): Promise<Map<string, BigInt64Array>> {
  const toEntry = ({ labels, values }: { labels: LabelSet; values: BigInt64Array }) =>
    [labelSetKey(labels), values] as const;
  try {
    const { lines }: SamplesAnswer = await engine.querySamples(question, context);
    return new Map(lines.map(toEntry));
  } catch (error) {
    if (!['not-found', 'resource-exhausted'].includes(errorCode(error))) throw error;
    return new Map();
  }
}

interface StepTimes {
  readonly fromNanos: bigint;
  readonly stepNanos: bigint;
  readonly gap: bigint;
}

/** Adds the parts of the profiles of one series, in steps. */
function* divide(
  own: readonly ProfileValue[],
  values: BigInt64Array,
  { fromNanos, stepNanos, gap }: StepTimes,
  parts: ProfilePart[],
): Steps<void> {
  const covered = new Set<ProfileValue>();
  let at = 0;
  for (const [step, value] of values.entries()) {
    if (step % itemsPerStep === itemsPerStep - 1) yield;
    if (value === 0n) continue;
    const timeNanos = fromNanos + BigInt(step) * stepNanos;
    while (at + 1 < own.length && own[at + 1].timeNanos < timeNanos + stepNanos) at += 1;
    // A step in which a profile begins may also contain the end of the previous profile.
    const profile = own[at];
    if (profile.timeNanos + gap > timeNanos) covered.add(profile);
    if (at > 0 && own[at - 1].timeNanos + gap > timeNanos) covered.add(own[at - 1]);
    parts.push({ profile: { ...profile, value: Number(value) }, timeNanos });
  }
  for (const [i, profile] of own.entries()) {
    if (profile.value !== 0 && !covered.has(profile)) parts.push(toWhole(profile));
    if (i % itemsPerStep === itemsPerStep - 1) yield;
  }
}
