// Encodes new rows of a dictionary for the log, and decodes them.
//
// A symbols record is {number of earlier rows of each table} and sections {table, row count, rows};
// docs/format/wal.md shows the layout. From the numbers of earlier rows, a replay knows which rows
// it already has, and how many rows a lost record had. Stand-ins replace lost rows, so that later
// rows keep their numbers.
import { assert } from '../../base/assert.ts';
import type { ByteReader, ByteWriter } from '../../base/bytes.ts';
import { AppError } from '../../base/errors.ts';
import type { Steps } from '../../base/pacer.ts';
import type { Dictionary } from '../dictionary.ts';
import { mixHash } from '../hash-index.ts';
import type { LocationIndex, MappingIndex, NodeIndex, StringIndex } from '../rows.ts';
import type { SampleLabelEntry } from '../sample-labels-table.ts';

/** Number of rows of each table, in the order of `tables`. */
export type SymbolCounts = readonly number[];

/**
 * Maximum number of rows after which a section usually ends. A record can end after each section.
 */
const usualSectionRowsMax = 65_536;

/**
 * Rows of a replay that are stand-ins, or that refer to a stand-in although their key does not show
 * it. Such rows get a different key, so that new profiles do not find them and add correct rows
 * instead.
 */
export type LostRows = ReadonlyMap<TableCodec, Set<number>>;

/** Functions that encode and decode the rows of one table, and create its stand-ins. */
interface TableCodec {
  readonly name: string;
  length(dictionary: Dictionary): number;
  encode(writer: ByteWriter, dictionary: Dictionary, row: number): void;
  /**
   * Returns the number of parts of a row, for rows with a variable number of parts (lines, labels).
   */
  countParts?(dictionary: Dictionary, row: number): number;
  /** Interns a row, which is expected to become `row`. Returns its actual row. */
  decode(reader: ByteReader, dictionary: Dictionary, row: number, lost: LostRows): number;
  /**
   * Adds a stand-in, unless an equal row exists; `attempt` (0, 1, ...) makes it different each
   * time.
   */
  addLost(dictionary: Dictionary, row: number, attempt: number): void;
}

const strings: TableCodec = {
  name: 'strings',
  length: (dictionary) => dictionary.strings.length,
  encode(writer, { strings: table }, row) {
    const bytes = table.bytes(row as StringIndex);
    writer.varint(bytes.length);
    writer.raw(bytes);
  },
  decode(reader, { strings: table }) {
    const length = reader.varint();
    const start = reader.skip(length);
    return table.intern(reader.bytes, start, start + length);
  },
  addLost(dictionary, row, attempt) {
    dictionary.strings.internText(`[lost ${row}${'.'.repeat(attempt)}]`);
  },
};

const functions: TableCodec = {
  name: 'functions',
  length: (dictionary) => dictionary.functions.length,
  encode(writer, { functions: table }, row) {
    writer.varint(table.name[row]);
    writer.varint(table.systemName[row]);
    writer.varint(table.fileName[row]);
    writer.zigzag(table.startLine[row]);
  },
  decode(reader, { functions: table }, row, lost) {
    const name = stringRow(reader);
    const systemName = stringRow(reader);
    const fileName = stringRow(reader);
    for (const text of [name, systemName, fileName]) {
      if (isLost(lost, strings, text)) noteLost(lost, functions, row);
    }
    return table.intern(name, systemName, fileName, reader.zigzag());
  },
  addLost(dictionary, row, attempt) {
    const none = 0 as StringIndex;
    dictionary.functions.intern(none, none, none, -(row + attempt));
  },
};

const mappings: TableCodec = {
  name: 'mappings',
  length: (dictionary) => dictionary.mappings.length,
  encode(writer, { mappings: table }, row) {
    writer.varint64(table.startLow[row], table.startHigh[row]);
    writer.varint64(table.limitLow[row], table.limitHigh[row]);
    writer.varint64(table.offsetLow[row], table.offsetHigh[row]);
    writer.varint(table.fileName[row]);
    writer.varint(table.buildId[row]);
  },
  decode(reader, { mappings: table }) {
    reader.varint64(words, 0);
    reader.varint64(words, 2);
    reader.varint64(words, 4);
    return table.intern(
      words[0],
      words[1],
      words[2],
      words[3],
      words[4],
      words[5],
      stringRow(reader),
      stringRow(reader),
    );
  },
  addLost(dictionary, row, attempt) {
    const none = 0 as StringIndex;
    dictionary.mappings.intern(row, attempt, 0, 0, 0, 0, none, none);
  },
};

const locations: TableCodec = {
  name: 'locations',
  length: (dictionary) => dictionary.locations.length,
  countParts: ({ locations: { lineStart } }, row) => lineStart[row + 1] - lineStart[row],
  encode(writer, { locations: table }, row) {
    const first = table.lineStart[row];
    const end = table.lineStart[row + 1];
    writer.varint(table.mapping[row]);
    writer.varint64(table.addressLow[row], table.addressHigh[row]);
    writer.u32(table.linesHash[row]);
    writer.varint(end - first);
    for (let line = first; line < end; line += 1) {
      writer.varint(table.lineFunction[line]);
      writer.zigzag(table.lineNumber[line]);
      writer.zigzag(table.lineColumn[line]);
    }
  },
  decode(reader, { locations: table }, row, lost) {
    const mapping = reader.varint() as MappingIndex;
    reader.varint64(words, 0);
    const low = words[0];
    const high = words[1];
    const linesHash = reader.u32() | 0;
    const lines: number[] = [];
    let isTainted = false;
    for (let left = reader.varint(); left > 0; left -= 1) {
      const functionRow = reader.varint();
      lines.push(functionRow, reader.zigzag(), reader.zigzag());
      isTainted ||= isLost(lost, functions, functionRow);
    }
    const key = isTainted ? mixHash(linesHash, row) : linesHash;
    const known = table.find(mapping, low, high, key);
    if (known !== 0) return known;
    const added = table.add(mapping, low, high, key);
    for (let i = 0; i < lines.length; i += 3) table.addLine(lines[i], lines[i + 1], lines[i + 2]);
    return added;
  },
  addLost({ locations: table }, row, attempt) {
    const none = 0 as MappingIndex;
    if (table.find(none, row, attempt, 0) === 0) table.add(none, row, attempt, 0);
  },
};

const nodes: TableCodec = {
  name: 'nodes',
  length: (dictionary) => dictionary.stacks.nodeCount,
  encode(writer, { stacks: table }, row) {
    writer.varint(row - table.nodeParent[row]);
    writer.varint(table.nodeLocation[row]);
  },
  decode(reader, { stacks: table }, row, lost) {
    const parent = row - reader.varint();
    if (parent < 0) throw new AppError('data-loss', `cannot decode node ${row}: bad parent`);
    if (isLost(lost, nodes, parent)) noteLost(lost, nodes, row);
    return table.child(parent as NodeIndex, reader.varint() as LocationIndex);
  },
  addLost: (dictionary) => dictionary.stacks.addUnknownNode(),
};

const stacks: TableCodec = {
  name: 'stacks',
  length: (dictionary) => dictionary.stacks.length,
  encode(writer, { stacks: table }, row) {
    writer.varint(table.leaf[row]);
    writer.u32(table.hashLow[row]);
    writer.u32(table.hashHigh[row]);
  },
  decode(reader, { stacks: table }, row, lost) {
    const leaf = reader.varint() as NodeIndex;
    const isTainted = isLost(lost, nodes, leaf);
    const low = reader.u32() ^ (isTainted ? row : 0);
    const high = reader.u32() | 0;
    const known = table.find(low, high);
    return known === 0 ? table.addLeaf(low, high, leaf) : known;
  },
  addLost({ stacks: table }, row, attempt) {
    if (table.find(row, attempt) === 0) table.addLeaf(row, attempt, 0 as NodeIndex);
  },
};

const sampleLabels: TableCodec = {
  name: 'sample labels',
  length: (dictionary) => dictionary.sampleLabels.length,
  countParts: ({ sampleLabels: { entryStart } }, row) => entryStart[row + 1] - entryStart[row],
  encode(writer, { sampleLabels: table }, row) {
    const first = table.entryStart[row];
    const end = table.entryStart[row + 1];
    writer.varint(end - first);
    for (let i = first; i < end; i += 1) {
      writer.varint(table.key[i]);
      writer.varint(table.text[i]);
      writer.varintBig(table.number[i]);
      writer.varint(table.unit[i]);
    }
  },
  decode(reader, { sampleLabels: table }) {
    const entries: SampleLabelEntry[] = [];
    for (let count = reader.varint(); count > 0; count -= 1) {
      const key = stringRow(reader);
      const text = stringRow(reader);
      const number = reader.varintBig();
      entries.push({ key, text, number, unit: stringRow(reader) });
    }
    return table.intern(entries);
  },
  addLost(dictionary, row, attempt) {
    const none = 0 as StringIndex;
    const number = BigInt(row + attempt);
    dictionary.sampleLabels.intern([{ key: none, text: none, number, unit: none }]);
  },
};

/**
 * Tables in the order in which they refer to each other. The position of a table is its number on
 * the disk.
 */
const tables: readonly TableCodec[] = [
  strings,
  functions,
  mappings,
  locations,
  nodes,
  stacks,
  sampleLabels,
];

const words = new Uint32Array(6);

/** Creates the set of lost rows of one replay, initially empty. */
export function createLostRows(): LostRows {
  return new Map(tables.map((table) => [table, new Set()]));
}

function isLost(lost: LostRows, table: TableCodec, row: number): boolean {
  return lost.get(table)?.has(row) === true;
}

function noteLost(lost: LostRows, table: TableCodec, row: number): void {
  lost.get(table)?.add(row);
}

function stringRow(reader: ByteReader): StringIndex {
  return reader.varint() as StringIndex;
}

/** Returns the current number of rows of each table. */
export function symbolCounts(dictionary: Dictionary): SymbolCounts {
  return tables.map((table) => table.length(dictionary));
}

/** Number of rows of a table that are encoded in one step. */
const rowsPerStep = 4_096;

/** Functions that write records around the payloads of `encodeSymbols`. */
interface SymbolFrame {
  readonly payloadBytesMax: number;
  /** Maximum number of rows and row parts in a section, after which a payload may end. */
  readonly sectionRowsMax?: number;
  /** Called before each record. Returns the start of the record. */
  begin(): number;
  /** Called after each record. Returns further steps, if there are any. */
  end(start: number): Steps<void> | undefined;
}

/**
 * Writes the rows from `from` to `to` as payloads of one or more records, in steps. A payload ends
 * once it is larger than `payloadBytesMax`. Rows may be added to the dictionary between two steps.
 */
export function* encodeSymbols(
  writer: ByteWriter,
  dictionary: Dictionary,
  from: SymbolCounts,
  to: SymbolCounts,
  frame: SymbolFrame,
): Steps<void> {
  const { sectionRowsMax = usualSectionRowsMax } = frame;
  const written = [...from];
  let start = -1;
  for (const [number, table] of tables.entries()) {
    while (written[number] < to[number]) {
      if (start < 0) {
        start = frame.begin();
        for (const count of written) writer.varint(count);
      }
      const end = sectionEnd(table, dictionary, written[number], to[number], sectionRowsMax);
      writer.u8(number);
      writer.varint(end - written[number]);
      for (let row = written[number]; row < end; row += rowsPerStep) {
        const stepEnd = Math.min(end, row + rowsPerStep);
        encodeRows(writer, dictionary, table, row, stepEnd);
        if (stepEnd < end) yield;
      }
      written[number] = end;
      if (writer.length - start <= frame.payloadBytesMax) continue;
      yield* endOf(frame, start);
      start = -1;
    }
  }
  if (start >= 0) yield* endOf(frame, start);
}

function encodeRows(
  writer: ByteWriter,
  dictionary: Dictionary,
  table: TableCodec,
  from: number,
  end: number,
): void {
  for (let row = from; row < end; row += 1) table.encode(writer, dictionary, row);
}

function* endOf(frame: SymbolFrame, start: number): Steps<void> {
  const steps = frame.end(start);
  if (steps !== undefined) yield* steps;
  yield;
}

/** Returns the end of a section: the row after its last row. A section has at least one row. */
function sectionEnd(
  table: TableCodec,
  dictionary: Dictionary,
  first: number,
  end: number,
  rowsMax: number,
): number {
  if (table.countParts === undefined) return Math.min(end, first + rowsMax);
  let row = first;
  for (let left = rowsMax; left > 0 && row < end; row += 1) {
    left -= 1 + table.countParts(dictionary, row);
  }
  return row;
}

/** Number of rows that are decoded in one step. Each row may touch new pages of an index. */
const decodedPerStep = 256;

/**
 * Adds the rows of one symbols payload to the dictionary, in steps. Returns the number of stand-ins
 * that were made for rows of lost records.
 *
 * Errors: AppError 'data-loss' when a row contradicts the dictionary.
 */
export function* decodeSymbols(
  reader: ByteReader,
  dictionary: Dictionary,
  lost: LostRows,
): Steps<number> {
  let standIns = 0;
  const read = tables.map((table) => {
    const count = reader.varint();
    for (let row = table.length(dictionary); row < count; row += 1) noteLost(lost, table, row);
    standIns += addLostRows(table, dictionary, count);
    return count;
  });
  while (reader.at < reader.end) {
    const number = reader.u8();
    if (number >= tables.length) {
      throw new AppError('data-loss', `cannot decode symbols: unknown table ${number}`);
    }
    const table = tables[number];
    const end = read[number] + reader.varint();
    for (let row = read[number]; row < end; row += 1) {
      const became = table.decode(reader, dictionary, row, lost);
      if (became !== row) {
        throw new AppError(
          'data-loss',
          `cannot decode symbols: row ${row} of ${table.name} became row ${became}`,
        );
      }
      if (row % decodedPerStep === decodedPerStep - 1) yield;
    }
    read[number] = end;
  }
  return standIns;
}

/**
 * Adds stand-ins until the tables of stacks and sample labels have the given numbers of rows.
 * Returns the number of stand-ins.
 */
export function addLostStacks(
  dictionary: Dictionary,
  stackCount: number,
  sampleLabelsCount: number,
): number {
  return (
    addLostRows(stacks, dictionary, stackCount) +
    addLostRows(sampleLabels, dictionary, sampleLabelsCount)
  );
}

function addLostRows(table: TableCodec, dictionary: Dictionary, end: number): number {
  const first = table.length(dictionary);
  for (let row = first; row < end; row += 1) {
    for (let attempt = 0; table.length(dictionary) === row; attempt += 1) {
      table.addLost(dictionary, row, attempt);
      assert(attempt < 1_000_000, 'a stand-in is found');
    }
  }
  return Math.max(0, end - first);
}
