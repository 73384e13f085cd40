// Writes merged stacks as pprof, for `go tool pprof`.
//
// Only symbols that the stacks need are written: mappings, locations, functions and strings get
// dense ids from 1, in the order of their first use. Samples are leaf first, as the format
// requires. Source: https://github.com/google/pprof/blob/main/proto/profile.proto
import type { Dictionary } from '../../model/dictionary.ts';
import type { LabelSet } from '../../model/labels.ts';
import type { LabelledStacks, MergedStacks } from '../../model/merged-stacks.ts';
import type { ValueType } from '../../model/profile-type.ts';
import type { FunctionIndex, StringIndex } from '../../model/rows.ts';
import { ProtobufWriter } from '../protobuf-writer.ts';

/** Information about a profile other than its samples. */
export interface PprofMeta {
  readonly sampleType: ValueType;
  readonly periodType: ValueType;
  /** Period of the profile; 0 = unknown. */
  readonly period: bigint;
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
}

/**
 * Returns the uncompressed pprof message of one value type.
 *
 * Rows with value 0 are left out; the empty stack is a sample without locations. The base of a
 * group is subtracted as in `go tool pprof -diff_base`: its samples have negated values and the
 * label pprof::base=true, from which pprof computes the total for percentages. Ownership: the
 * arguments are borrowed.
 */
export function encodePprof(
  dictionary: Dictionary,
  groups: readonly LabelledStacks[],
  meta: PprofMeta,
): Uint8Array {
  const encoder = new Encoder(dictionary);
  // The strings of labels and types come after the strings of symbols.
  for (const { merged, base } of groups) {
    encoder.meetLocations(merged);
    if (base !== undefined) encoder.meetLocations(base);
  }
  encoder.writeSymbols();
  encoder.writeMeta(meta);
  for (const { labels, merged } of groups) encoder.writeSamples(merged, labels, 1n);
  for (const { labels, base } of groups) {
    if (base !== undefined) encoder.writeSamples(base, [...labels, baseLabel], -1n);
  }
  encoder.writeStrings();
  return encoder.message.finish();
}

const baseLabel = { name: 'pprof::base', value: 'true' };

/** Assigns dense ids to the rows of one table, in the order of their first use. */
class IdAssigner {
  /** Row of each id; id 0 is row 0. */
  readonly rows: number[] = [0];
  readonly #ids: Int32Array;

  constructor(tableLength: number) {
    this.#ids = new Int32Array(tableLength);
  }

  id(row: number): number {
    if (row === 0) return 0;
    const known = this.#ids[row];
    if (known !== 0) return known;
    const id = this.rows.length;
    this.#ids[row] = id;
    this.rows.push(row);
    return id;
  }
}

/** Facts about a mapping that the lines of its locations show. */
interface MappingFacts {
  hasFunctions: boolean;
  hasFileNames: boolean;
  hasLineNumbers: boolean;
  hasInlineFrames: boolean;
}

class Encoder {
  readonly message = new ProtobufWriter();
  readonly #dictionary: Dictionary;
  readonly #mappings: IdAssigner;
  readonly #locations: IdAssigner;
  readonly #functions: IdAssigner;
  readonly #strings: IdAssigner;
  /** Strings that are not in the dictionary; their ids follow those of `strings`. */
  readonly #texts = new Map<string, number>();

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
    this.#mappings = new IdAssigner(dictionary.mappings.length);
    this.#locations = new IdAssigner(dictionary.locations.length);
    this.#functions = new IdAssigner(dictionary.functions.length);
    this.#strings = new IdAssigner(dictionary.strings.length);
  }

  /** Assigns ids to the locations of stacks, which are then written with the symbols. */
  meetLocations({ stacks, values }: MergedStacks): void {
    const { leaf, nodeParent, nodeLocation } = this.#dictionary.stacks;
    for (let row = 0; row < stacks.length; row += 1) {
      if (values[row] === 0n) continue;
      for (let node = leaf[stacks[row]]; node !== 0; node = nodeParent[node]) {
        this.#locations.id(nodeLocation[node]);
      }
    }
  }

  /** Writes samples, which come after the symbols; values are multiplied by `sign`. */
  writeSamples({ stacks, values }: MergedStacks, labels: LabelSet, sign: 1n | -1n): void {
    const { message } = this;
    const pairs = labels.map(({ name, value }) => [this.#textId(name), this.#textId(value)]);
    for (let row = 0; row < stacks.length; row += 1) {
      if (values[row] === 0n) continue;
      const sample = this.#beginSample(stacks[row], sign * values[row]);
      for (const [name, value] of pairs) {
        const label = message.begin(3);
        message.uint(1, name);
        message.uint(2, value);
        message.end(label);
      }
      message.end(sample);
    }
  }

  #beginSample(stack: number, value: bigint): number {
    const { leaf, nodeParent, nodeLocation } = this.#dictionary.stacks;
    const { message } = this;
    const locations = this.#locations;
    const sample = message.begin(2);
    const frames = message.begin(1);
    for (let node = leaf[stack]; node !== 0; node = nodeParent[node]) {
      message.varint(locations.id(nodeLocation[node]));
    }
    message.end(frames);
    const packed = message.begin(2);
    message.varint64(value);
    message.end(packed);
    return sample;
  }

  /** Writes locations, then mappings and functions. Each table assigns ids for the next table. */
  writeSymbols(): void {
    const facts: MappingFacts[] = [];
    const { rows } = this.#locations;
    for (let id = 1; id < rows.length; id += 1) this.#writeLocation(id, rows[id], facts);
    for (let id = 1; id < this.#mappings.rows.length; id += 1) {
      this.#writeMapping(id, this.#mappings.rows[id], facts[id]);
    }
    for (let id = 1; id < this.#functions.rows.length; id += 1) {
      this.#writeFunction(id, this.#functions.rows[id] as FunctionIndex);
    }
  }

  writeMeta(meta: PprofMeta): void {
    const { message } = this;
    this.#writeValueType(1, meta.sampleType);
    message.int64(9, meta.timeNanos);
    message.int64(10, meta.durationNanos);
    this.#writeValueType(11, meta.periodType);
    message.int64(12, meta.period);
  }

  writeStrings(): void {
    for (const row of this.#strings.rows) {
      this.message.bytesField(6, this.#dictionary.strings.bytes(row as StringIndex));
    }
    const encoder = new TextEncoder();
    for (const text of this.#texts.keys()) this.message.bytesField(6, encoder.encode(text));
  }

  #writeLocation(id: number, row: number, facts: MappingFacts[]): void {
    const { message } = this;
    const { locations, functions } = this.#dictionary;
    const mapping = this.#mappings.id(locations.mapping[row]);
    const known = (facts[mapping] ??= noFacts());
    const start = locations.lineStart[row];
    const end = locations.lineStart[row + 1];
    const location = message.begin(4);
    message.uint(1, id);
    message.uint(2, mapping);
    message.uint64(3, locations.addressLow[row], locations.addressHigh[row]);
    for (let line = start; line < end; line += 1) {
      const functionRow = locations.lineFunction[line];
      const nested = message.begin(4);
      message.uint(1, this.#functions.id(functionRow));
      message.int64(2, BigInt(locations.lineNumber[line]));
      message.int64(3, BigInt(locations.lineColumn[line]));
      message.end(nested);
      known.hasFunctions ||= functionRow !== 0;
      known.hasFileNames ||= functions.fileName[functionRow] !== 0;
      known.hasLineNumbers ||= locations.lineNumber[line] !== 0;
    }
    known.hasInlineFrames ||= end - start > 1;
    message.end(location);
  }

  #writeMapping(id: number, row: number, facts: MappingFacts): void {
    const { message } = this;
    const { mappings } = this.#dictionary;
    const mapping = message.begin(3);
    message.uint(1, id);
    message.uint64(2, mappings.startLow[row], mappings.startHigh[row]);
    message.uint64(3, mappings.limitLow[row], mappings.limitHigh[row]);
    message.uint64(4, mappings.offsetLow[row], mappings.offsetHigh[row]);
    message.uint(5, this.#strings.id(mappings.fileName[row]));
    message.uint(6, this.#strings.id(mappings.buildId[row]));
    // Without these flags, pprof would try to symbolize with a binary of that name on the user's
    // disk.
    message.uint(7, Number(facts.hasFunctions));
    message.uint(8, Number(facts.hasFileNames));
    message.uint(9, Number(facts.hasLineNumbers));
    message.uint(10, Number(facts.hasInlineFrames));
    message.end(mapping);
  }

  #writeFunction(id: number, row: FunctionIndex): void {
    const { message } = this;
    const { functions } = this.#dictionary;
    const nested = message.begin(5);
    message.uint(1, id);
    message.uint(2, this.#strings.id(functions.displayName(row)));
    message.uint(3, this.#strings.id(functions.systemName[row]));
    message.uint(4, this.#strings.id(functions.fileName[row]));
    message.int64(5, BigInt(functions.startLine[row]));
    message.end(nested);
  }

  #writeValueType(field: number, { type, unit }: ValueType): void {
    const nested = this.message.begin(field);
    this.message.uint(1, this.#textId(type));
    this.message.uint(2, this.#textId(unit));
    this.message.end(nested);
  }

  /** Returns the id of a string. All strings of the dictionary must already have ids. */
  #textId(text: string): number {
    if (text === '') return 0;
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const id = this.#strings.rows.length + this.#texts.size;
    this.#texts.set(text, id);
    return id;
  }
}

function noFacts(): MappingFacts {
  return {
    hasFunctions: false,
    hasFileNames: false,
    hasLineNumbers: false,
    hasInlineFrames: false,
  };
}
