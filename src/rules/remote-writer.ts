// Sends recorded series to other servers by remote write. Values are read from the store when they
// are sent, so no values wait in memory.
import { isDeepStrictEqual } from 'node:util';
import { makeDurableFolder } from '../base/durable-files.ts';
import { AppError, errorMessage } from '../base/errors.ts';
import { readKeptJson, writeKeptJson } from '../base/kept-json.ts';
import { md5 } from '../base/node/md5.ts';
import type { Counter } from '../base/metrics.ts';
import type { RemoteWriteConfig } from '../config/config.ts';
import type { DiscoveryContext } from '../discovery/interface.ts';
import { createHttpClient, type HttpClient } from '../http-client/http-client.ts';
import { dropBody } from '../http-client/read-body.ts';
import { createLabelSet, type LabelSet } from '../model/labels.ts';
import { createRelabeling, type Relabeling } from '../model/relabel.ts';
import type { Files } from '../base/files.ts';
import { seriesNameLabel } from '../promql-like/recorded-series.ts';
import type { QueryCaller, QueryEngine } from '../query/interface.ts';
import { Courier } from './courier.ts';
import {
  remoteWriteAgeMillisMax,
  remoteWriteRangeMillis,
  remoteWriteSamplesMax,
  resendMillis,
} from './limits.ts';
import { readRetryAfter } from './retry-after.ts';
import { readSeries, type RecordedSeries } from './recorded-values.ts';
import { recordedUnitsPerOne } from './recorder.ts';
import { encodeWrite, writeHeaders, type WrittenSeries } from './write-request.ts';

/** Series with one name, and the time up to which all values are stored. */
export interface RecordedUpTo {
  readonly name: string;
  readonly doneMillis: number;
}

/** Dependencies of the remote writers. */
export interface RemoteWriterOptions extends Omit<DiscoveryContext, 'files'> {
  readonly files: Files;
  readonly engine: Pick<QueryEngine, 'queryRange'>;
  /** Folder of the state, created on demand; its parent must exist. */
  readonly folder: string;
  /** Returns the recorded series. */
  readonly recorded: () => readonly RecordedUpTo[];
}

/** Times up to which a server has received values, by the name of the series. */
type SentMillis = ReadonlyMap<string, number>;

/** Times for all servers, by URL. */
export type SentState = ReadonlyMap<string, SentMillis>;

/** A server that gets series. */
interface Recipient {
  readonly config: RemoteWriteConfig;
  readonly client: HttpClient;
  readonly courier: Courier;
  readonly sent: Map<string, number>;
  readonly relabel: Relabeling;
  /** Range whose first messages were accepted, and the number of these messages. */
  partly: (SentRange & { readonly messages: number }) | undefined;
}

/** Values of the series with a name, after `from` and up to `until` (in milliseconds). */
interface SentRange {
  readonly name: string;
  readonly from: number;
  readonly until: number;
}

/** Name of the file with the state. */
const stateName = 'remote-write.json';

/** Reads the saved times. A damaged file is logged and renamed. */
export async function readSentState({
  files,
  folder,
  logger,
}: Pick<RemoteWriterOptions, 'files' | 'folder' | 'logger'>): Promise<SentState> {
  const path = `${folder}/${stateName}`;
  const saved = await readKeptJson(files, path, parseState, ({ movedTo, error }) => {
    const fields = { file: path, movedTo, error: errorMessage(error) };
    logger.error('cannot read the state of remote writes: they begin now', fields);
  });
  return saved ?? new Map();
}

/** Sends recorded series until it is stopped. */
export class RemoteWriters {
  readonly #options: RemoteWriterOptions;
  readonly #samples: Counter;
  readonly #dropped: Counter;
  readonly #saved: Map<string, SentMillis>;
  #externalLabels: LabelSet = [];
  #recipients: readonly Recipient[] = [];

  constructor(options: RemoteWriterOptions, saved: SentState) {
    const { metrics } = options;
    this.#options = options;
    this.#saved = new Map(saved);
    const labels = ['url'];
    this.#samples = metrics.counter(
      'prometheus_remote_storage_samples_total',
      'Recorded numbers that were taken.',
      labels,
    );
    this.#dropped = metrics.counter(
      'prometheus_remote_storage_samples_dropped_total',
      'Recorded numbers that were refused for good.',
      labels,
    );
  }

  /**
   * Applies a config. Sending to servers that stay in the config continues where it was. Errors:
   * those of creating clients.
   */
  async apply(configs: readonly RemoteWriteConfig[], externalLabels: LabelSet): Promise<void> {
    this.#externalLabels = externalLabels;
    if (
      isDeepStrictEqual(
        configs,
        this.#recipients.map(({ config }) => config),
      )
    )
      return;
    await this.stop();
    const recipients: Recipient[] = [];
    for (const config of configs) recipients.push(await this.#addRecipient(config));
    this.#recipients = recipients;
  }

  /** Notifies all senders that there may be new values. */
  wake(): void {
    for (const { courier } of this.#recipients) courier.wake();
  }

  /** Aborts all messages; idempotent. */
  async stop(): Promise<void> {
    for (const { config, courier, client, sent } of this.#recipients) {
      await courier.stop();
      await client.close();
      this.#saved.set(config.url, sent);
    }
    this.#recipients = [];
  }

  async #addRecipient(config: RemoteWriteConfig): Promise<Recipient> {
    const { clock, logger } = this.#options;
    const client = await createHttpClient({
      ...this.#options,
      config: config.http,
      intervalMillis: resendMillis,
    });
    const sent = new Map(this.#saved.get(config.url));
    const relabel = createRelabeling(config.relabelRules, md5);
    const to: Omit<Recipient, 'courier'> = { config, client, sent, relabel, partly: undefined };
    const courier = new Courier({
      clock,
      deliver: async (signal) => {
        await this.#deliver(to, signal);
        return undefined;
      },
      onFailure: (error) =>
        logger.warn('cannot write to remote storage', {
          to: config.url,
          error: errorMessage(error),
        }),
    });
    return { ...to, courier };
  }

  /** Sends the recorded values that a server has not received yet. */
  async #deliver(to: Omit<Recipient, 'courier'>, signal: AbortSignal): Promise<void> {
    const nowMillis = this.#options.clock.nowMillis();
    for (const { name, doneMillis } of this.#options.recorded()) {
      // The time is saved before the first message, so that a server misses no values while it is
      // unavailable.
      const first = to.sent.get(name) ?? doneMillis - 1;
      if (!to.sent.has(name)) {
        to.sent.set(name, first);
        await this.#save(to);
      }
      const oldest = nowMillis - remoteWriteAgeMillisMax;
      for (let from = Math.max(first, oldest); from < doneMillis;) {
        const { partly } = to;
        const range =
          partly?.name === name && partly.from >= from
            ? partly
            : { name, from, until: Math.min(doneMillis, from + remoteWriteRangeMillis) };
        await this.#sendRange(to, range, signal);
        to.partly = undefined;
        to.sent.set(name, range.until);
        await this.#save(to);
        from = range.until;
      }
    }
  }

  /** Sends the values of a range; messages that were accepted before are left out. */
  async #sendRange(
    to: Omit<Recipient, 'courier'>,
    range: SentRange,
    signal: AbortSignal,
  ): Promise<void> {
    const { name, from, until } = range;
    const caller: QueryCaller = { signal, caller: 'rules', tags: ['remote write'] };
    const matchers = [{ name: seriesNameLabel, operator: '=', value: name }] as const;
    const times = { from: toNanos(from) + 1n, to: toNanos(until) };
    const series = await readSeries(this.#options.engine, { matchers }, times, caller);
    const taken = to.partly?.messages ?? 0;
    let messages = 0;
    for (const batch of this.#batches(series, to.relabel)) {
      messages += 1;
      if (messages <= taken) continue;
      await this.#post(to, batch, signal);
      to.partly = { name, from, until, messages };
    }
  }

  /** Cuts series into messages; the points of each series stay in order. */
  *#batches(series: readonly RecordedSeries[], relabel: Relabeling): Generator<WrittenSeries[]> {
    let batch: WrittenSeries[] = [];
    let room = remoteWriteSamplesMax;
    for (const { labels, timeNanos, units } of series) {
      const all = this.#relabel(labels, relabel);
      if (all === undefined) continue;
      for (let start = 0; start < units.length;) {
        const end = Math.min(units.length, start + room);
        batch.push({
          labels: all,
          timeMillis: [...timeNanos.subarray(start, end)].map((time) => Number(time / 1_000_000n)),
          values: [...units.subarray(start, end)].map((unit) => Number(unit) / recordedUnitsPerOne),
        });
        room -= end - start;
        start = end;
        if (room > 0) continue;
        yield batch;
        batch = [];
        room = remoteWriteSamplesMax;
      }
    }
    if (batch.length > 0) yield batch;
  }

  /** Returns the labels with external labels, after relabeling; undefined for a dropped series. */
  #relabel(labels: LabelSet, relabel: Relabeling): LabelSet | undefined {
    const own = new Set(labels.map(({ name }) => name));
    const added = this.#externalLabels.filter(({ name }) => !own.has(name));
    const all = new Map([...labels, ...added].map(({ name, value }) => [name, value]));
    if (relabel(all) !== undefined || all.size === 0) return undefined;
    return createLabelSet([...all].map(([name, value]) => ({ name, value })));
  }

  /** Sends a message. Errors: AppError 'unavailable' if it may be accepted later. */
  async #post(
    { config, client }: Omit<Recipient, 'courier'>,
    batch: readonly WrittenSeries[],
    signal: AbortSignal,
  ): Promise<void> {
    const url = new URL(config.url);
    const { statusCode, headers, body } = await client.dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: { ...(await client.headers()), ...writeHeaders(config.version) },
      body: encodeWrite(batch, config.version),
      signal: AbortSignal.any([signal, AbortSignal.timeout(config.timeoutMillis)]),
    });
    dropBody(body);
    const count = batch.reduce((sum, { values }) => sum + values.length, 0);
    if (statusCode >= 200 && statusCode <= 299) {
      this.#samples.add(count, { url: config.url });
      return;
    }
    const why = `the answer has status ${statusCode}`;
    // Other client errors are permanent, as in Prometheus.
    if (statusCode >= 500 || statusCode === 429) {
      const nowMillis = this.#options.clock.nowMillis();
      const retryAfterMillis = readRetryAfter(headers['retry-after'], nowMillis);
      const message = `cannot write to remote storage: ${why}`;
      throw new AppError('unavailable', message, { retryAfterMillis });
    }
    this.#dropped.add(count, { url: config.url });
    this.#options.logger.error('remote storage refuses numbers', { to: config.url, error: why });
  }

  async #save({ config, sent }: Pick<Recipient, 'config' | 'sent'>): Promise<void> {
    const { files, folder } = this.#options;
    this.#saved.set(config.url, new Map(sent));
    const state = [...this.#saved].map(([url, times]) => [url, [...times]]);
    await makeDurableFolder(files, folder, folder);
    await writeKeptJson(files, `${folder}/${stateName}`, state);
  }
}

function toNanos(millis: number): bigint {
  return BigInt(Math.round(millis)) * 1_000_000n;
}

function parseState(state: unknown): SentState {
  if (Array.isArray(state) && state.every(isAddress)) {
    return new Map(state.map(([url, times]) => [url, new Map(times)]));
  }
  throw new AppError('data-loss', 'it does not have the form of a state');
}

function isAddress(value: unknown): value is [string, [string, number][]] {
  if (!Array.isArray(value)) return false;
  const [url, times]: unknown[] = value;
  return (
    typeof url === 'string' &&
    Array.isArray(times) &&
    times.every(
      (one) => Array.isArray(one) && typeof one[0] === 'string' && typeof one[1] === 'number',
    )
  );
}
