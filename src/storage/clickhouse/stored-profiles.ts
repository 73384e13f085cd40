// Reads whole profiles as they were written, hour by hour.
import { ByteReader } from '../../base/bytes.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { SampleLabelEntry } from '../../model/sample-labels-table.ts';
import type { IncomingProfile, ReadContext, TimeRange } from '../interface.ts';
import type { Stream } from './encode-rows.ts';
import { KnownSymbols, readPlaces } from './known-symbols.ts';
import { readArray, readUnsigned } from './row-bytes.ts';
import { hourNanos } from './schema.ts';
import { readLabelRows, selectStreams, type StreamExtent, streamSet } from './select-series.ts';
import type { ClickHouseServers } from './server.ts';
import { hoursStatement, labelSetsStatement, wholeProfilesStatement } from './statements.ts';

/** Maximum number of rows that one statement requests. A single stream may have more. */
const statementRowsMax = 100_000;

/** A profile whose stacks and labels are still hashes. */
interface HashedProfile {
  readonly profile: IncomingProfile;
  readonly stackPlaces: readonly number[];
  readonly labelKeys: readonly bigint[];
}

/** Returns the starts of the hours that have profiles. Errors: as in `ClickHouseServers.ask`. */
export async function storedHours(servers: ClickHouseServers): Promise<bigint[]> {
  const reader = new ByteReader(await servers.ask(hoursStatement));
  const hours: bigint[] = [];
  while (reader.at < reader.end) hours.push(reader.i64());
  return hours;
}

/** Returns the time range of the hour that starts at `hour`. */
export function rangeOfHour(hour: bigint): TimeRange {
  return { from: hour, to: hour + hourNanos - 1n };
}

/** The profiles of one hour, as rows of one dictionary. */
export class StoredProfiles {
  readonly dictionary: Dictionary;
  /** Number of profiles that were left out because ClickHouse lacks some of their symbols. */
  lostCount = 0;
  readonly #servers: ClickHouseServers;
  readonly #symbols: KnownSymbols;
  readonly #labels = new Map<bigint, number>([[0n, 0]]);

  /** Creates a reader. `dictionary` must be empty. */
  constructor(servers: ClickHouseServers, dictionary: Dictionary) {
    this.#servers = servers;
    this.dictionary = dictionary;
    this.#symbols = new KnownSymbols(servers, dictionary);
  }

  /** Yields the profiles of an hour, in any order. Errors: as in `ClickHouseServers.ask`. */
  async *ofHour(hour: bigint, context: ReadContext): AsyncGenerator<IncomingProfile> {
    const range = rangeOfHour(hour);
    const query = { matchers: [], profileType: undefined, range };
    const extents = await selectStreams(this.#servers, query);
    for (const streams of splitIntoBatches(extents)) {
      const statement = wholeProfilesStatement(streamSet(range, streams));
      const bytes = await this.#servers.ask(statement, context);
      const hashed = readProfiles(bytes, streams);
      const places = hashed.flatMap(({ stackPlaces }) => stackPlaces);
      await this.#symbols.read({ bytes, places }, context);
      await this.#readLabels(hashed, context);
      for (const { profile, stackPlaces, labelKeys } of hashed) {
        const isWhole =
          stackPlaces.every((at) => this.#symbols.has(bytes, at)) &&
          labelKeys.every((key) => this.#labels.has(key));
        if (!isWhole) {
          this.lostCount += 1;
          continue;
        }
        yield {
          ...profile,
          stacks: Uint32Array.from(stackPlaces, (at) => this.#symbols.row(bytes, at)),
          sampleLabels:
            labelKeys.length === 0
              ? undefined
              : Uint32Array.from(labelKeys, (key) => this.#labels.get(key) ?? 0),
        };
      }
    }
  }

  async #readLabels(hashed: readonly HashedProfile[], context: ReadContext): Promise<void> {
    const used = new Set(hashed.flatMap(({ labelKeys }) => labelKeys));
    const unknown = [...used].filter((key) => !this.#labels.has(key));
    if (unknown.length === 0) return;
    const rows = await this.#servers.ask(labelSetsStatement(unknown), context);
    const { strings, sampleLabels } = this.dictionary;
    for (const { hash, names, texts, numbers, units } of readLabelRows(rows)) {
      const entries = names.map((name, i): SampleLabelEntry => ({
        key: strings.internText(name),
        text: strings.internText(texts[i]),
        number: numbers[i],
        unit: strings.internText(units[i]),
      }));
      const sorted = entries.toSorted((a, b) => a.key - b.key);
      this.#labels.set(hash, sampleLabels.intern(sorted));
    }
  }
}

/** Yields the streams in batches, one for each statement. */
function* splitIntoBatches(extents: readonly StreamExtent[]): Generator<readonly Stream[]> {
  let streams: Stream[] = [];
  let rows = 0;
  for (const { stream, rowCount } of extents) {
    if (rows + rowCount > statementRowsMax && streams.length > 0) {
      yield streams;
      [streams, rows] = [[], 0];
    }
    streams.push(stream);
    rows += rowCount;
  }
  if (streams.length > 0) yield streams;
}

function readProfiles(rows: Uint8Array, streams: readonly Stream[]): HashedProfile[] {
  const byId = new Map(streams.map((stream) => [stream.id, stream]));
  const reader = new ByteReader(rows);
  const profiles: HashedProfile[] = [];
  while (reader.at < reader.end) {
    const stream = byId.get(readUnsigned(reader));
    const [timeNanos, durationNanos, period] = [reader.i64(), reader.i64(), reader.i64()];
    const contentHash = reader.i64();
    const stackPlaces = readPlaces(reader);
    const labelKeys = readArray(reader, () => readUnsigned(reader));
    const values = readArray(reader, () =>
      BigInt64Array.from(readArray(reader, () => reader.i64())),
    );
    if (stream === undefined) continue;
    const { name, sampleTypes, periodType } = stream;
    const profile = {
      name,
      sampleTypes,
      periodType,
      period,
      timeNanos,
      durationNanos,
      values,
      contentHash,
      labels: stream.labels,
      rowCount: stackPlaces.length,
      stacks: new Uint32Array(0),
      sampleLabels: undefined,
    };
    profiles.push({ profile, stackPlaces, labelKeys });
  }
  return profiles;
}
