// Storage in ClickHouse: any number of servers answer from the same tables.
import { ByteReader } from '../../base/bytes.ts';
import { AppError } from '../../base/errors.ts';
import { clickHouseDictionaryBytesMax } from '../limits.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { formatProfileType, type ProfileType } from '../../model/profile-type.ts';
import type {
  Appender,
  DeletedSeries,
  Querier,
  Selection,
  SeriesQuery,
  Snapshot,
  Storage,
  StorageAdmin,
  TimeRange,
} from '../interface.ts';
import { KnownSymbols } from './known-symbols.ts';
import { readUnsigned } from './row-bytes.ts';
import { createStatements, migrationStatements, schemaVersion } from './schema.ts';
import {
  decodeLabelSets,
  type SampleLabelSet,
  selectStreams,
  toSeries,
  type StreamExtent,
  streamSet,
} from './select-series.ts';
import { ClickHouseSelection } from './selection.ts';
import {
  type StatementContext,
  toAsker,
  type ClickHouseMachine,
  type ClickHouseServers,
} from './server.ts';
import { deleteStatement, labelSetsStatement, usedLabelsStatement } from './statements.ts';
import { WriteQueue } from './write-queue.ts';

/** A store whose profiles are in ClickHouse. */
export class ClickHouseStorage implements Storage, StorageAdmin, Querier {
  readonly querier = this;
  /** Always false: ClickHouse itself refuses writes. */
  readonly isReadOnly = false;
  readonly #servers: ClickHouseServers;
  readonly #isModern: boolean;
  readonly #queue: WriteQueue;
  readonly #createDictionary: () => Dictionary;
  #symbols: KnownSymbols;

  private constructor(
    servers: ClickHouseServers,
    { clock, random }: ClickHouseMachine,
    isModern: boolean,
  ) {
    this.#servers = servers;
    this.#isModern = isModern;
    const seeds = [random.uint32(), random.uint32(), random.uint32()] as const;
    this.#createDictionary = () => new Dictionary(seeds);
    this.#queue = new WriteQueue(
      servers,
      clock,
      this.#createDictionary,
      clickHouseDictionaryBytesMax,
    );
    this.#symbols = new KnownSymbols(servers, this.#createDictionary());
  }

  /**
   * Opens the store, and creates missing tables. With a `cluster`, the tables are replicated on it;
   * "" for a single server.
   *
   * Errors: AppError 'unavailable' when no server answers, 'failed-precondition' when the tables
   * have a later version.
   */
  static async open(
    servers: ClickHouseServers,
    machine: ClickHouseMachine,
    cluster: string,
  ): Promise<ClickHouseStorage> {
    const { version, isModern } = await servers.readVersion();
    const options = { cluster, isModern };
    for (const statement of createStatements(options)) await servers.run(statement);
    const known = new ByteReader(await servers.ask('SELECT max(version) FROM schema_version'));
    const stored = known.u32();
    if (stored > schemaVersion) {
      throw new AppError(
        'failed-precondition',
        `cannot use the tables in ClickHouse: they have version ${stored}, ` +
          `this server knows version ${schemaVersion}`,
      );
    }
    if (stored < schemaVersion) {
      for (const statement of migrationStatements(stored, options)) await servers.run(statement);
      await servers.run(`INSERT INTO schema_version VALUES (${schemaVersion})`);
    }
    machine.logger.info('ClickHouse is the store', { version, cluster });
    return new ClickHouseStorage(servers, machine, isModern);
  }

  appender(): Appender {
    return this.#queue.appender();
  }

  async select(query: SeriesQuery, signal?: AbortSignal): Promise<Selection> {
    const extents = await selectStreams(this.#servers, query, toAsker(signal));
    const series = toSeries(extents, query.profileType);
    return new ClickHouseSelection(this.#servers, this.#currentSymbols(), query.range, series);
  }

  async labelNames(query: SeriesQuery, signal?: AbortSignal): Promise<string[]> {
    const asker = toAsker(signal);
    const extents = await this.#extents(query, asker);
    const own = extents.flatMap(({ stream }) => stream.labels.map(({ name }) => name));
    const sets = await this.#labelSets(query.range, extents, asker);
    return sorted([...own, ...sets.flatMap(({ values }) => [...values.keys()])]);
  }

  async labelValues(name: string, query: SeriesQuery, signal?: AbortSignal): Promise<string[]> {
    const asker = toAsker(signal);
    const extents = await this.#extents(query, asker);
    const ownValues = ({ stream }: StreamExtent) =>
      stream.labels.filter((label) => label.name === name).map(({ value }) => value);
    const lacking = extents.filter((extent) => ownValues(extent).length === 0);
    const sets = await this.#labelSets(query.range, lacking, asker);
    return sorted([
      ...extents.flatMap(ownValues),
      ...sets.flatMap(({ values }) => values.get(name) ?? []),
    ]);
  }

  async profileTypes(
    range: TimeRange,
    matchers: SeriesQuery['matchers'] = [],
    signal?: AbortSignal,
  ): Promise<ProfileType[]> {
    const query = { matchers, range, profileType: undefined };
    const extents = await selectStreams(this.#servers, query, toAsker(signal));
    const types = toSeries(extents, undefined).map(({ profileType }) => profileType);
    const byText = new Map(types.map((type) => [formatProfileType(type), type]));
    return sorted(byText.keys()).flatMap((text) => byText.get(text) ?? []);
  }

  async hasData(): Promise<boolean> {
    const rows = await this.#servers.ask('SELECT stream FROM profiles LIMIT 1');
    return rows.length > 0;
  }

  rotate(): Promise<void> {
    // Everything that was acknowledged is already in ClickHouse.
    return Promise.resolve();
  }

  async delete(query: SeriesQuery): Promise<DeletedSeries> {
    const extents = await selectStreams(this.#servers, query);
    for (const { stream, filter } of extents) {
      const { name, sampleTypes } = stream;
      if (filter !== undefined) {
        throw new AppError(
          'invalid-argument',
          'cannot delete series: the selector names labels of samples, ' +
            'and only whole uploads are deleted',
        );
      }
      if (query.profileType !== undefined && sampleTypes.length > 1) {
        const types = sampleTypes.map(({ type, unit }) => `${type}:${unit}`).join(', ');
        throw new AppError(
          'invalid-argument',
          `cannot delete series: uploads of ${name} have the types ${types}, ` +
            'which are deleted together; name no type',
        );
      }
    }
    if (extents.length > 0) {
      const streams = extents.map(({ stream }) => stream);
      const set = streamSet(query.range, streams);
      await this.#servers.run(deleteStatement(set, this.#isModern));
    }
    return { blockCount: 0, seriesCount: toSeries(extents, query.profileType).length };
  }

  snapshot(): Promise<Snapshot> {
    return Promise.reject(unimplemented('make a snapshot'));
  }

  async close(): Promise<void> {
    await this.#queue.close();
    await this.#servers.close();
  }

  async #extents(query: SeriesQuery, asker: StatementContext | undefined): Promise<StreamExtent[]> {
    const extents = await selectStreams(this.#servers, query, asker);
    const selected = toSeries(extents, query.profileType).flatMap(({ members }) => members);
    return [...new Set(selected.map(({ extent }) => extent))];
  }

  /** Returns the sample label sets of the given streams. */
  async #labelSets(
    range: TimeRange,
    extents: readonly StreamExtent[],
    asker: StatementContext | undefined,
  ): Promise<SampleLabelSet[]> {
    const hashes = new Set<bigint>();
    const groups = Map.groupBy(extents, ({ filter }) => filter);
    for (const [filter, group] of groups) {
      const set = streamSet(
        range,
        group.map(({ stream }) => stream),
      );
      const reader = new ByteReader(
        await this.#servers.ask(usedLabelsStatement(set, filter), asker),
      );
      while (reader.at < reader.end) hashes.add(readUnsigned(reader));
    }
    if (hashes.size === 0) return [];
    return decodeLabelSets(await this.#servers.ask(labelSetsStatement([...hashes]), asker));
  }

  /**
   * Returns the symbols for a new selection. Replaces a full dictionary; earlier selections keep
   * the dictionary that they use.
   */
  #currentSymbols(): KnownSymbols {
    if (this.#symbols.dictionary.usedBytes > clickHouseDictionaryBytesMax) {
      this.#symbols = new KnownSymbols(this.#servers, this.#createDictionary());
    }
    return this.#symbols;
  }
}

function sorted(texts: Iterable<string>): string[] {
  return [...new Set(texts)].filter((text) => text !== '').sort();
}

function unimplemented(what: string): AppError {
  return new AppError('unimplemented', `cannot ${what}: ClickHouse is the store`);
}
