// Stores the results of recording rules: each sample becomes a snapshot profile with one value.
import { AppError, errorCode } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import { Pacer } from '../base/pacer.ts';
import { createLabelSet, formatLabels, type LabelSet, labelSetKey } from '../model/labels.ts';
import type { ProfileType } from '../model/profile-type.ts';
import { recordedName, recordLabel } from '../promql-like/recorded-series.ts';
import type { Appender, IncomingProfile, Storage } from '../storage/interface.ts';
import { type Vector, withoutName } from './evaluate.ts';
import type { RecordRuleConfig, RuleGroupConfig } from './interface.ts';
import { recordedNumberMax, resultSamplesMax } from './limits.ts';

/** Unit of recorded values, because stored values are whole numbers. */
export const recordedUnit = 'millionths';
export const recordedUnitsPerOne = 1e6;

/** Type of the profiles that hold recorded values. */
export const recordedType: ProfileType = {
  name: recordedName,
  sample: { type: 'value', unit: recordedUnit },
  period: { type: 'rule', unit: 'evaluations' },
  delta: false,
};

/** Collaborators of the recorder. */
export interface RecorderOptions {
  readonly storage: Pick<Storage, 'appender'>;
  readonly clock: Clock;
}

/** Rule whose samples are recorded. */
export interface RecordContext {
  readonly group: RuleGroupConfig;
  readonly rule: RecordRuleConfig;
}

/** One value to store. */
interface RecordedValue {
  readonly labels: LabelSet;
  readonly units: bigint;
}

/**
 * Stores the samples of a rule durably, as values at `timeNanos`. Numbers that are not finite are
 * left out.
 *
 * Errors: AppError 'invalid-argument' where two samples have the same labels once the rule has
 * added its own, 'out-of-range' for a number that is too large; 'resource-exhausted' for more than
 * the group's limit; those of the store. Then nothing is stored.
 */
export async function recordSamples(
  samples: Vector,
  context: RecordContext,
  timeNanos: bigint,
  { storage, clock }: RecorderOptions,
): Promise<void> {
  const values = labelled(samples, context);
  for (;;) {
    const appender = storage.appender();
    const isCurrent = (): boolean => storage.appender().dictionary === appender.dictionary;
    if (!(await appendAll(values, timeNanos, appender, { clock, isCurrent }))) continue;
    try {
      await appender.commit();
      return;
    } catch (error) {
      // The head was cut in the meantime; the next one takes the values.
      if (errorCode(error) !== 'aborted') throw error;
    }
  }
}

/** Appends all values; returns false if the head was cut during a pause. */
async function appendAll(
  values: readonly RecordedValue[],
  timeNanos: bigint,
  appender: Appender,
  { clock, isCurrent }: { readonly clock: Clock; readonly isCurrent: () => boolean },
): Promise<boolean> {
  const pacer = new Pacer(clock);
  for (const value of values) {
    appender.append(toProfile(value, timeNanos));
    const pausing = pacer.pause();
    if (pausing === undefined) continue;
    await pausing;
    if (!isCurrent()) return false;
  }
  return true;
}

/**
 * Returns a profile with one row of the empty stack; without a row for 0, which has the same sum.
 */
function toProfile({ labels, units }: RecordedValue, timeNanos: bigint): IncomingProfile {
  return {
    labels,
    name: recordedName,
    sampleTypes: [recordedType.sample],
    periodType: recordedType.period,
    period: 0n,
    timeNanos,
    durationNanos: 0n,
    rowCount: units === 0n ? 0 : 1,
    stacks: new Uint32Array(1),
    values: [new BigInt64Array([units])],
    sampleLabels: undefined,
    contentHash: BigInt.asUintN(64, units),
  };
}

function labelled(samples: Vector, { group, rule }: RecordContext): RecordedValue[] {
  const limit = group.limit > 0 ? group.limit : resultSamplesMax;
  if (samples.length > limit) {
    const why = `${samples.length} samples, the limit of the group is ${limit}`;
    throw new AppError('resource-exhausted', `cannot record rule: it gives ${why}`);
  }
  const keys = new Set<string>();
  return samples.flatMap((sample) => {
    const labels = recordedLabels(sample.labels, { group, rule });
    const key = labelSetKey(labels);
    if (keys.has(key)) {
      const why = `several samples have the labels ${formatLabels(labels)}`;
      throw new AppError('invalid-argument', `cannot record rule: ${why}`);
    }
    keys.add(key);
    return Number.isFinite(sample.value) ? [{ labels, units: toUnits(sample.value) }] : [];
  });
}

/** Returns a sample's labels together with those of the group and the rule, as written. */
function recordedLabels(own: LabelSet, { group, rule }: RecordContext): LabelSet {
  const labels = new Map(withoutName(own).map(({ name, value }) => [name, value]));
  for (const { name, value } of group.labels) labels.set(name, value);
  for (const { name, template } of rule.labels) labels.set(name, template.text);
  labels.set(recordLabel, rule.name);
  return createLabelSet([...labels].map(([name, value]) => ({ name, value })));
}

function toUnits(value: number): bigint {
  if (Math.abs(value) <= recordedNumberMax) return BigInt(Math.round(value * recordedUnitsPerOne));
  const why = `${value} is too large, the limit is ${recordedNumberMax}: divide it, as by 1048576`;
  throw new AppError('out-of-range', `cannot record rule: ${why}`);
}
