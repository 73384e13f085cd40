// The key of a stream: its label set and its shape.
import type { LabelSet } from '../../model/labels.ts';
import type { ProfileType, ValueType } from '../../model/profile-type.ts';
import type { ByteReader, ByteWriter } from '../../base/bytes.ts';

/**
 * Key of a stream, which all its profiles share. In answers, each sample type of a stream is a
 * separate series.
 */
export interface StreamKey extends Shape {
  readonly labels: LabelSet;
}

/** Returns the profile type of each sample type. */
export function listProfileTypes(shape: Shape): ProfileType[] {
  return shape.sampleTypes.map((sample) => ({
    name: shape.name,
    sample,
    period: shape.periodType,
    delta: shape.delta,
  }));
}

export interface Shape {
  readonly name: string;
  readonly sampleTypes: readonly ValueType[];
  readonly periodType: ValueType;
  /** True if the profiles cover a duration. */
  readonly delta: boolean;
}

/** Returns a string that is the same for equal shapes, and different for all others. */
export function formatShape({ name, delta, periodType, sampleTypes }: Shape): string {
  let text = `${name}\u0000${delta ? 1 : 0}${periodType.type}\u0000${periodType.unit}`;
  for (const { type, unit } of sampleTypes) text += `\u0000${type}\u0001${unit}`;
  return text;
}

/** Writes a shape in the form that log records and block directories share. */
export function encodeShape(writer: ByteWriter, shape: Shape): void {
  writer.text(shape.name);
  writer.u8(shape.delta ? 1 : 0);
  encodeValueType(writer, shape.periodType);
  writer.varint(shape.sampleTypes.length);
  for (const type of shape.sampleTypes) encodeValueType(writer, type);
}

/** Reads a shape. Errors: AppError 'data-loss' when the bytes end early. */
export function decodeShape(reader: ByteReader): Shape {
  return {
    name: reader.text(),
    delta: reader.u8() === 1,
    periodType: decodeValueType(reader),
    sampleTypes: Array.from({ length: reader.varint() }, () => decodeValueType(reader)),
  };
}

function encodeValueType(writer: ByteWriter, { type, unit }: ValueType): void {
  writer.text(type);
  writer.text(unit);
}

function decodeValueType(reader: ByteReader): ValueType {
  return { type: reader.text(), unit: reader.text() };
}
