// Reads the profiles section of a chunk: the digest when the section is opened, other columns on
// demand.
import { ByteReader } from '../../base/bytes.ts';
import { chunkProfilesMax } from '../limits.ts';
import { valueTypesMax } from '../../base/limits.ts';
import type { TimesDigest, ProfileDigest } from '../../model/profiles/profile-digest.ts';
import { checkVersion, damaged, readFactor, readZigzagNumber } from './chunk-format.ts';
import { type ColumnCode, multiply, readColumn, readColumnCode } from './int64-column.ts';

/**
 * A column of `count` elements. `at` is the offset of its bytes, counted from the end of the
 * header.
 */
interface PlacedColumn {
  readonly code: ColumnCode;
  readonly count: number;
  readonly at: number;
}

/** Reads the codes of columns, and places the columns one after another. */
class ColumnPlacer {
  readonly reader: ByteReader;
  /** Total bytes of the columns read so far. */
  bytes = 0;

  constructor(reader: ByteReader) {
    this.reader = reader;
  }

  place(count: number): PlacedColumn {
    const code = readColumnCode(this.reader);
    const at = this.bytes;
    this.bytes = at + count * code.width;
    return { code, count, at };
  }
}

/** A value column, either stored or a multiple of value column 0. */
interface ValueColumnFacts {
  readonly factor: number;
  /** Sum over all profiles, before multiplication by the factor. */
  readonly total: number | bigint;
  readonly count: number;
  /** Offset of the magnitude, which is stored as a double. */
  readonly magnitudeAt: number;
  /** Totals of the profiles, before multiplication by the factor. */
  readonly totals: PlacedColumn;
  /** Number of nonzero rows of each profile; undefined if it equals the number of all rows. */
  readonly counts: PlacedColumn | undefined;
}

/**
 * The columns of a chunk's profiles, for every value column. Ownership: the bytes of the section
 * must not change; the caller owns returned columns.
 */
export class ChunkProfiles {
  readonly profileCount: number;
  readonly rowCount: number;
  readonly valueColumnCount: number;
  readonly hasContentHashes: boolean;
  readonly #bytes: Uint8Array;
  readonly #first: number | bigint;
  /** Nanoseconds from the first profile to the last. */
  readonly #span: number | bigint;
  /** Offset of four doubles, which are absent if there are too few profiles. */
  readonly #timesAt: number;
  readonly #spacings: PlacedColumn;
  readonly #durations: PlacedColumn;
  readonly #periods: PlacedColumn;
  readonly #rows: PlacedColumn;
  readonly #valueColumns: readonly ValueColumnFacts[];
  /** Offsets of the columns and of the content hashes. */
  readonly #columnsAt: number;
  readonly #hashesAt: number;

  /** Reads the header. Errors: AppError 'data-loss'. */
  constructor(bytes: Uint8Array) {
    const reader = new ByteReader(bytes);
    checkVersion(reader);
    const flags = reader.u8();
    if (flags > 1) throw damaged(`its profiles have flags ${flags}`);
    const profileCount = reader.varint();
    if (profileCount > chunkProfilesMax) throw damaged(`it has ${profileCount} profiles`);
    const placer = new ColumnPlacer(reader);
    this.#bytes = bytes;
    this.profileCount = profileCount;
    this.hasContentHashes = flags === 1;
    this.#first = readZigzagNumber(reader);
    this.#span = readZigzagNumber(reader);
    this.#spacings = placer.place(Math.max(0, profileCount - 1));
    this.#durations = placer.place(profileCount);
    this.#timesAt = reader.skip(profileCount > 1 ? 32 : 0);
    this.#periods = placer.place(profileCount);
    this.rowCount = reader.varint();
    this.#rows = placer.place(profileCount);
    this.valueColumnCount = reader.u8();
    if (this.valueColumnCount === 0 || this.valueColumnCount > valueTypesMax) {
      throw damaged(`it has ${this.valueColumnCount} value columns`);
    }
    const valueColumns: ValueColumnFacts[] = [];
    for (let valueColumn = 0; valueColumn < this.valueColumnCount; valueColumn += 1) {
      valueColumns.push(readValueColumn(placer, profileCount, this.rowCount, valueColumns[0]));
    }
    this.#valueColumns = valueColumns;
    this.#columnsAt = reader.at;
    this.#hashesAt = reader.at + placer.bytes;
    const end = this.#hashesAt + (this.hasContentHashes ? profileCount * 4 : 0);
    if (end !== bytes.length) throw damaged(`its profiles end at byte ${end} of ${bytes.length}`);
  }

  /** Time of the first profile; 0 when there are no profiles. */
  get firstNanos(): bigint {
    return BigInt(this.#first);
  }

  /** Time of the last profile; 0 when there are no profiles. */
  get lastNanos(): bigint {
    return BigInt.asIntN(64, BigInt(this.#first) + BigInt(this.#span));
  }

  /** Returns the digest of all profiles, without reading a column. */
  digest(valueColumn: number): ProfileDigest {
    const { profileCount, firstNanos, lastNanos } = this;
    const { total, count, factor, magnitudeAt } = this.#valueColumns[valueColumn];
    const { code } = this.#periods;
    return {
      profileCount,
      rowCount: this.rowCount,
      firstNanos,
      lastNanos,
      total: BigInt.asIntN(64, BigInt(total) * BigInt(factor)),
      magnitude: this.#double(magnitudeAt) * Math.abs(factor),
      count: factor === 0 ? 0 : count,
      period: code.width === 0 ? BigInt(code.base) : undefined,
      ...this.#timesDigest(),
    };
  }

  timeNanos(): BigInt64Array {
    const times = new BigInt64Array(this.profileCount);
    if (times.length > 0) {
      times[0] = this.firstNanos;
      times.set(this.#read(this.#spacings), 1);
    }
    addUp(new Int32Array(times.buffer));
    return times;
  }

  durationNanos(): BigInt64Array {
    return this.#read(this.#durations);
  }

  period(): BigInt64Array {
    return this.#read(this.#periods);
  }

  /**
   * Returns the number of rows of each profile in the rows section. Rows that are 0 in every value
   * column are not in that section.
   */
  rowCounts(): Uint32Array {
    return narrowed(this.#read(this.#rows));
  }

  /** Returns the sum of each profile's values. */
  totals(valueColumn: number): BigInt64Array {
    const { totals, factor } = this.#valueColumns[valueColumn];
    const values = this.#read(totals);
    multiply(values, values.length, factor);
    return values;
  }

  /** Returns the number of nonzero rows of each profile. */
  counts(valueColumn: number): Uint32Array {
    const { counts, factor } = this.#valueColumns[valueColumn];
    if (factor === 0) return new Uint32Array(this.profileCount);
    return narrowed(this.#read(counts ?? this.#rows));
  }

  /** Returns the low half of each profile's content hash, if hashes were stored. */
  contentHashes(): Uint32Array | undefined {
    if (!this.hasContentHashes) return undefined;
    const hashes = new Uint32Array(this.profileCount);
    new Uint8Array(hashes.buffer).set(this.#bytes.subarray(this.#hashesAt));
    return hashes;
  }

  #read({ at, count, code }: PlacedColumn): BigInt64Array {
    return readColumn(this.#bytes, this.#columnsAt + at, count, code);
  }

  #timesDigest(): TimesDigest {
    const { profileCount } = this;
    const timesAt = this.#timesAt;
    const durations = this.#durations;
    const hasSpacings = profileCount > 1;
    return {
      spacingMinNanos: hasSpacings ? this.#double(timesAt) : 0,
      spacingMaxNanos: hasSpacings ? this.#double(timesAt + 8) : 0,
      coveredNanos: hasSpacings ? this.#double(timesAt + 16) : 0,
      lastDurationNanos: hasSpacings ? this.#double(timesAt + 24) : Number(durations.code.base),
    };
  }

  #double(at: number): number {
    const bytes = this.#bytes;
    return new DataView(bytes.buffer, bytes.byteOffset).getFloat64(at, true);
  }
}

function readValueColumn(
  placer: ColumnPlacer,
  profileCount: number,
  rowCount: number,
  firstValueColumn: ValueColumnFacts | undefined,
): ValueColumnFacts {
  const { reader } = placer;
  const kind = reader.u8();
  if (kind > 3) throw damaged(`its totals have kind ${kind}`);
  if ((kind & 1) !== 0) {
    if (firstValueColumn === undefined) throw damaged('value column 0 is a multiple of itself');
    const { total, count, magnitudeAt, totals, counts } = firstValueColumn;
    return { factor: readFactor(reader), total, count, magnitudeAt, totals, counts };
  }
  const total = readZigzagNumber(reader);
  const magnitudeAt = reader.skip(8);
  const totals = placer.place(profileCount);
  const isFull = (kind & 2) !== 0;
  const count = isFull ? rowCount : reader.varint();
  const counts = isFull ? undefined : placer.place(profileCount);
  return { factor: 1, total, count, magnitudeAt, totals, counts };
}

/**
 * Replaces each 64-bit number with the running sum. A number is a pair of 32-bit words, the low
 * word first.
 */
function addUp(words: Int32Array): void {
  let low = 0;
  let high = 0;
  for (let i = 0; i < words.length; i += 2) {
    const added = words[i];
    low = (low + added) | 0;
    // The comparison is unsigned: if a sum is smaller than one of its summands, there is a carry.
    high = (high + words[i + 1] + ((low ^ 0x8000_0000) < (added ^ 0x8000_0000) ? 1 : 0)) | 0;
    words[i] = low;
    words[i + 1] = high;
  }
}

function narrowed(values: BigInt64Array): Uint32Array {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
  const narrow = new Uint32Array(values.length);
  for (let i = 0; i < narrow.length; i += 1) narrow[i] = words[i * 2];
  return narrow;
}
