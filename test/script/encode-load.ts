// Encodes a `load` as a pprof message without the product's encoder.
import Long from 'long';
import protobuf from 'protobufjs/minimal.js';
import type { LoadCommand, ScriptRow } from './parse-script.ts';

/**
 * A frame as it is written, such as `outer[line=3]>inlined[file=x.go]`: its lines, the outermost
 * first, and facts about the location.
 */
interface Frame {
  readonly lines: readonly { readonly name: string; readonly facts: ReadonlyMap<string, string> }[];
  readonly address: bigint;
  readonly mapping: string;
  readonly build: string;
}

export function encodeLoad(load: LoadCommand): Uint8Array {
  return new LoadEncoder().encode(load);
}

class LoadEncoder {
  readonly #writer = new protobuf.Writer();
  readonly #strings = new Map<string, number>([['', 0]]);
  readonly #locations = new Map<string, number>();
  readonly #functions = new Map<string, number>();
  readonly #mappings = new Map<string, number>();

  encode(load: LoadCommand): Uint8Array {
    for (const pair of load.sampleTypes) this.#valueType(1, pair);
    for (const row of load.rows) this.#sample(row);
    for (const [text, id] of this.#locations) this.#location(parseFrame(text), id);
    this.#writeStringsAfter(load);
    return this.#writer.finish();
  }

  #writeStringsAfter(load: LoadCommand): void {
    const writer = this.#writer;
    this.#int64(9, load.timeNanos);
    this.#int64(10, load.durationNanos);
    this.#valueType(11, load.periodType);
    this.#int64(12, load.period);
    for (const text of this.#strings.keys()) writer.uint32(6 * 8 + 2).string(text);
  }

  #sample({ stack, values, labels }: ScriptRow): void {
    const writer = this.#writer;
    const frames = stack === '-' ? [] : stack.split(';').reverse();
    writer.uint32(2 * 8 + 2).fork();
    writer.uint32(1 * 8 + 2).fork();
    for (const frame of frames) writer.uint32(assignId(this.#locations, frame));
    writer.ldelim();
    writer.uint32(2 * 8 + 2).fork();
    for (const value of values) writer.int64(long(value));
    writer.ldelim();
    for (const { name, text, number, unit } of labels) {
      writer.uint32(3 * 8 + 2).fork();
      this.#uint(1, this.#string(name));
      this.#uint(2, this.#string(text));
      this.#int64(3, number);
      this.#uint(4, this.#string(unit));
      writer.ldelim();
    }
    writer.ldelim();
  }

  #location({ lines, address, mapping, build }: Frame, id: number): void {
    const mappingId = mapping + build === '' ? 0 : this.#mapping(mapping, build);
    const functionIds = lines.map(({ name, facts }) => this.#function(name, facts));
    const writer = this.#writer;
    writer.uint32(4 * 8 + 2).fork();
    this.#uint(1, id);
    this.#uint(2, mappingId);
    this.#int64(3, address);
    // pprof has the innermost line first.
    for (let i = lines.length - 1; i >= 0; i -= 1) {
      writer.uint32(4 * 8 + 2).fork();
      this.#uint(1, functionIds[i]);
      this.#uint(2, Number(lines[i].facts.get('line') ?? 0));
      writer.ldelim();
    }
    writer.ldelim();
  }

  #function(name: string, facts: ReadonlyMap<string, string>): number {
    const own = ['system', 'file', 'start'].map((key) => facts.get(key) ?? '');
    const key = [name, ...own].join('\n');
    const known = this.#functions.get(key);
    if (known !== undefined) return known;
    const id = assignId(this.#functions, key);
    this.#writer.uint32(5 * 8 + 2).fork();
    this.#uint(1, id);
    this.#uint(2, this.#string(name));
    this.#uint(3, this.#string(own[0]));
    this.#uint(4, this.#string(own[1]));
    this.#uint(5, Number(own[2]));
    this.#writer.ldelim();
    return id;
  }

  #mapping(file: string, build: string): number {
    const key = `${file}\n${build}`;
    const known = this.#mappings.get(key);
    if (known !== undefined) return known;
    const id = assignId(this.#mappings, key);
    this.#writer.uint32(3 * 8 + 2).fork();
    this.#uint(1, id);
    this.#uint(5, this.#string(file));
    this.#uint(6, this.#string(build));
    this.#writer.ldelim();
    return id;
  }

  #valueType(field: number, [type, unit]: readonly [string, string]): void {
    this.#writer.uint32(field * 8 + 2).fork();
    this.#uint(1, this.#string(type));
    this.#uint(2, this.#string(unit));
    this.#writer.ldelim();
  }

  #uint(field: number, value: number): void {
    if (value !== 0) this.#writer.uint32(field * 8).uint32(value);
  }

  #int64(field: number, value: bigint): void {
    if (value !== 0n) this.#writer.uint32(field * 8).int64(long(value));
  }

  #string(text: string): number {
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    this.#strings.set(text, this.#strings.size);
    return this.#strings.size - 1;
  }
}

/** Returns the id of a key; ids are counted from 1, in the order of first use. */
function assignId(ids: Map<string, number>, key: string): number {
  const known = ids.get(key);
  if (known !== undefined) return known;
  ids.set(key, ids.size + 1);
  return ids.size;
}

function long(value: bigint): Long {
  return Long.fromString(value.toString());
}

function parseFrame(text: string): Frame {
  const lines = text.split('>').map((part) => {
    const match = /^([^[\]]*)(?:\[(.*)\])?$/.exec(part);
    if (match === null) throw new Error(`cannot read frame: ${part}`);
    const pairs = (match[2] ?? '').split(',').map((pair) => pair.split('='));
    return { name: match[1], facts: new Map(pairs.map(([key, value = '']) => [key, value])) };
  });
  const fact = (key: string): string =>
    lines.find(({ facts }) => facts.has(key))?.facts.get(key) ?? '';
  const isBare = lines[0].name.startsWith('0x');
  return {
    lines: isBare ? [] : lines,
    address: BigInt(isBare ? lines[0].name : fact('address') || 0),
    mapping: fact('mapping'),
    build: fact('build'),
  };
}
