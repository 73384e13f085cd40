// Workers that decode and intern uploads. All uploads of a series go to the same worker.
import { assert } from '../base/assert.ts';
import type { Clock, Timer } from '../base/clock.ts';
import { AppError, type ErrorCode } from '../base/errors.ts';
import { joinChunks } from '../base/join-chunks.ts';
import { busyRetryMillis } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import type { Counter, Metrics } from '../base/metrics.ts';
import { finishPausing, Pacer, type Steps } from '../base/pacer.ts';
import type { Random } from '../base/random.ts';
import type { Dictionary, Seeds } from '../model/dictionary.ts';
import { mixHash } from '../model/hash-index.ts';
import { decodePendingBytes } from './decode-cost.ts';
import { copiedAtOnceBytesMax, ingestForgetMillis } from './limits.ts';
import { startDecoderThread, type DecoderEvents, type DecoderThread } from './decode-thread.ts';
import { createLocalDecoder, createSplitDecoder } from './decode-here.ts';
import type { DecodedBatch, Decoder } from './decoder.ts';
import type { IncomingProfile } from '../storage/interface.ts';
import { FairDecoder } from './fair-decoder.ts';
import type { UploadSeries } from './series.ts';
import { SymbolReplica } from './symbol-replica.ts';
import type { DecodeReply } from './upload-decoder.ts';
import type { SeriesUpload } from './upload-reader.ts';

/**
 * Maximum number of UTF-16 units at the end of a string that are hashed. The end is used because
 * names of pods and hosts differ there.
 */
const hashedUnitsMax = 64;
/**
 * Longest value that is sent to a worker, in UTF-16 units, and the string that replaces longer
 * values.
 */
const sentUnitsMax = 128;
const longValue = '...';
/** Maximum number of uploads that are sent to a worker in one message. */
const sentUploadsMax = 256;

export interface DecodePoolOptions {
  /** Number of workers. */
  readonly size: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Starts a decoder; by default, in a thread. */
  readonly startDecoder?: (seeds: Seeds, events: DecoderEvents) => DecoderThread;
  readonly pendingBytesMax?: number;
}

/**
 * Returns the default number of workers: one for fewer than four cores, otherwise half the number
 * of cores, but at most four.
 */
export function usualIngestWorkers(cores: number): number {
  return cores < 4 ? 1 : Math.min(4, Math.floor(cores / 2));
}

/**
 * Creates the decoder for a given number of workers. Without workers, the main thread decodes all
 * uploads. With workers, it still decodes small writes, because a worker would need more CPU time
 * for them. Callers take turns.
 */
export function createDecoder(options: DecodePoolOptions): Decoder {
  if (options.size === 0) return createLocalDecoder();
  const pool = new FairDecoder(new DecodePool(options), options);
  return options.size === 1 ? createSplitDecoder(pool, options.clock) : pool;
}

/**
 * Decodes uploads in worker threads. All uploads of a series are decoded by the same thread, in
 * order.
 *
 * A worker forgets its symbols when a new head begins, so that the names of addresses in a head
 * come only from uploads to that head.
 *
 * Errors of `decode`: as in UploadReader.readAll; AppError 'resource-exhausted' when too many bytes
 * wait, 'unavailable' when a worker died (the next write starts a new worker) or when the pool is
 * closed.
 */
export class DecodePool implements Decoder {
  readonly #shards: readonly DecoderShard[];
  readonly #pendingBytesMax: number;
  /** Bytes of uploads that are being decoded or wait for that. */
  #pendingBytes = 0;

  constructor(options: DecodePoolOptions) {
    const { metrics, size } = options;
    this.#pendingBytesMax = options.pendingBytesMax ?? decodePendingBytes();
    const deaths = metrics.counter(
      'parca_ingest_worker_deaths_total',
      'Ingest workers that ended by themselves, and were replaced.',
    );
    metrics.observedGauge(
      'parca_ingest_worker_pending_bytes',
      'Uploaded bytes that ingest workers have or wait for.',
      () => this.#pendingBytes,
    );
    this.#shards = Array.from({ length: size }, () => new DecoderShard(options, deaths));
  }

  async decode(
    uploads: readonly SeriesUpload[],
    findTarget: () => Dictionary,
  ): Promise<DecodedBatch> {
    const bytes = uploads.reduce((sum, { profile }) => sum + profile.length, 0);
    if (this.#pendingBytes + bytes > this.#pendingBytesMax) {
      throw new AppError(
        'resource-exhausted',
        `cannot decode profiles: more than ${this.#pendingBytesMax} bytes wait for ingest workers`,
        { retryAfterMillis: busyRetryMillis },
      );
    }
    this.#pendingBytes += bytes;
    const target = findTarget();
    try {
      const shares = await Promise.all(
        Array.from(this.#splitByShard(uploads), ([shard, share]) => shard.decode(share, target)),
      );
      const { profiles, carry, heldBytes } = joinShares(shares);
      return {
        target,
        profiles,
        waiting: profiles,
        carry,
        heldBytes,
        *appendTo(append) {
          for (const profile of profiles) {
            append(profile);
            yield;
          }
          return true;
        },
      };
    } finally {
      this.#pendingBytes -= bytes;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#shards.map((shard) => shard.close()));
  }

  #splitByShard(uploads: readonly SeriesUpload[]): Map<DecoderShard, SeriesUpload[]> {
    const shards = this.#shards;
    if (shards.length === 1) return new Map([[shards[0], [...uploads]]]);
    return Map.groupBy(uploads, ({ series }) => shards[hashSeries(series) % shards.length]);
  }
}

/**
 * Profiles that one worker decoded. Their rows are those of the worker's dictionary, until `carry`
 * has copied the symbols to the head.
 */
interface Share {
  readonly profiles: readonly IncomingProfile[];
  /**
   * Memory used by these profiles, and by their symbols that earlier profiles do not have, in
   * bytes.
   */
  readonly heldBytes: number;
  /** Adds the symbols of these profiles to the target, like `carry` of DecodedBatch. */
  carry(isCurrent: () => boolean): Promise<boolean>;
}

interface Waiting {
  readonly uploads: readonly SeriesUpload[];
  readonly target: Dictionary;
  resolve(share: Share): void;
  reject(error: AppError): void;
}

/** One worker, and the replica of its dictionary on this thread. */
class DecoderShard {
  readonly #options: DecodePoolOptions;
  readonly #deaths: Counter;
  readonly #seeds: Seeds;
  readonly #waiting: Waiting[] = [];
  readonly #pacer: Pacer;
  /** Resolves when all replies that have arrived are handled. */
  #settled: Promise<void> = Promise.resolve();
  #thread: DecoderThread | undefined;
  /** Target dictionary of the last request. */
  #target: Dictionary | undefined;
  /** Replica to which the last reply has added symbols. */
  #symbols: SymbolReplica | undefined;
  /** Timer that runs while no upload waits; then the symbols are forgotten. */
  #forgetting: Timer | undefined;
  #isClosed = false;

  constructor(options: DecodePoolOptions, deaths: Counter) {
    const { random } = options;
    this.#options = options;
    this.#pacer = new Pacer(options.clock);
    this.#deaths = deaths;
    this.#seeds = [random.uint32() | 0, random.uint32() | 0, random.uint32() | 0];
  }

  /**
   * Decodes uploads. They are sent in several messages, because making one message of 10,000 series
   * takes 0.1 s.
   */
  async decode(given: readonly SeriesUpload[], target: Dictionary): Promise<Share> {
    const hasLarge = given.some(({ profile }) => profile.length > copiedAtOnceBytesMax);
    // If no upload is large, there is no pause before the request is sent.
    const { uploads, isOwn } = hasLarge ? await copyLarge(given) : { uploads: given, isOwn: none };
    if (uploads.length <= sentUploadsMax) return this.#decodePart(uploads, target, isOwn);
    const parts: Promise<Share>[] = [];
    let hasFailed = false;
    for (let from = 0; from < uploads.length && !hasFailed; from += sentUploadsMax) {
      const part = this.#decodePart(uploads.slice(from, from + sentUploadsMax), target, isOwn);
      part.catch(() => void (hasFailed = true));
      parts.push(part);
      await this.#pacer.pause();
    }
    return joinShares(await Promise.all(parts));
  }

  async #decodePart(
    uploads: readonly SeriesUpload[],
    target: Dictionary,
    isOwn: ReadonlySet<Uint8Array>,
  ): Promise<Share> {
    if (this.#isClosed) {
      throw new AppError('unavailable', 'cannot decode profiles: the server is stopping');
    }
    this.#forgetting?.cancel();
    this.#thread ??= this.#start();
    const thread = this.#thread;
    const isNewHead = target !== this.#target;
    this.#target = target;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ uploads, target, resolve, reject });
      thread.send({ isNewHead, uploads: uploads.map(withShortValues), isOwn });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#forgetting?.cancel();
    await this.#thread?.close();
  }

  #start(): DecoderThread {
    const { startDecoder = startDecoderThread } = this.#options;
    return startDecoder(this.#seeds, {
      onReply: (reply) => {
        const asked = this.#waiting.shift();
        if (asked === undefined) return;
        // Replies are handled one after the other, because each builds on the symbols of earlier
        // replies.
        this.#settled = this.#settled
          .then(() => this.#settle(asked, reply))
          .catch(asked.reject)
          .then(() => this.#rest());
      },
      onDeath: (why, code) => this.#lose(why, code),
    });
  }

  async #settle(asked: Waiting, reply: DecodeReply): Promise<void> {
    const { isFirst, payloads } = reply.symbols;
    const knownBytes = isFirst ? 0 : (this.#symbols?.usedBytes ?? 0);
    // Profiles that were decoded earlier keep the replica that they refer to.
    if (isFirst) this.#symbols = new SymbolReplica(this.#seeds, asked.target);
    const symbols = this.#symbols;
    assert(symbols !== undefined, 'the first reply has the first symbols');
    await finishPausing(symbols.apply(payloads), this.#pacer);
    if (!('profiles' in reply)) {
      const { code, message, limit } = reply;
      return asked.reject(new AppError(code, message, { limit }));
    }
    const profiles = reply.profiles.map((profile, i) => {
      const { record, series } = asked.uploads[reply.uploadOf[i]];
      return record === undefined ? { ...profile, ...series } : profile;
    });
    asked.resolve(this.#share(profiles, symbols, symbols.usedBytes - knownBytes));
  }

  /** Returns the share of a reply; its functions do not keep the reply in memory. */
  #share(profiles: readonly IncomingProfile[], symbols: SymbolReplica, symbolBytes: number): Share {
    return {
      profiles,
      heldBytes: profiles.reduce((sum, profile) => sum + countBytes(profile), symbolBytes),
      carry: async (isCurrent) => {
        for (const profile of profiles) {
          if (!(await this.#carried(symbols.carry(profile), isCurrent))) return false;
        }
        return true;
      },
    };
  }

  /** Forgets the last head and its symbols if no upload arrives for some time. */
  #rest(): void {
    if (this.#waiting.length > 0 || this.#isClosed) return;
    this.#forgetting?.cancel();
    this.#forgetting = this.#options.clock.setTimer(ingestForgetMillis, () => {
      if (this.#waiting.length > 0) return;
      this.#target = undefined;
      this.#symbols = undefined;
    });
  }

  /** Runs the steps with pauses. Returns false if the target no longer accepts rows. */
  async #carried(steps: Steps<void>, isCurrent: () => boolean): Promise<boolean> {
    while (steps.next().done !== true) {
      const pausing = this.#pacer.pause();
      if (pausing === undefined) continue;
      await pausing;
      if (!isCurrent()) return false;
    }
    return true;
  }

  #lose(why: string, code: ErrorCode): void {
    this.#thread = undefined;
    if (!this.#isClosed) {
      this.#deaths.add();
      this.#options.logger.error('an ingest worker died', { why });
    }
    const error = new AppError(code, `cannot decode profiles: the worker died: ${why}`);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

function joinShares(shares: readonly Share[]): Share {
  if (shares.length === 1) return shares[0];
  return {
    profiles: shares.flatMap(({ profiles }) => profiles),
    heldBytes: shares.reduce((sum, share) => sum + share.heldBytes, 0),
    carry: async (isCurrent) => {
      for (const share of shares) if (!(await share.carry(isCurrent))) return false;
      return true;
    },
  };
}

/** Returns the memory of a profile's columns, in bytes. */
function countBytes({ stacks, values, sampleLabels, sampleTimes }: IncomingProfile): number {
  const columns = [stacks, ...values, sampleLabels, sampleTimes];
  return columns.reduce((sum, column) => sum + (column?.byteLength ?? 0), 0);
}

const none: ReadonlySet<Uint8Array> = new Set();

/** Uploads in which large profiles have been copied for a worker. */
interface Copied {
  readonly uploads: readonly SeriesUpload[];
  readonly isOwn: ReadonlySet<Uint8Array>;
}

/**
 * Copies large profiles in slices, because copying 20 MB takes 30 ms. The originals stay with the
 * caller.
 */
async function copyLarge(uploads: readonly SeriesUpload[]): Promise<Copied> {
  const isOwn = new Set<Uint8Array>();
  const copied: SeriesUpload[] = [];
  for (const upload of uploads) {
    let { profile } = upload;
    if (profile.length > copiedAtOnceBytesMax) {
      profile = await joinChunks([profile]);
      isOwn.add(profile);
    }
    copied.push({ ...upload, profile });
  }
  return { uploads: copied, isOwn };
}

/**
 * Returns an upload with the facts about its labels that a worker needs: the names, and whether
 * values are empty. Long values are replaced, because sending them would cost more than decoding
 * does.
 */
function withShortValues(upload: SeriesUpload): SeriesUpload {
  const { name, labels } = upload.series;
  if (labels.every(({ value }) => value.length <= sentUnitsMax)) return upload;
  const short = labels.map((label) =>
    label.value.length <= sentUnitsMax ? label : { name: label.name, value: longValue },
  );
  return { ...upload, series: { name, labels: short } };
}

/**
 * Returns a hash of a series' name and labels, which is not negative. Of long strings, only the end
 * is hashed.
 */
function hashSeries({ name, labels }: UploadSeries): number {
  let hash = hashOfText(0, name);
  for (const label of labels) {
    hash = hashOfText(hash, label.name);
    hash = hashOfText(hash, label.value);
  }
  return hash >>> 0;
}

function hashOfText(start: number, text: string): number {
  let hash = mixHash(start, text.length);
  for (let i = Math.max(0, text.length - hashedUnitsMax); i < text.length; i += 1) {
    hash = mixHash(hash, text.charCodeAt(i));
  }
  return hash;
}
