// Keeps the disk from filling up: the store refuses writes while little space is free.
import type { Clock, Timer } from '../../base/clock.ts';
import { AppError, errorMessage } from '../../base/errors.ts';
import type { File, Files } from '../../base/files.ts';
import { storageRetryMillis } from '../limits.ts';
import type { Logger } from '../../base/logger.ts';

/** Limits for the free space on the disk. */
export interface SpaceLimits {
  /** Space to keep free, in bytes and as a share of the disk. The larger value is used. */
  readonly freeDiskBytesMin: number;
  readonly freeDiskShareMin: number;
  /** Size of the reserve file in bytes; 0 = no reserve. */
  readonly diskReserveBytes: number;
  /** Time between two measurements. */
  readonly freeDiskCheckMillis: number;
}

interface SpaceGuardOptions {
  /** The storage directory. */
  readonly path: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: SpaceLimits;
}

/**
 * The reserve file is created when free space falls below this multiple of the space that must stay
 * free.
 */
const reservedBelow = 4;
/** Number of bytes in one write to the reserve file. */
const reserveWriteBytes = 1024 * 1024;
/**
 * Smallest and largest size in bytes of the test write that must succeed before writes are accepted
 * again.
 */
const probeBytesMin = 64 * 1024;
const probeBytesMax = 16 * 1024 * 1024;

/**
 * Measures the disk every few seconds. While the disk fills up, a file of zeros reserves space.
 * When the disk is nearly full, the file is removed. Its space is used to cut heads, and to compact
 * and remove blocks. Writes are refused until there is space for the file again.
 *
 * A disk that refuses a write counts as full, too, no matter what it reports: writes are refused
 * until it accepts a file of that size. Quotas can only be noticed in this way.
 */
export class SpaceGuard {
  readonly #options: SpaceGuardOptions;
  readonly #reservePath: string;
  readonly #probePath: string;
  #isFull = false;
  /** Size of the largest write that the disk refused, in bytes; 0 while it accepts writes. */
  #refusedBytes = 0;
  #hasReserve = false;
  #freeBytes = 0;
  #bytesMin = 0;
  #timer: Timer | undefined;
  #checking: Promise<void> | undefined;
  /** Settles with the measurement that the timer started. */
  #working: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: SpaceGuardOptions) {
    this.#options = options;
    this.#reservePath = `${options.path}/reserve`;
    this.#probePath = `${options.path}/probe.tmp`;
  }

  /** True if writes are refused. */
  get isReadOnly(): boolean {
    return this.#isFull || this.#refusedBytes > 0;
  }

  /** Free bytes of the disk, according to the last measurement. */
  get freeBytes(): number {
    return this.#freeBytes;
  }

  /** Free bytes below which writes are refused. */
  get keptFreeBytes(): number {
    return this.#bytesMin;
  }

  /** Measures the disk immediately, and then regularly until `close`. */
  async start(): Promise<void> {
    const { files, limits } = this.#options;
    if (await files.exists(this.#reservePath)) {
      const file = await files.open(this.#reservePath, { create: false });
      this.#hasReserve = (await file.size().finally(() => file.close())) >= limits.diskReserveBytes;
      if (!this.#hasReserve) await files.remove(this.#reservePath);
    }
    // The file may be left over from a process that was killed.
    if (await files.exists(this.#probePath)) await files.remove(this.#probePath);
    await this.#check();
    this.#plan();
  }

  /** Throws AppError 'resource-exhausted' while writes are refused. */
  assertWritable(): void {
    if (!this.isReadOnly) return;
    const kept = this.#isFull
      ? `${this.#bytesMin} are kept free`
      : `a write of ${this.#refusedBytes} was refused`;
    throw new AppError(
      'resource-exhausted',
      `cannot store profiles: the disk is full: ${this.#freeBytes} bytes are free, ${kept}`,
      { retryAfterMillis: storageRetryMillis },
    );
  }

  /** Records that the disk refused a write of acknowledged profiles. */
  noteRefusal(bytes: number): void {
    const wasReadOnly = this.isReadOnly;
    this.#refusedBytes = Math.max(this.#refusedBytes, bytes);
    if (wasReadOnly) return;
    const { path, logger } = this.#options;
    const facts = { path, freeBytes: this.#freeBytes, writeBytes: bytes };
    logger.error('the disk is full: writes are refused', facts);
  }

  /** Removes the reserve after the disk refused a write, and measures again. */
  async diskFull(): Promise<void> {
    await this.#release();
    await this.#check();
  }

  /** Removes the reserve, so that a closed directory contains only data. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#working;
    await this.#checking;
    await this.#release();
  }

  #plan(): void {
    if (this.#isClosed) return;
    const { clock, limits } = this.#options;
    this.#timer = clock.setTimer(limits.freeDiskCheckMillis, () => {
      this.#working = this.#check().then(() => this.#reserve());
      void this.#working.then(() => this.#plan());
    });
  }

  /** Measures the disk, or joins the measurement that is running. */
  #check(): Promise<void> {
    this.#checking ??= this.#measure()
      .catch((error: unknown) => {
        this.#options.logger.warn('cannot measure the disk', { error: errorMessage(error) });
      })
      .finally(() => {
        this.#checking = undefined;
      });
    return this.#checking;
  }

  async #measure(): Promise<void> {
    const { path, files, logger, limits } = this.#options;
    const freeBytes = await files.freeBytes(path);
    const share = (await files.totalBytes(path)) * limits.freeDiskShareMin;
    this.#freeBytes = freeBytes;
    this.#bytesMin = Math.max(limits.freeDiskBytesMin, Math.ceil(share));
    const wasReadOnly = this.isReadOnly;
    // Writes are accepted again only when there is space for the reserve.
    const needed = this.#bytesMin + (this.#isFull ? limits.diskReserveBytes : 0);
    const wasFull = this.#isFull;
    this.#isFull = freeBytes < needed;
    if (!this.#isFull && this.#refusedBytes > 0 && (await this.#takesWrites())) {
      this.#refusedBytes = 0;
    }
    const facts = { path, freeBytes, keptFreeBytes: this.#bytesMin };
    if (wasReadOnly && !this.isReadOnly) {
      logger.info('the disk has room again: writes are taken', facts);
    }
    if (wasFull || !this.#isFull) return;
    if (!wasReadOnly) logger.error('the disk is nearly full: writes are refused', facts);
    await this.#release();
  }

  /** Returns true if the disk accepts as many bytes as it refused. */
  async #takesWrites(): Promise<boolean> {
    const { files } = this.#options;
    const bytes = Math.min(probeBytesMax, Math.max(probeBytesMin, 2 * this.#refusedBytes));
    try {
      const file = await files.open(this.#probePath, { create: true });
      await this.#fill(file, bytes).finally(() => file.close());
      return !this.#isClosed;
    } catch {
      // The disk is still full. The state and the metrics already show that.
      return false;
    } finally {
      await files.remove(this.#probePath).catch(() => undefined);
    }
  }

  /** Creates the reserve file if the disk is filling up but still has space for it. */
  async #reserve(): Promise<void> {
    const { files, logger, limits } = this.#options;
    const { diskReserveBytes: bytes } = limits;
    if (this.#hasReserve || this.isReadOnly || this.#isClosed || bytes === 0) return;
    if (this.#freeBytes >= reservedBelow * this.#bytesMin) return;
    if (this.#freeBytes < this.#bytesMin + 2 * bytes) return;
    try {
      const file = await files.open(this.#reservePath, { create: true });
      await this.#fill(file, bytes).finally(() => file.close());
      this.#hasReserve = true;
    } catch (error) {
      logger.warn('cannot reserve disk space', { bytes, error: errorMessage(error) });
      await this.#release();
    }
  }

  async #fill(file: File, bytes: number): Promise<void> {
    await file.truncate(0);
    const zeros = new Uint8Array(Math.min(bytes, reserveWriteBytes));
    for (let left = bytes; left > 0 && !this.#isClosed; left -= zeros.length) {
      await file.append(zeros.subarray(0, Math.min(left, zeros.length)));
    }
    await file.sync();
  }

  async #release(): Promise<void> {
    const { files, logger } = this.#options;
    this.#hasReserve = false;
    try {
      if (await files.exists(this.#reservePath)) await files.remove(this.#reservePath);
    } catch (error) {
      logger.warn('cannot give back the disk reserve', { error: errorMessage(error) });
    }
  }
}
