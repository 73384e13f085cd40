// Copies of damaged symbols are found wherever they lie, in one pass over the segment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteWriter } from '../base/bytes.ts';
import { MemoryFiles } from '../base/fake/memory-files.ts';
import type { File } from '../base/files.ts';
import { seededRandom } from '../base/random.ts';
import { Dictionary } from '../model/dictionary.ts';
import type { StringIndex } from '../model/rows.ts';
import { createLostRows, decodeSymbols, encodeSymbols, symbolCounts } from './symbol-codec.ts';
import { SymbolCopies } from './symbol-copies.ts';
import { beginRecord, endRecord, recordType, segmentHeaderBytes } from './wal-format.ts';
import { scanSegment } from './wal-reader.ts';

const salt = 7;

/** A segment of records that add one string each. */
class Segment {
  private readonly writer = new ByteWriter(segmentHeaderBytes);
  private readonly dictionary = new Dictionary([1, 2, 3]);
  /** Where each record lies: from .. end. */
  readonly places: { readonly from: number; readonly end: number }[] = [];

  constructor() {
    this.writer.raw(new Uint8Array(segmentHeaderBytes));
  }

  get bytes(): Uint8Array {
    return this.writer.bytes.subarray(0, this.writer.length);
  }

  /** Adds records of the strings "0", "1", ..., each a group of its own unless told otherwise. */
  addRecords(count: number, { areGroups = true, textBytes = 0 } = {}): void {
    for (let i = 0; i < count; i += 1) {
      const from = symbolCounts(this.dictionary);
      this.dictionary.strings.internText(String(this.places.length).padEnd(textBytes, '.'));
      const start = this.writer.length;
      encodeSymbols(this.writer, this.dictionary, from, symbolCounts(this.dictionary), {
        payloadBytesMax: 100,
        begin: () => beginRecord(this.writer),
        end: (at) => endRecord(this.writer, at, recordType.symbols, areGroups, salt),
      });
      this.places.push({ from: start, end: this.writer.length });
    }
  }

  /** Writes records first .. end once more. */
  addCopies(first: number, end: number): void {
    this.writer.raw(this.bytes.slice(this.places[first].from, this.places[end - 1].end));
  }

  /** Damages the last byte of a record. */
  damage(record: number): void {
    this.bytes[this.places[record].end - 1] ^= 1;
  }

  damageHeader(record: number): void {
    this.bytes[this.places[record].from + 5] ^= 1;
  }
}

/** What a replay of symbols alone finds. */
interface Found {
  /** In the order of their rows, beginning with row 1. */
  readonly strings: readonly string[];
  readonly standIns: number;
  readonly bytesRead: number;
}

async function replay(segment: Segment): Promise<Found> {
  let bytesRead = 0;
  const files = new MemoryFiles(seededRandom(1));
  const stored = await files.open('segment', { create: true });
  await stored.append(segment.bytes);
  const counting: Pick<File, 'read'> = {
    async read(into, offset) {
      const count = await stored.read(into, offset);
      bytesRead += count;
      return count;
    },
  };
  const file: File = Object.assign(Object.create(stored), counting);
  const scan = { file, salt, end: segment.bytes.length, isLast: true };
  const dictionary = new Dictionary([1, 2, 3]);
  const lostRows = createLostRows();
  const copies = new SymbolCopies(scan, dictionary, lostRows);
  let standIns = 0;
  await scanSegment({
    ...scan,
    onRecord: (_, payload) => {
      standIns += decodeSymbols(payload, dictionary, lostRows);
    },
    onDamage: (_, to) => copies.readBehind(to),
  });
  const { strings } = dictionary;
  const texts = Array.from({ length: strings.length - 1 }, (_, i) =>
    strings.text((i + 1) as StringIndex),
  );
  return { strings: texts, standIns, bytesRead };
}

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, i) => String(i));
}

test('symbols come from copies, whichever records are damaged', async () => {
  const segment = new Segment();
  segment.addRecords(4);
  segment.addCopies(2, 4);
  segment.addRecords(6);
  segment.addCopies(4, 9);
  segment.addCopies(9, 10);
  // Both records of the first copied group; of the second two apart, and two in one damage.
  for (const record of [2, 3, 5, 9]) segment.damage(record);
  for (const record of [7, 8]) segment.damageHeader(record);
  const { strings, standIns } = await replay(segment);
  assert.deepEqual(strings, numbers(10));
  assert.equal(standIns, 0);
});

test('what has no copy is stood in for, and what follows it is found', async () => {
  const segment = new Segment();
  segment.addRecords(10);
  segment.addCopies(5, 10);
  for (const record of [1, 3, 5, 9]) segment.damage(record);
  const { strings, standIns } = await replay(segment);
  const want = numbers(10);
  want[1] = '[lost 2]';
  want[3] = '[lost 4]';
  assert.deepEqual(strings, want);
  assert.equal(standIns, 2);
});

test('a segment is looked through once for all of its damaged records', async () => {
  const segment = new Segment();
  segment.addRecords(1_000);
  segment.addCopies(900, 1_000);
  for (let record = 0; record < 1_000; record += 2) segment.damage(record);
  const { strings, standIns, bytesRead } = await replay(segment);
  assert.equal(standIns, 450);
  assert.deepEqual(strings.slice(900), numbers(1_000).slice(900));
  // The records themselves, one look at all that lies behind the first damage, and the copies.
  assert.ok(bytesRead <= segment.bytes.length * 3, `${bytesRead} of ${segment.bytes.length}`);
});

test('the end of a group is looked for once, however much of it is damaged', async () => {
  const segment = new Segment();
  // More than is read at once.
  segment.addRecords(3_000, { areGroups: false, textBytes: 2_000 });
  segment.addRecords(1);
  for (let record = 0; record < 3_000; record += 100) segment.damage(record);
  const { standIns, bytesRead } = await replay(segment);
  assert.equal(standIns, 30);
  // Twice for the end of the group and the records behind the first damage, by both who read.
  assert.ok(bytesRead <= segment.bytes.length * 4.1, `${bytesRead} of ${segment.bytes.length}`);
});
