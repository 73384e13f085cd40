// Profiles that users share, each in a file of one folder. A file has a line of JSON, then the
// content.
import type { Clock, Timer } from '../base/clock.ts';
import { AppError, errorMessage } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import { adHocBytesMax } from '../base/limits.ts';
import {
  adHocProfilesMax,
  shareBytesMax,
  shareDescriptionLengthMax,
  shareExpiryMillis,
  sharePieceBytes,
  sharesMax,
} from './limits.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import { type Random, randomHex } from '../base/random.ts';
import {
  makeDurableFolder,
  replaceFile,
  temporaryPath,
  temporarySuffix,
} from '../base/durable-files.ts';
import type { ShareHead, Shares } from './interface.ts';

/** Limits of the folder; 0 = no limit. */
export interface ShareLimits {
  /** Maximum number of bytes of all files. */
  readonly bytesMax: number;
  /** Age in milliseconds at which a profile is removed. */
  readonly ageMillisMax: number;
}

/** A type of stored profiles: its wording, metrics and limits. */
export interface ShareKind {
  /** Words for error messages. */
  readonly verb: string;
  readonly noun: string;
  /** Prefix of the metrics' names. */
  readonly metric: string;
  readonly bytesOfOneMax: number;
  readonly countMax: number;
  /**
   * True if a new profile replaces the oldest when the limit is reached; false if it is refused.
   */
  readonly replacesOldest: boolean;
}

/** Profiles with a public link, which are never removed before they expire. */
export const sharedProfiles: ShareKind = {
  verb: 'share',
  noun: 'shared profile',
  metric: 'parca_share',
  bytesOfOneMax: shareBytesMax,
  countMax: sharesMax,
  replacesOldest: false,
};

/** Files that Profiles Drilldown uploads. */
export const adHocProfiles: ShareKind = {
  verb: 'keep',
  noun: 'ad hoc profile',
  metric: 'parca_ad_hoc_profile',
  bytesOfOneMax: adHocBytesMax,
  countMax: adHocProfilesMax,
  replacesOldest: true,
};

export interface ShareStoreOptions {
  readonly kind: ShareKind;
  readonly path: string;
  readonly limits: ShareLimits;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const fileEnd = '.share';
/**
 * Maximum size of the first line of a file in bytes. A character of the description takes up to six
 * bytes in JSON.
 */
const headBytesMax = 256 + shareDescriptionLengthMax * 6;
const newline = 0x0a;

interface StoredShare extends ShareHead {
  readonly fileBytes: number;
}

/** Shared profiles in one folder. They persist across restarts. */
export class ShareStore implements Shares {
  readonly #options: ShareStoreOptions;
  readonly #shares = new Map<string, StoredShare>();
  /** Size of the files that are being written, in bytes. */
  #pendingBytes = 0;
  #pendingCount = 0;
  #timer: Timer | undefined;

  private constructor(options: ShareStoreOptions) {
    this.#options = options;
    const { metrics, kind } = options;
    const { metric, noun } = kind;
    const Noun = `${noun[0].toUpperCase()}${noun.slice(1)}`;
    metrics.observedGauge(`${metric}s`, `${Noun}s.`, () => this.#shares.size);
    metrics.observedGauge(`${metric}_bytes`, `Bytes of ${noun}s.`, () => this.#bytes());
  }

  /** Opens the folder, or creates it, and removes expired profiles. */
  static async open(options: ShareStoreOptions): Promise<ShareStore> {
    const store = new ShareStore(options);
    const { files, path } = options;
    await makeDurableFolder(files, path, path);
    for (const name of await files.listFiles(path)) await store.#load(name);
    await store.#expire();
    return store;
  }

  async add(profile: Uint8Array, description: string): Promise<ShareHead> {
    const { files, path, clock, random } = this.#options;
    checkContent(profile, description, this.#options.kind);
    const id = randomHex(random, 4);
    const createdMillis = clock.nowMillis();
    const line = Buffer.from(`${JSON.stringify({ description, createdMillis })}\n`);
    const bytes = profile.length;
    const share = { id, description, createdMillis, bytes, fileBytes: line.length + bytes };
    if (this.#options.kind.replacesOldest) await this.#removeOldest(share.fileBytes);
    this.#requireRoom(share.fileBytes);
    this.#pendingBytes += share.fileBytes;
    this.#pendingCount += 1;
    const target = `${path}/${id}${fileEnd}`;
    try {
      await replaceFile(files, target, async (file) => {
        await file.append(line);
        await file.append(profile);
      });
      this.#shares.set(id, share);
      return share;
    } catch (error) {
      await files.remove(temporaryPath(target)).catch(() => undefined);
      throw error;
    } finally {
      this.#pendingBytes -= share.fileBytes;
      this.#pendingCount -= 1;
    }
  }

  find(id: string): ShareHead {
    return this.#find(id);
  }

  #find(id: string): StoredShare {
    const share = this.#shares.get(id);
    if (share === undefined || this.#hasExpired(share)) {
      throw new AppError(
        'not-found',
        `there is no such ${this.#options.kind.noun}: it was removed, or never was`,
      );
    }
    return share;
  }

  /** Returns the metadata of all profiles, newest first. */
  list(): ShareHead[] {
    const kept = [...this.#shares.values()].filter((share) => !this.#hasExpired(share));
    return kept.sort((a, b) => b.createdMillis - a.createdMillis);
  }

  async read(id: string): Promise<Uint8Array> {
    const { bytes } = this.find(id);
    const content = await this.#options.files.read(`${this.#options.path}/${id}${fileEnd}`);
    return content.subarray(content.length - bytes);
  }

  async *readPieces(id: string): AsyncGenerator<Uint8Array> {
    const { bytes, fileBytes } = this.#find(id);
    const { files, path } = this.#options;
    const file = await files.open(`${path}/${id}${fileEnd}`, { create: false });
    try {
      let at = fileBytes - bytes;
      while (at < fileBytes) {
        const piece = new Uint8Array(Math.min(sharePieceBytes, fileBytes - at));
        const count = await file.read(piece, at);
        if (count === 0) {
          const { noun } = this.#options.kind;
          throw new AppError('data-loss', `cannot read ${noun}: its file ends at byte ${at}`);
        }
        at += count;
        yield piece.subarray(0, count);
      }
    } finally {
      await file.close();
    }
  }

  async remove(id: string): Promise<void> {
    this.find(id);
    await this.#remove(id);
  }

  /** Stops the timer. */
  stop(): void {
    this.#timer?.cancel();
  }

  #bytes(): number {
    let bytes = this.#pendingBytes;
    for (const { fileBytes } of this.#shares.values()) bytes += fileBytes;
    return bytes;
  }

  #requireRoom(fileBytes: number): void {
    const { kind, limits } = this.#options;
    const { verb, noun, countMax } = kind;
    if (this.#shares.size + this.#pendingCount >= countMax) {
      throw new AppError(
        'resource-exhausted',
        `cannot ${verb} profile: there are ${countMax} ${noun}s; remove some`,
      );
    }
    const { bytesMax } = limits;
    const bytes = this.#bytes() + fileBytes;
    if (bytesMax === 0 || bytes <= bytesMax) return;
    throw new AppError(
      'resource-exhausted',
      `cannot ${verb} profile: ${noun}s would have ${bytes} bytes, the limit is ${bytesMax}`,
    );
  }

  /** Removes the oldest profiles until there is space for a new profile of this size. */
  async #removeOldest(fileBytes: number): Promise<void> {
    const { kind, limits } = this.#options;
    if (limits.bytesMax > 0 && fileBytes > limits.bytesMax) return;
    const isFull = (): boolean =>
      this.#shares.size + this.#pendingCount >= kind.countMax ||
      (limits.bytesMax > 0 && this.#bytes() + fileBytes > limits.bytesMax);
    while (isFull()) {
      const oldest = this.list().at(-1);
      if (oldest === undefined) return;
      await this.#remove(oldest.id);
    }
  }

  async #remove(id: string): Promise<void> {
    const { files, path } = this.#options;
    this.#shares.delete(id);
    await files.remove(`${path}/${id}${fileEnd}`);
    await files.syncDirectory(path);
  }

  #hasExpired({ createdMillis }: ShareHead): boolean {
    const { clock, limits } = this.#options;
    return limits.ageMillisMax > 0 && clock.nowMillis() - createdMillis > limits.ageMillisMax;
  }

  /** Removes expired profiles now and at intervals. */
  async #expire(): Promise<void> {
    const { clock, logger } = this.#options;
    const expired = [...this.#shares.values()].filter((share) => this.#hasExpired(share));
    for (const { id } of expired) {
      try {
        await this.#remove(id);
      } catch (error) {
        logger.warn(`cannot remove ${this.#options.kind.noun}`, { error: errorMessage(error) });
      }
    }
    this.#timer = clock.setTimer(shareExpiryMillis, () => void this.#expire());
  }

  /**
   * Reads the first line of a file. Removes an unfinished file, but leaves an unreadable file in
   * place.
   */
  async #load(name: string): Promise<void> {
    const { files, path, logger } = this.#options;
    if (name.endsWith(temporarySuffix)) {
      await files.remove(`${path}/${name}`);
      return;
    }
    const id = name.slice(0, -fileEnd.length);
    if (!name.endsWith(fileEnd) || !/^[0-9a-f]{32}$/.test(id)) return;
    const file = await files.open(`${path}/${name}`, { create: false });
    try {
      const start = new Uint8Array(headBytesMax);
      const length = await file.read(start, 0);
      const lineLength = start.subarray(0, length).indexOf(newline);
      const { description, createdMillis } = parseHead(start.subarray(0, lineLength));
      const fileBytes = await file.size();
      const bytes = fileBytes - lineLength - 1;
      this.#shares.set(id, { id, description, createdMillis, bytes, fileBytes });
    } catch (error) {
      logger.warn(`cannot read ${this.#options.kind.noun}`, {
        file: name,
        error: errorMessage(error),
      });
    } finally {
      await file.close();
    }
  }
}

function checkContent(
  profile: Uint8Array,
  description: string,
  { verb, bytesOfOneMax }: ShareKind,
): void {
  if (profile.length > bytesOfOneMax) {
    throw new AppError(
      'resource-exhausted',
      `cannot ${verb} profile: it has ${profile.length} bytes, the limit is ${bytesOfOneMax}`,
    );
  }
  if (description.length <= shareDescriptionLengthMax) return;
  throw new AppError(
    'invalid-argument',
    `description: has ${description.length} characters, the limit is ${shareDescriptionLengthMax}`,
  );
}

function parseHead(line: Uint8Array): Pick<ShareHead, 'description' | 'createdMillis'> {
  const head: unknown = JSON.parse(Buffer.from(line).toString('utf8'));
  if (
    typeof head === 'object' &&
    head !== null &&
    'description' in head &&
    typeof head.description === 'string' &&
    'createdMillis' in head &&
    typeof head.createdMillis === 'number'
  ) {
    return { description: head.description, createdMillis: head.createdMillis };
  }
  throw new AppError('data-loss', 'its first line is damaged');
}
