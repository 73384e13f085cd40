// Parts of profiles by the times of their samples, for heatmaps whose steps are shorter than
// profiles.
import { errorCode } from '../../../base/errors.ts';
import { type LabelSet, labelSetKey } from '../../../model/labels.ts';
import type { QueryEngine, SamplesAnswer } from '../../../query/interface.ts';
import type { CallContext } from '../../transport/call/method.ts';
import type { ProfileValue, ProfileValues } from './profile-values.ts';

/** A profile, or its part in one step. */
export interface ProfilePart {
  /** Its value is that of the part. */
  readonly profile: ProfileValue;
  /** Time in the step of the part: the profile's, or the start of the step. */
  readonly timeNanos: bigint;
}

/**
 * Divides profiles by the times of their samples where steps are shorter than profiles: the parts
 * of a series that are in one step are one. Profiles without times stay whole.
 */
export async function divideBySamples(
  engine: QueryEngine,
  { names, query, range, profiles }: ProfileValues,
  stepNanos: bigint,
  context: CallContext,
): Promise<ProfilePart[]> {
  const all = Array.from(
    Map.groupBy(profiles, ({ labels }) => labelSetKey(labels)),
    ([key, own]) => ({ key, own, gap: gapNanos(own) }),
  );
  if (all.every(({ gap }) => stepNanos >= gap)) return profiles.map(toWhole);
  const question = { query, range, stepNanos, by: names, limit: 0 };
  const lines = await readSamples(engine, question, context);
  return all.flatMap(({ key, own, gap }) => {
    const line = lines.get(key);
    if (line === undefined || stepNanos >= gap) return own.map(toWhole);
    return divide(own, line, { fromNanos: range.from, stepNanos, gap });
  });
}

function toWhole(profile: ProfileValue): ProfilePart {
  return { profile, timeNanos: profile.timeNanos };
}

/** Returns the mean time between the profiles of a series; more than any step for a single one. */
function gapNanos(own: readonly ProfileValue[]): bigint {
  if (own.length === 1) return 1n << 62n;
  const [first, last] = [own[0], own[own.length - 1]];
  return (last.timeNanos - first.timeNanos) / BigInt(own.length - 1);
}

/** Returns values by step of each set of labels; none where they are too many to be held. */
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

interface Steps {
  readonly fromNanos: bigint;
  readonly stepNanos: bigint;
  readonly gap: bigint;
}

/** Divides the profiles of one series. */
function divide(
  own: readonly ProfileValue[],
  values: BigInt64Array,
  { fromNanos, stepNanos, gap }: Steps,
): ProfilePart[] {
  const parts: ProfilePart[] = [];
  const covered = new Set<ProfileValue>();
  let at = 0;
  values.forEach((value, step) => {
    if (value === 0n) return;
    const timeNanos = fromNanos + BigInt(step) * stepNanos;
    while (at + 1 < own.length && own[at + 1].timeNanos < timeNanos + stepNanos) at += 1;
    // The step in which a profile begins may have the end of the one before, too.
    const profile = own[at];
    if (profile.timeNanos + gap > timeNanos) covered.add(profile);
    if (at > 0 && own[at - 1].timeNanos + gap > timeNanos) covered.add(own[at - 1]);
    parts.push({ profile: { ...profile, value: Number(value) }, timeNanos });
  });
  const rest = own.filter((profile) => profile.value !== 0 && !covered.has(profile));
  return [...parts, ...rest.map(toWhole)];
}
