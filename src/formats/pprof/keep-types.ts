// Removes sample types from a pprof message without decoding its stacks and symbols.
import type { ValueType } from '../../model/profile-type.ts';
import { eachField } from '../wire-fields.ts';
import { readPprofHead } from './head.ts';
import { rewriteSamples } from './rewrite-samples.ts';
import { WireReader } from '../wire-reader.ts';

const sampleField = 2;

/** Returns the number of samples of an uncompressed message. Errors: DecodeError. */
export function countSamples(message: Uint8Array): number {
  const reader = new WireReader();
  reader.open(message);
  let count = 0;
  eachField(reader, { start: 0, end: message.length }, (field) => {
    if (field === sampleField) count += 1;
  });
  return count;
}

/**
 * Returns an uncompressed message with only the wanted sample types and their values, or the same
 * message if it has no other types.
 *
 * Errors: DecodeError.
 */
export function keepSampleTypes(message: Uint8Array, wanted: readonly ValueType[]): Uint8Array {
  const isKept = readPprofHead(message).sampleTypes.map(({ type, unit }) =>
    wanted.some((one) => one.type === type && one.unit === unit),
  );
  if (isKept.every(Boolean)) return message;
  return rewriteSamples(message, {
    keepsType: (index) => isKept[index],
    values: (values) => values.filter((_, i) => isKept[i]),
  });
}
