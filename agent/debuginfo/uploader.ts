// Uploads debug information of sampled files: what the server asks for, each build id once.
import { createHash } from 'node:crypto';
import { closeSync, constants, openSync } from 'node:fs';
import type { Binary } from '../../bpf/sampler.ts';
import type { Clock } from '../../src/base/clock.ts';
import { AppError, type ErrorCode, errorCode, errorMessage } from '../../src/base/errors.ts';
import { LeastRecent } from '../../src/base/least-recent.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { Counter, Metrics } from '../../src/base/metrics.ts';
import { type ElfFile, readElf } from '../../src/symbolize/elf-file.ts';
import { openDescriptor, type OpenFile } from '../files/open-file.ts';
import type { DebugFolders } from '../frames/debug-folders.ts';
import {
  uploadBytesMax,
  uploadRecheckMillis,
  uploadRetryMillis,
  uploadsRememberedMax,
} from '../limits.ts';
import type { DebuginfoClient, UploadedBuildId } from './debuginfo-client.ts';
import { extractDebuginfo, isUseful } from './extract.ts';

export interface UploaderOptions {
  readonly client: Pick<DebuginfoClient, 'isWanted' | 'upload'>;
  readonly folders: DebugFolders;
  /** Number of uploads at the same time. */
  readonly parallel: number;
  /** Largest number of waiting files, each of which is held open. */
  readonly queueMax: number;
  /** Longest time of one call. */
  readonly callMillisMax: number;
  /** True if code and data are left out. */
  readonly strips: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Counts for the status page. */
export interface UploaderState {
  /** Files uploaded since the start. */
  readonly uploaded: number;
  /** Files that wait or are under way. */
  readonly pending: number;
  /** True if the server has no service for uploads. */
  readonly isUnsupported: boolean;
}

/** A file that is held open until it is uploaded. */
interface Waiting {
  readonly binary: Binary;
  readonly kind: UploadedBuildId;
  readonly descriptor: number;
}

/** Result for one build id. */
interface Known {
  /** True if the server has debug information for it. */
  readonly isThere: boolean;
  /** Monotonic time from which the server is asked again; Infinity = never. */
  readonly againMillis: number;
}

/** Errors after which the same file is not offered again. */
const final: ReadonlySet<ErrorCode> = new Set(['already-exists', 'invalid-argument']);

/** Uploads in the background. */
export class DebuginfoUploader {
  readonly #options: UploaderOptions;
  readonly #uploads: Counter;
  readonly #known = new LeastRecent<Known>(uploadsRememberedMax, () => 1);
  readonly #waiting: Waiting[] = [];
  readonly #underWay = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #isUnsupported = false;
  #uploadedCount = 0;

  constructor(options: UploaderOptions) {
    this.#options = options;
    this.#uploads = options.metrics.counter(
      'parca_agent_debuginfo_uploads_total',
      'Files of debug information that were offered, by result.',
      ['result'],
    );
  }

  /** Returns true if the server has debug information of a file, as far as is known. */
  hasUploaded({ buildId }: Binary): boolean {
    return this.#known.get(buildId)?.isThere === true;
  }

  state(): UploaderState {
    return {
      uploaded: this.#uploadedCount,
      pending: this.#waiting.length + this.#running.size,
      isUnsupported: this.#isUnsupported,
    };
  }

  /**
   * Offers files that are new. Their descriptors must be valid during the call; the uploader makes
   * its own.
   */
  offer(binaries: readonly Binary[]): void {
    if (this.#isUnsupported || this.#stopping.signal.aborted) return;
    const { clock, queueMax } = this.#options;
    for (const binary of binaries) {
      const { buildId, buildIdKind: kind, descriptor } = binary;
      if (binary.kind !== 'file' || kind === 'none' || buildId === '' || descriptor === -1)
        continue;
      const known = this.#known.get(buildId);
      if (this.#underWay.has(buildId)) continue;
      if (known !== undefined && clock.monotonicMillis() < known.againMillis) continue;
      // A later batch offers it again.
      if (this.#waiting.length >= queueMax) break;
      const own = reopen(descriptor);
      if (own === undefined) continue;
      this.#underWay.add(buildId);
      this.#waiting.push({ binary, kind, descriptor: own });
    }
    this.#startMore();
  }

  /** Ends what is under way, and closes every file. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const { descriptor } of this.#waiting.splice(0)) closeSync(descriptor);
    await Promise.all(this.#running);
  }

  #startMore(): void {
    while (this.#running.size < this.#options.parallel) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      const work = this.#process(next).finally(() => {
        this.#running.delete(work);
        this.#startMore();
      });
      this.#running.add(work);
    }
  }

  async #process(waiting: Waiting): Promise<void> {
    const { buildId } = waiting.binary;
    try {
      this.#known.put(buildId, await this.#uploadIfWanted(waiting));
    } catch (error) {
      this.#known.put(buildId, this.#afterFailure(waiting.binary, error));
    } finally {
      this.#underWay.delete(buildId);
      closeSync(waiting.descriptor);
    }
  }

  async #uploadIfWanted({ binary, kind, descriptor }: Waiting): Promise<Known> {
    const { client, callMillisMax, clock, logger } = this.#options;
    const offer = { buildId: binary.buildId, kind };
    const { isWanted, reason } = await client.isWanted(offer, callMillisMax, this.#stopping.signal);
    if (!isWanted) {
      // The reason is only text. A file that somebody else is uploading will be there soon.
      this.#uploads.add(1, { result: 'not-wanted' });
      logger.debug('debug information is not wanted', { file: binary.path, reason });
      return { isThere: true, againMillis: clock.monotonicMillis() + uploadRetryMillis };
    }
    const hasUploaded = await this.#upload(offer, binary, descriptor);
    if (hasUploaded) this.#uploadedCount += 1;
    this.#uploads.add(1, { result: hasUploaded ? 'ok' : 'useless' });
    return { isThere: hasUploaded, againMillis: clock.monotonicMillis() + uploadRecheckMillis };
  }

  /** Uploads a file. Returns false if it says nothing about addresses. */
  async #upload(
    offer: { readonly buildId: string; readonly kind: UploadedBuildId },
    binary: Binary,
    descriptor: number,
  ): Promise<boolean> {
    const source = openDescriptor(descriptor);
    if (source === undefined) return false;
    const send = (elf: ElfFile, from: OpenFile | ElfFile['source']): Promise<boolean> =>
      this.#send(offer, binary, elf, from);
    const separate = await this.#options.folders.read(binary, (elf) => send(elf, elf.source));
    return separate ?? send(await readElf(source), source);
  }

  async #send(
    offer: { readonly buildId: string; readonly kind: UploadedBuildId },
    binary: Binary,
    elf: ElfFile,
    source: ElfFile['source'],
  ): Promise<boolean> {
    const { client, callMillisMax, strips, logger } = this.#options;
    if (!isUseful(elf)) return false;
    const extract = strips ? await extractDebuginfo(elf) : undefined;
    const size = extract?.size ?? source.size;
    if (size > uploadBytesMax) return false;
    const digest = extract?.digest ?? `${offer.buildId} ${size}`;
    const file = {
      size,
      hash: createHash('sha256').update(digest, 'latin1').digest('hex'),
      pieces: () => extract?.pieces() ?? piecesOf(source),
    };
    await client.upload(offer, file, callMillisMax, this.#stopping.signal);
    logger.debug('debug information is uploaded', { file: binary.path, bytes: size });
    return true;
  }

  #afterFailure({ path }: Binary, error: unknown): Known {
    const { clock, logger } = this.#options;
    const code = errorCode(error);
    this.#uploads.add(1, { result: code });
    const againMillis = final.has(code) ? Infinity : clock.monotonicMillis() + uploadRetryMillis;
    if (this.#stopping.signal.aborted) return { isThere: false, againMillis };
    if (code === 'unimplemented') {
      if (!this.#isUnsupported) logger.info('the server does not take debug information');
      this.#isUnsupported = true;
      for (const { descriptor } of this.#waiting.splice(0)) closeSync(descriptor);
    } else if (error instanceof AppError) {
      logger.debug('cannot upload debug information', { file: path, error: error.message });
    } else {
      logger.warn('cannot upload debug information', { file: path, error: errorMessage(error) });
    }
    return { isThere: code === 'already-exists', againMillis };
  }
}

/** Returns a new descriptor of an open file; undefined if the file is closed by now. */
function reopen(descriptor: number): number | undefined {
  try {
    return openSync(`/proc/self/fd/${descriptor}`, constants.O_RDONLY);
  } catch {
    return undefined;
  }
}

async function* piecesOf(source: ElfFile['source']): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < source.size;) {
    const piece = await source.read(at, 1024 * 1024);
    if (piece.length === 0) return;
    yield piece;
    at += piece.length;
  }
}
