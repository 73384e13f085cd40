// What identifies a stream: the profiles of one label set and shape.
import { labelSetKey, type LabelSet } from '../../model/labels.ts';
import type { ProfileType } from '../../model/profile-type.ts';
import { shapeText, type Shape } from './shape.ts';

/** A stream's profiles share all of this. Each sample type of it is one series of an answer. */
export interface StreamKey extends Shape {
  readonly labels: LabelSet;
}

/** A text that two stream keys share exactly when they are equal. */
export function streamKeyText(key: StreamKey): string {
  return `${shapeText(key)}\u0002${labelSetKey(key.labels)}`;
}

/** The profile type of each sample type. */
export function profileTypesOf(shape: Shape): ProfileType[] {
  return shape.sampleTypes.map((sample) => ({
    name: shape.name,
    sample,
    period: shape.periodType,
    delta: shape.delta,
  }));
}
