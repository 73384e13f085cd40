// Commits profiles. Profiles that arrive during an insert share the next insert.
import { ByteWriter } from '../../base/bytes.ts';
import { AppError } from '../../base/errors.ts';
import {
  clickHouseInsertBytesMax,
  clickHouseStreamsKnownMax,
  storageRetryMillis,
} from '../limits.ts';
import { walPendingBytesMax } from '../../base/limits.ts';
import { memoryShare } from '../../base/memory-limit.ts';
import type { Clock } from '../../base/clock.ts';
import { everyone, runAs } from '../../base/current-caller.ts';
import { finishAtOnce, finishPausing, Pacer, type Steps } from '../../base/pacer.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { Appender, IncomingProfile } from '../interface.ts';
import {
  floorToDay,
  rowBytes,
  type RowsByTable,
  type Stream,
  toStream,
  SymbolRows,
  writeProfile,
  writeStream,
} from './encode-rows.ts';
import { type TableName, tableNames } from './schema.ts';
import type { ClickHouseServers } from './server.ts';
import { SymbolHashes } from './symbol-hashes.ts';

/**
 * Maximum number of days for which written symbols are remembered: today, and the days in which
 * clients with fast clocks are.
 */
const symbolDaysMax = 4;
/** Symbols that are written in one step, which takes a few milliseconds. */
const symbolsPerStep = 256;
/** Bytes of the row of a profile that are copied in one step. */
const bytesPerStep = 1024 * 1024;

/** A dictionary of the store, with the rows that have been written. */
class WrittenSymbols {
  readonly dictionary: Dictionary;
  readonly hashes: SymbolHashes;
  /**
   * Rows of symbols that have been written, by day. A failed insert clears the map, so that all are
   * written again.
   */
  readonly #days = new Map<bigint, SymbolRows>();

  constructor(dictionary: Dictionary) {
    this.dictionary = dictionary;
    this.hashes = new SymbolHashes(dictionary);
  }

  /**
   * Returns the symbols that were written for a day, which must not be before `today`. Drops the
   * symbols of days before `today`.
   */
  on(day: bigint, today: bigint): SymbolRows {
    const known = this.#days.get(day);
    if (known !== undefined) return known;
    for (const past of this.#days.keys()) if (past < today) this.#days.delete(past);
    // Symbols of forgotten days are written again, which does no harm.
    if (this.#days.size >= symbolDaysMax) this.#days.clear();
    const rows = new SymbolRows(this.dictionary, this.hashes, day);
    this.#days.set(day, rows);
    return rows;
  }

  forget(): void {
    this.#days.clear();
  }
}

/** A profile that is waiting for its insert. */
interface PendingProfile {
  readonly stream: Stream;
  readonly day: bigint;
  readonly row: Uint8Array;
  readonly stacks: Uint32Array;
  readonly sampleLabels: Uint32Array | undefined;
}

interface PendingBatch {
  readonly symbols: WrittenSymbols;
  readonly profiles: readonly PendingProfile[];
  readonly bytes: number;
  readonly settle: (error?: unknown) => void;
}

/** Writes batches of profiles, one insert at a time. */
export class WriteQueue {
  readonly #servers: ClickHouseServers;
  readonly #clock: Clock;
  readonly #createDictionary: () => Dictionary;
  readonly #dictionaryBytesMax: number;
  #symbols: WrittenSymbols;
  /** Streams that were written, by day and id. */
  #streams = new Set<string>();
  #queue: PendingBatch[] = [];
  #bytes = 0;
  #isWriting = false;
  #isClosed = false;
  #idle: Promise<void> = Promise.resolve();

  constructor(
    servers: ClickHouseServers,
    clock: Clock,
    createDictionary: () => Dictionary,
    dictionaryBytesMax: number,
  ) {
    this.#servers = servers;
    this.#clock = clock;
    this.#createDictionary = createDictionary;
    this.#dictionaryBytesMax = dictionaryBytesMax;
    this.#symbols = new WrittenSymbols(createDictionary());
  }

  appender(): Appender {
    // When a full dictionary is replaced, its symbols are written again, which does no harm.
    if (this.#symbols.dictionary.usedBytes > this.#dictionaryBytesMax) {
      this.#symbols = new WrittenSymbols(this.#createDictionary());
      this.#streams = new Set();
    }
    const symbols = this.#symbols;
    const { dictionary, hashes } = symbols;
    let profiles: PendingProfile[] = [];
    function* appendInSteps(profile: IncomingProfile): Steps<void> {
      profiles.push(yield* toPending(profile, hashes));
    }
    return {
      dictionary,
      append: (profile) => finishAtOnce(appendInSteps(profile)),
      appendInSteps,
      commit: () => {
        const batch = profiles;
        profiles = [];
        return this.#commit(symbols, batch);
      },
    };
  }

  /** Resolves when every queued batch has been written or refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#idle;
  }

  async #commit(symbols: WrittenSymbols, profiles: readonly PendingProfile[]): Promise<void> {
    if (profiles.length === 0) return;
    if (this.#isClosed) {
      throw new AppError('unavailable', 'cannot store profiles: the store is closing');
    }
    const bytes = profiles.reduce(
      (sum, { row, stacks }) => sum + row.length + stacks.byteLength,
      0,
    );
    const bytesMax = memoryShare('log', walPendingBytesMax);
    if (this.#bytes + bytes > bytesMax) {
      throw new AppError(
        'resource-exhausted',
        `cannot store profiles: ${this.#bytes} bytes wait for ClickHouse, the limit is ${bytesMax}`,
        { retryAfterMillis: storageRetryMillis },
      );
    }
    this.#bytes += bytes;
    await new Promise<void>((resolve, reject) => {
      const settle = (error?: unknown): void => {
        this.#bytes -= bytes;
        if (error === undefined) resolve();
        else reject(error);
      };
      this.#queue.push({ symbols, profiles, bytes, settle });
      // All writers wait for this work, no matter which of them starts it.
      if (!this.#isWriting) this.#idle = runAs(everyone, () => this.#writeAll());
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#queue.length > 0) {
      const batches = this.#takeBatches();
      let failure: unknown;
      try {
        await this.#write(batches);
      } catch (error) {
        failure = error;
        // Some rows of the failed insert may have been written.
        for (const { symbols } of batches) symbols.forget();
        this.#streams.clear();
      }
      for (const { settle } of batches) settle(failure);
    }
    this.#isWriting = false;
  }

  #takeBatches(): PendingBatch[] {
    let bytes = 0;
    const end = this.#queue.findIndex((batch, i) => {
      bytes += batch.bytes;
      return i > 0 && bytes > clickHouseInsertBytesMax;
    });
    return this.#queue.splice(0, end === -1 ? this.#queue.length : end);
  }

  /**
   * Writes batches. Symbols are written first, so that a profile never refers to a stack that is
   * not stored.
   */
  async #write(batches: readonly PendingBatch[]): Promise<void> {
    const writers = tableNames.map((name) => [name, new ByteWriter(65_536)] as const);
    const rows = Object.fromEntries(writers) as Record<TableName, ByteWriter>;
    const today = floorToDay(this.#clock.nowNanos());
    const pacer = new Pacer(this.#clock);
    for (const { symbols, profiles } of batches) {
      for (const profile of profiles) {
        await finishPausing(this.#addRows(symbols, profile, today, rows), pacer);
      }
    }
    const insert = (table: TableName): Promise<void> => {
      const { bytes, length } = rows[table];
      if (length === 0) return Promise.resolve();
      return this.#servers.insert(table, bytes.subarray(0, length));
    };
    const symbolTables = tableNames.filter((name) => name !== 'profiles');
    await Promise.all(symbolTables.map(insert));
    await insert('profiles');
  }

  *#addRows(
    symbols: WrittenSymbols,
    { stream, day, row, stacks, sampleLabels }: PendingProfile,
    today: bigint,
    rows: RowsByTable,
  ): Steps<void> {
    // Symbols must be kept as long as the profile, and its day may be later than today.
    const symbolRows = symbols.on(day > today ? day : today, today);
    for (const [i, stack] of stacks.entries()) {
      symbolRows.addStack(stack, rows);
      if (i % symbolsPerStep === symbolsPerStep - 1) yield;
    }
    for (const [i, labels] of sampleLabels?.entries() ?? []) {
      symbolRows.addSampleLabels(labels, rows);
      if (i % symbolsPerStep === symbolsPerStep - 1) yield;
    }
    const key = `${day} ${stream.id}`;
    if (!this.#streams.has(key)) {
      if (this.#streams.size >= clickHouseStreamsKnownMax) this.#streams.clear();
      this.#streams.add(key);
      writeStream(rows.streams, day, stream);
    }
    rows.profiles.reserve(row.length);
    for (let from = 0; from < row.length; from += bytesPerStep) {
      rows.profiles.raw(row.subarray(from, from + bytesPerStep));
      yield;
    }
  }
}

function* toPending(profile: IncomingProfile, hashes: SymbolHashes): Steps<PendingProfile> {
  const { rowCount, stacks, sampleLabels, timeNanos } = profile;
  const stream = toStream(profile);
  // Another profile may be encoded between two steps, so each profile has its own writer.
  const writer = new ByteWriter(rowBytes(profile));
  yield* writeProfile(writer, stream, profile, hashes);
  return {
    stream,
    day: floorToDay(timeNanos),
    row: writer.bytes.subarray(0, writer.length),
    stacks: stacks.slice(0, rowCount),
    sampleLabels: sampleLabels?.slice(0, rowCount),
  };
}
