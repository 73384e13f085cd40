// Names of the innermost functions of a pprof message, read without decoding the rest.
import {
  eachField,
  readIndices,
  readSpan,
  type ByteSpan,
  bytesWire,
  varintWire,
} from '../wire-fields.ts';
import { WireReader } from './wire-reader.ts';

const fields = { sample: 2, location: 4, function: 5, string: 6 };

/**
 * Returns the name of the innermost function of each of the first samples, "" where it has none.
 *
 * Errors: DecodeError.
 */
export function readLeafNames(message: Uint8Array, samplesMax: number): string[] {
  const reader = new WireReader();
  reader.open(message);
  const end = message.length;
  const leaves: number[] = [];
  const functionOfLocation = new Map<number, number>();
  const nameOfFunction = new Map<number, number>();
  const strings: ByteSpan[] = [];
  eachField(reader, { start: 0, end }, (field, wire) => {
    if (wire !== bytesWire) return;
    if (field === fields.sample && leaves.length < samplesMax) {
      leaves.push(firstLocation(reader, readSpan(reader, end)));
    } else if (field === fields.location) {
      const { id, inner } = readLocation(reader, readSpan(reader, end));
      functionOfLocation.set(id, inner);
    } else if (field === fields.function) {
      const [id, name] = readNumbers(reader, readSpan(reader, end), [1, 2]);
      nameOfFunction.set(id, name);
    } else if (field === fields.string) strings.push(readSpan(reader, end));
  });
  const decoder = new TextDecoder();
  return leaves.map((leaf) => {
    const name = nameOfFunction.get(functionOfLocation.get(leaf) ?? 0) ?? 0;
    const place = strings.at(name);
    return place === undefined ? '' : decoder.decode(message.subarray(place.start, place.end));
  });
}

function firstLocation(reader: WireReader, sample: ByteSpan): number {
  const ids: number[] = [];
  eachField(reader, sample, (field, wire) => {
    if (field === 1) readIndices(reader, wire, sample.end, ids);
  });
  return ids.at(0) ?? 0;
}

/** Returns the id of a location and the function of its first line, the innermost call. */
function readLocation(reader: WireReader, span: ByteSpan): { id: number; inner: number } {
  let [id, inner] = [0, 0];
  eachField(reader, span, (field, wire) => {
    if (field === 1 && wire === varintWire) id = reader.index();
    else if (field === 4 && wire === bytesWire && inner === 0) {
      [inner] = readNumbers(reader, readSpan(reader, span.end), [1]);
    }
  });
  return { id, inner };
}

function readNumbers(reader: WireReader, span: ByteSpan, wanted: readonly number[]): number[] {
  const found = wanted.map(() => 0);
  eachField(reader, span, (field, wire) => {
    const at = wanted.indexOf(field);
    if (at !== -1 && wire === varintWire) found[at] = reader.index();
  });
  return found;
}
