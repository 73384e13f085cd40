// Stores the results of recording rules: each sample is a snapshot profile with a single value.
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

/** Unit of recorded values; stored values are integers. */
export const recordedUnit = 'millionths';
export const recordedUnitsPerOne = 1e6;

/** Profile type of recorded values. */
export const recordedType: ProfileType = {
  name: recordedName,
  sample: { type: 'value', unit: recordedUnit },
  period: { type: 'rule', unit: 'evaluations' },
  delta: false,
};

/** Dependencies of the recorder. */
export interface RecorderOptions {
  readonly storage: Pick<Storage, 'appender'>;
  readonly clock: Clock;
}

/** Rule whose samples are recorded. */
export interface RecordContext {
  readonly group: RuleGroupConfig;
  readonly rule: RecordRuleConfig;
}

/** A value to store. */
interface RecordedValue {
  readonly labels: LabelSet;
  readonly units: bigint;
}

/**
 * Stores the samples of a rule durably, as values at `timeNanos`. Skips numbers that are not
 * finite.
 *
 * Errors: AppError 'invalid-argument' if two samples have the same labels after adding the rule's
 * labels, 'out-of-range' for a number that is too large; 'resource-exhausted' for more samples than
 * the group's limit; errors of the store. After an error, nothing is stored.
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
      // The head was replaced in the meantime, so the values go to the next head.
      if (errorCode(error) !== 'aborted') throw error;
    }
  }
}

/** Appends all values; returns false if the head was replaced during a pause. */
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
 * Returns a profile with one row for the empty stack. If the value is 0, the profile has no rows,
 * which gives the same sum.
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

/** Returns a sample's labels with the labels of the group and the rule, as written. */
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
