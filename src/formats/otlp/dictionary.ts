// The tables that all profiles of an OTLP request share, as columns. Row 0 of each means "none".
import { AppError } from '../../base/errors.ts';
import { inputLimits, overInputLimit } from '../../base/input-limits.ts';
import type { WireReader } from '../wire-reader.ts';
import { type Attribute, readAnyValue } from './attributes.ts';
import {
  bytesWire,
  eachField,
  readIndices,
  readSpan,
  type ByteSpan,
  varintWire,
} from '../wire-fields.ts';

const decoder = new TextDecoder();
/** Units of work for each byte in a list of indices. An index takes at least one byte. */
const indexWork = 0.1;

/** A table whose rows are lists of different lengths; `of(row)` returns the entries of a row. */
class Lists {
  readonly #entries: number[] = [];
  readonly #ends: number[] = [];

  get length(): number {
    return this.#ends.length;
  }

  /** Adds a row; `fill` pushes its entries. */
  add(fill: (entries: number[]) => void): void {
    fill(this.#entries);
    this.#ends.push(this.#entries.length);
  }

  of(row: number): number[] {
    return this.#entries.slice(row === 0 ? 0 : this.#ends[row - 1], this.#ends[row]);
  }
}

/** A row of the function table. */
export interface FunctionRow {
  readonly name: string;
  readonly systemName: string;
  readonly file: string;
  readonly startLine: number;
}

/** A binary that code was loaded from. */
export interface MappingRow {
  readonly start: bigint;
  readonly limit: bigint;
  readonly offset: bigint;
  readonly file: string;
  readonly buildId: string;
}

/** A row of the location table. */
export interface LocationRow {
  readonly mapping: number;
  readonly address: bigint;
  /** Rows of lines, innermost first. */
  readonly lines: readonly number[];
  /** Kind of the frame, such as "kernel" or "native"; "" if unknown. */
  readonly kind: string;
}

/** Names of attributes that may contain the build id, best first. */
const buildIdKeys = [
  'process.executable.build_id.gnu',
  'process.executable.build_id.go',
  'process.executable.build_id.htlhash',
];

/** Counts the work of a request. */
interface Work {
  take(work: number): void;
}

/** The tables of one request. Rows are read from the message on first use. */
export class OtlpDictionary {
  readonly #reader: WireReader;
  readonly #work: Work;
  readonly #strings: ByteSpan[] = [];
  readonly #texts: string[] = [];
  readonly #mappings: ByteSpan[] = [];
  readonly #locations: ByteSpan[] = [];
  readonly #functions: ByteSpan[] = [];
  readonly #links: ByteSpan[] = [];
  readonly #attributes: ByteSpan[] = [];
  readonly #knownAttributes: Attribute[] = [];
  readonly #stacks = new Lists();
  #rows = 0;

  constructor(reader: WireReader, work: Work) {
    this.#reader = reader;
    this.#work = work;
  }

  /** Reads the tables of a message; a request may have several copies of a table. */
  read(span: ByteSpan): void {
    const reader = this.#reader;
    const tables = new Map<number, ByteSpan[]>([
      [1, this.#mappings],
      [2, this.#locations],
      [3, this.#functions],
      [4, this.#links],
      [5, this.#strings],
      [6, this.#attributes],
    ]);
    eachField(reader, span, (field, wire) => {
      if (wire !== bytesWire) return;
      this.#work.take(1);
      this.#rows += 1;
      if (this.#rows > inputLimits.profileSymbols) throw tooMany();
      const row = tables.get(field);
      if (row !== undefined) row.push(readSpan(reader, span.end));
      else if (field === 7) this.#readStack(readSpan(reader, span.end));
    });
  }

  /** Number of rows of the attribute table. */
  get attributeCount(): number {
    return this.#attributes.length;
  }

  readonly text = (row: number): string => {
    if (row === 0) return '';
    const known = this.#texts[row];
    if (known !== undefined) return known;
    const { start, end } = requireRow(this.#strings, row, 'string');
    return (this.#texts[row] = decoder.decode(this.#reader.bytes.subarray(start, end)));
  };

  /** Returns the rows of a stack's locations, leaf first. */
  stack(row: number): readonly number[] {
    if (row === 0) return [];
    if (row < 0 || row >= this.#stacks.length) throw noRow('stack', row);
    return this.#stacks.of(row);
  }

  attribute(row: number): Attribute {
    const known = this.#knownAttributes[row];
    if (known !== undefined) return known;
    const reader = this.#reader;
    const span = requireRow(this.#attributes, row, 'attribute');
    let [key, value] = ['', ''];
    eachField(reader, span, (field, wire) => {
      if (field === 1 && wire === varintWire) key = this.text(reader.index());
      else if (field === 2 && wire === bytesWire) {
        value = readAnyValue(reader, readSpan(reader, span.end), this.text);
      }
    });
    return (this.#knownAttributes[row] = { key, value });
  }

  /** Returns the ids of a trace and a span in hexadecimal. */
  link(row: number): { readonly traceId: string; readonly spanId: string } {
    const reader = this.#reader;
    const span = requireRow(this.#links, row, 'link');
    const ids = ['', ''];
    eachField(reader, span, (field, wire) => {
      if (wire !== bytesWire || field > 2) return;
      const { start, end } = readSpan(reader, span.end);
      ids[field - 1] = Buffer.from(reader.bytes.subarray(start, end)).toString('hex');
    });
    return { traceId: ids[0], spanId: ids[1] };
  }

  mapping(row: number): MappingRow {
    const reader = this.#reader;
    const span = requireRow(this.#mappings, row, 'mapping');
    const numbers = [0n, 0n, 0n];
    let file = '';
    const attributes: number[] = [];
    eachField(reader, span, (field, wire) => {
      if (field <= 3 && wire === varintWire) numbers[field - 1] = reader.int64();
      else if (field === 4 && wire === varintWire) file = this.text(reader.index());
      else if (field === 5) readIndices(reader, wire, span.end, attributes);
    });
    const [start, limit, offset] = numbers.map((number) => BigInt.asUintN(64, number));
    const given = attributes.map((at) => this.attribute(at));
    const found = buildIdKeys.flatMap((key) => given.find((one) => one.key === key) ?? []);
    return { start, limit, offset, file, buildId: found[0]?.value ?? '' };
  }

  location(row: number): LocationRow {
    const reader = this.#reader;
    const span = requireRow(this.#locations, row, 'location');
    let mapping = 0;
    let address = 0n;
    const lines: number[] = [];
    const attributes: number[] = [];
    eachField(reader, span, (field, wire) => {
      if (field === 1 && wire === varintWire) mapping = reader.index();
      else if (field === 2 && wire === varintWire) address = BigInt.asUintN(64, reader.int64());
      else if (field === 3 && wire === bytesWire) {
        lines.push(...readLine(reader, readSpan(reader, span.end)));
      } else if (field === 4) readIndices(reader, wire, span.end, attributes);
    });
    const kinds = attributes.map((at) => this.attribute(at));
    const kind = kinds.find(({ key }) => key === 'profile.frame.type')?.value ?? '';
    return { mapping, address, lines, kind };
  }

  function(row: number): FunctionRow {
    const reader = this.#reader;
    const span = requireRow(this.#functions, row, 'function');
    const numbers = [0, 0, 0, 0];
    eachField(reader, span, (field, wire) => {
      if (field <= 4 && wire === varintWire) numbers[field - 1] = reader.index();
    });
    const [name, systemName, file] = numbers.slice(0, 3).map((text) => this.text(text));
    return { name, systemName, file, startLine: Math.max(0, numbers[3]) };
  }

  #readStack(span: ByteSpan): void {
    const reader = this.#reader;
    this.#stacks.add((entries) => {
      const before = entries.length;
      this.#work.take(indexWork * (span.end - span.start));
      eachField(reader, span, (field, wire) => {
        if (field === 1) readIndices(reader, wire, span.end, entries);
      });
      if (entries.length - before > inputLimits.stackDepth) {
        throw overInputLimit(
          'stackDepth',
          `cannot read profiles: a stack has more than ${inputLimits.stackDepth} frames`,
        );
      }
    });
  }
}

function readLine(reader: WireReader, span: ByteSpan): [number, number, number] {
  const line: [number, number, number] = [0, 0, 0];
  eachField(reader, span, (field, wire) => {
    // A number above 2^31 is not a line number.
    if (field <= 3 && wire === varintWire) line[field - 1] = Math.max(0, reader.index());
  });
  return line;
}

function requireRow(table: readonly ByteSpan[], row: number, what: string): ByteSpan {
  const span = row < 0 ? undefined : table[row];
  if (span === undefined) throw noRow(what, row);
  return span;
}

function noRow(what: string, row: number): AppError {
  const shown = row < 0 ? 'past 2^31' : String(row);
  return new AppError('invalid-argument', `the dictionary has no ${what} ${shown}`);
}

function tooMany(): AppError {
  return overInputLimit(
    'profileSymbols',
    `cannot read profiles: their dictionary has more than ${inputLimits.profileSymbols} rows`,
  );
}
