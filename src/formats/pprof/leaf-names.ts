// Names of the innermost functions of a pprof message, read without decoding the rest.
import type { Steps } from '../../base/pacer.ts';
import {
  type ByteSpan,
  bytesWire,
  eachField,
  eachFieldInSteps,
  readIndices,
  readSpan,
  readStringsInSteps,
  varintWire,
} from '../wire-fields.ts';
import { WireReader } from '../wire-reader.ts';

const fields = { sample: 2, location: 4, function: 5, string: 6 };

/**
 * Returns, in steps, the name of the innermost function of each of the first samples; "" for a
 * sample without one. Each pass searches for the ids that the previous pass has found, so memory
 * does not grow with the message.
 *
 * Errors: DecodeError.
 */
export function* leafNameSteps(message: Uint8Array, samplesMax: number): Steps<string[]> {
  const reader = new WireReader();
  reader.open(message);
  const end = message.length;
  const pass = (wanted: number, take: (span: ByteSpan) => void): Steps<void> =>
    eachFieldInSteps(reader, { start: 0, end }, (field, wire) => {
      if (field === wanted && wire === bytesWire) take(readSpan(reader, end));
    });
  const leaves: number[] = [];
  yield* pass(fields.sample, (span) => {
    if (leaves.length < samplesMax) leaves.push(isLong(span) ? 0 : firstLocation(reader, span));
    reader.pos = span.end;
  });
  const isLeaf = new Set(leaves);
  const functionOfLocation = new Map<number, number>();
  yield* pass(fields.location, (span) => {
    if (isLong(span)) return;
    const { id, inner } = readLocation(reader, span);
    if (isLeaf.has(id)) functionOfLocation.set(id, inner);
  });
  const isWanted = new Set(functionOfLocation.values());
  const nameOfFunction = new Map<number, number>();
  yield* pass(fields.function, (span) => {
    if (isLong(span)) return;
    const [id, name] = readNumbers(reader, span, [1, 2]);
    if (isWanted.has(id)) nameOfFunction.set(id, name);
  });
  const rows = new Set(nameOfFunction.values());
  const texts = yield* readStringsInSteps(message, fields.string, rows);
  return leaves.map((leaf) => {
    const name = nameOfFunction.get(functionOfLocation.get(leaf) ?? 0) ?? 0;
    return name === 0 ? '' : (texts.get(name) ?? '');
  });
}

/**
 * Size in bytes above which the name of a sample or location is not read. Thousands of frames take
 * less.
 */
const partBytesMax = 1 << 20;

function isLong({ start, end }: ByteSpan): boolean {
  return end - start > partBytesMax;
}

function firstLocation(reader: WireReader, sample: ByteSpan): number {
  const ids: number[] = [];
  eachField(reader, sample, (field, wire) => {
    if (field === 1) readIndices(reader, wire, sample.end, ids);
  });
  return ids.at(0) ?? 0;
}

/**
 * Returns the id of a location, and the function of its first line, which is the innermost call.
 */
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
