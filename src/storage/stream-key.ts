// What identifies a stream: the profiles of one label set and shape.
import { labelSetKey, type LabelSet } from '../model/labels.ts';
import type { ProfileType, ValueType } from '../model/profile-type.ts';

/** A stream's profiles share all of this. Each sample type of it is one series of an answer. */
export interface StreamKey {
  readonly labels: LabelSet;
  readonly name: string;
  readonly sampleTypes: readonly ValueType[];
  readonly periodType: ValueType;
  /** Whether its profiles cover a duration. */
  readonly delta: boolean;
}

/** A text that two stream keys share exactly when they are equal. */
export function streamKeyText(key: StreamKey): string {
  let text = `${key.name}\u0000${key.delta ? 1 : 0}${key.periodType.type}\u0000${key.periodType.unit}`;
  for (const { type, unit } of key.sampleTypes) text += `\u0000${type}\u0001${unit}`;
  return `${text}\u0002${labelSetKey(key.labels)}`;
}

/** The profile type of each sample type. */
export function profileTypesOf(key: StreamKey): ProfileType[] {
  return key.sampleTypes.map((sample) => ({
    name: key.name,
    sample,
    period: key.periodType,
    delta: key.delta,
  }));
}
