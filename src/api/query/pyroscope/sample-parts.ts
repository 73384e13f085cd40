// Parts of profiles by the times of their samples, for heatmaps whose steps are shorter than
// profiles.
import { errorCode } from '../../../base/errors.ts';
import { type LabelSet, labelSetKey } from '../../../model/labels.ts';
import type { QueryEngine, RangeQuestion, SamplesAnswer } from '../../../query/interface.ts';
import type { CallContext } from '../../transport/call/method.ts';
import type { ProfileValue } from './profile-values.ts';
import type { SelectedProfiles } from './request.ts';
import { parsePyroscopeSelector, profilesQuery } from './selector.ts';

/** A profile, or its part in one step. */
export interface ProfilePart {
  /** Its value is that of the part. */
  readonly profile: ProfileValue;
  /** Time in the step of the part: the profile's, or the start of the step. */
  readonly timeNanos: bigint;
}

/**
 * Divides profiles by the times of their samples where steps are shorter than profiles: the parts
 * of a series that are in one step are one. Profiles without times stay whole. `names` are the
 * labels that tell profiles apart.
 */
export async function divideBySamples(
  engine: QueryEngine,
  asked: SelectedProfiles,
  { range, stepNanos }: RangeQuestion,
  offsetNanos: bigint,
  { names, profiles }: { readonly names: readonly string[]; readonly profiles: ProfileValue[] },
  context: CallContext,
): Promise<ProfilePart[]> {
  const whole = (profile: ProfileValue): ProfilePart => {
    return { profile, timeNanos: profile.timeNanos };
  };
  const bySeries = Map.groupBy(profiles, ({ labels }) => labelSetKey(labels));
  const isFiner = bySeries.values().some((own) => stepNanos < gapNanos(own));
  if (!isFiner) return profiles.map(whole);
  const { conditions } = parsePyroscopeSelector(asked.labelSelector);
  const question = {
    query: profilesQuery(asked.profileTypeID, conditions),
    range: { from: range.from - offsetNanos, to: range.to - offsetNanos },
    stepNanos,
    by: names,
    limit: 0,
  };
  const lines = await readSamples(engine, question, context);
  return bySeries
    .entries()
    .flatMap(([key, own]) => {
      const line = lines.get(key);
      const gap = gapNanos(own);
      if (line === undefined || stepNanos >= gap) return own.map(whole);
      return divide(own, line, { fromNanos: question.range.from, stepNanos, gap });
    })
    .toArray();
}

/** Returns the mean time between the profiles of a series; more than any step for a single one. */
function gapNanos(own: readonly ProfileValue[]): bigint {
  if (own.length === 1) return 1n << 62n;
  const times = own.map(({ timeNanos }) => timeNanos);
  const first = times.reduce((a, b) => (a < b ? a : b));
  const last = times.reduce((a, b) => (a > b ? a : b));
  return (last - first) / BigInt(own.length - 1);
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
  const sorted = own.toSorted((a, b) => (a.timeNanos < b.timeNanos ? -1 : 1));
  const parts: ProfilePart[] = [];
  const covered = new Set<ProfileValue>();
  let at = 0;
  values.forEach((value, step) => {
    if (value === 0n) return;
    const timeNanos = fromNanos + BigInt(step) * stepNanos;
    while (at + 1 < sorted.length && sorted[at + 1].timeNanos < timeNanos + stepNanos) at += 1;
    // The step in which a profile begins may have the end of the one before, too.
    const profile = sorted[at];
    if (profile.timeNanos + gap > timeNanos) covered.add(profile);
    if (at > 0 && sorted[at - 1].timeNanos + gap > timeNanos) covered.add(sorted[at - 1]);
    parts.push({ profile: { ...profile, value: Number(value) }, timeNanos });
  });
  const rest = sorted.filter((profile) => profile.value !== 0 && !covered.has(profile));
  return [...parts, ...rest.map((profile) => ({ profile, timeNanos: profile.timeNanos }))];
}
