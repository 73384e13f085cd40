// Uploads of debug information: decides whether a file is wanted, receives its bytes, and then
// stores or refuses it.
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { FairQueue } from '../base/fair-queue.ts';
import type { File, Files } from '../base/files.ts';
import {
  debuginfoAppendByteMillis,
  debuginfoBuildIdLengthMax,
  debuginfoHashLengthMax,
  debuginfoInspectMillis,
  debuginfoReadByteMillis,
  debuginfoReadsWaitingMax,
  debuginfoUploadGraceMillis,
  debuginfoUploadsMax,
} from './limits.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import { Pacer, stoppablePacer } from '../base/pacer.ts';
import { packSources } from '../sources/pack-sources.ts';
import { sourceOfFile } from '../symbolize/elf-file.ts';
import { type DebuginfoStore, entryKey, toRanked } from './debuginfo-store.ts';
import type {
  DebuginfoUploads,
  Quality,
  UploadDecision,
  UploadOffer,
  UploadTicket,
} from './interface.ts';
import { compareFiles, inspectElf, noQuality } from './quality.ts';

/** Parts and limits of uploads. */
export interface UploadsOptions {
  /** Stores the received files. */
  readonly store: DebuginfoStore;
  readonly files: Files;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Checks a source map. Rejects with an AppError if the map cannot be read. */
  readonly checkSourceMap: (path: string, signal: AbortSignal, caller: string) => Promise<unknown>;
  readonly bytesMax: number;
  readonly millisMax: number;
  /** Returns true if a debuginfod server has a file that has not been fetched yet. */
  readonly isElsewhere: (buildId: string, signal?: AbortSignal) => Promise<boolean>;
}

/** One upload that is in progress. */
interface Upload {
  readonly ticket: UploadTicket;
  readonly offer: UploadOffer;
  readonly size: number;
  readonly startedAtMillis: number;
  isReceiving: boolean;
  /** Id of the caller that sends the bytes. */
  caller: string;
  /** Facts about the received file; undefined until all bytes are on the disk. */
  received: Received | undefined;
}

/** A file whose bytes have arrived. */
interface Received {
  readonly quality: Quality;
  /** Size of the file that will be kept. */
  readonly bytes: number;
}

/**
 * Reason for which Parca's agent tries again in five minutes. After any other reason, the agent
 * never tries again.
 */
const reasonUnderWay =
  'A previous upload is still in-progress and not stale yet (only stale uploads can be retried).';
const reasonElsewhere = 'a debuginfod server has it';

/** Receives uploads, only one at a time for each build id and type. */
export class Uploads implements DebuginfoUploads {
  readonly #options: UploadsOptions;
  readonly #store: DebuginfoStore;
  /** Running uploads, by build id and type. */
  readonly #uploads = new Map<string, Upload>();
  /**
   * Queue in which archives and maps are read one at a time, because reading one takes a full core
   * and much memory.
   */
  readonly #reading: FairQueue;
  /** Queue in which files are synced and inspected one at a time. */
  readonly #inspecting: FairQueue;
  /**
   * Queue in which chunks are written one at a time, so that uploads take only a part of each turn
   * of the event loop.
   */
  readonly #appending: FairQueue;
  readonly #finished: ReturnType<Metrics['counter']>;

  constructor(options: UploadsOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#reading = this.#line(debuginfoReadByteMillis, debuginfoReadsWaitingMax, 'to be read');
    // These queues are never full: each upload has at most one task in them.
    const most = debuginfoUploadsMax;
    this.#inspecting = this.#line(debuginfoInspectMillis, most, 'to be inspected');
    this.#appending = this.#line(debuginfoAppendByteMillis, most, 'to be written');
    this.#finished = options.metrics.counter(
      'parca_debuginfo_uploads_total',
      'Uploads of debug information by what became of them.',
      ['result'],
    );
  }

  /** Creates a queue that runs one task at a time; callers take turns. */
  #line(millisPerSize: number, waitingMax: number, what: string): FairQueue {
    return new FairQueue({
      clock: this.#options.clock,
      limits: { runningMax: 1, reserved: 0, waitingMax, waitingSizeMax: Infinity },
      millisPerSize,
      refuse: ({ waitingCount, retryAfterMillis }) => {
        const why = `${waitingCount - 1} others wait ${what}`;
        return new AppError('resource-exhausted', `cannot take upload: ${why}`, {
          retryAfterMillis,
        });
      },
    });
  }

  async decide(offer: UploadOffer, signal?: AbortSignal): Promise<UploadDecision> {
    checkOffer(offer);
    const decision = this.#decideAlone(offer);
    if (!decision.isWanted || !this.#mayBeElsewhere(offer)) return decision;
    const isElsewhere = await this.#options.isElsewhere(offer.buildId, signal);
    return isElsewhere ? notWanted(reasonElsewhere) : decision;
  }

  /** Returns true if a file that is not stored here may be on a debuginfod server. */
  #mayBeElsewhere(offer: UploadOffer): boolean {
    const { buildIdType, force } = offer;
    const isGnu = buildIdType === 'gnu' || buildIdType === 'unknown';
    const key = entryKey(offer);
    return (
      isGnu &&
      isElf(offer) &&
      !force &&
      this.#store.findEntry(offer) === undefined &&
      !this.#uploads.has(key)
    );
  }

  /** Decides without asking other servers. */
  #decideAlone(offer: UploadOffer): UploadDecision {
    const upload = this.#uploads.get(entryKey(offer));
    if (upload !== undefined) return this.#decideDuring(upload, offer);
    const { buildId, force } = offer;
    const fetched = isElf(offer)
      ? this.#store.findEntry({ buildId, type: 'debuginfod' })
      : undefined;
    const fetchedQuality = fetched?.file?.quality;
    const hasFetched = fetchedQuality?.hasDwarf === true && fetchedQuality.lacksSplit !== true;
    if (!force && hasFetched) return notWanted(reasonElsewhere);
    const entry = this.#store.findEntry(offer);
    if (entry === undefined) return wanted('nothing is known of this build id');
    if (offer.hash !== '' && entry.refusedHashes.includes(offer.hash)) {
      return notWanted(
        entry.refusal === ''
          ? 'the same file was uploaded before, and a better one is there'
          : `the same file was refused before: ${entry.refusal}`,
      );
    }
    const { file } = entry;
    if (file === undefined) return wanted('the file that was uploaded before is not there');
    if (force) return wanted('the upload is forced');
    const { hasDwarf, lacksSplit = false } = file.quality;
    const lacksLines = !hasDwarf || lacksSplit;
    if (isElf(offer) && lacksLines && offer.hash !== '' && offer.hash !== file.hash) {
      return wanted('the file that is there has no lines: another one may have them');
    }
    return notWanted('a file is there already');
  }

  #decideDuring(upload: Upload, offer: UploadOffer): UploadDecision {
    if (this.#isStale(upload)) return wanted('an earlier upload was not finished in time');
    if (offer.force) return wanted('the upload is forced');
    return notWanted(reasonUnderWay);
  }

  #isStale(upload: Upload): boolean {
    const age = this.#options.clock.monotonicMillis() - upload.startedAtMillis;
    return age > this.#options.millisMax + debuginfoUploadGraceMillis;
  }

  async begin(offer: UploadOffer, size: number, signal?: AbortSignal): Promise<string> {
    checkOffer(offer);
    const { bytesMax, clock } = this.#options;
    if (offer.hash === '') throw invalid('hash: cannot be blank');
    if (!(size > 0)) throw invalid(`size: ${size} bytes cannot be uploaded`);
    if (size > bytesMax) throw invalid(`size: ${size} bytes, limit ${bytesMax}`);
    this.#checkWanted(offer, await this.decide(offer, signal));
    await this.#store.checkRoom(size);
    signal?.throwIfAborted();
    // While this call waited, another client may have begun the same upload.
    this.#checkWanted(offer, this.#decideAlone(offer));
    this.#forgetStale();
    if (this.#uploads.size >= debuginfoUploadsMax) {
      throw new AppError(
        'resource-exhausted',
        `cannot begin upload: ${debuginfoUploadsMax} others are under way`,
      );
    }
    const uploadId = this.#store.newUploadId();
    const { buildId, type } = offer;
    this.#uploads.set(entryKey(offer), {
      ticket: { buildId, type, uploadId },
      offer,
      size,
      startedAtMillis: clock.monotonicMillis(),
      isReceiving: false,
      caller: '',
      received: undefined,
    });
    return uploadId;
  }

  /** Refuses an upload that is not wanted. Errors: as in `begin`. */
  #checkWanted(offer: UploadOffer, { isWanted, reason }: UploadDecision): void {
    if (isWanted) return;
    const isKnown = this.#store.findEntry(offer)?.refusedHashes.includes(offer.hash) === true;
    const message = `cannot begin upload for build id ${offer.buildId}: ${reason}`;
    throw new AppError(isKnown ? 'already-exists' : 'failed-precondition', message);
  }

  #forgetStale(): void {
    for (const [key, upload] of this.#uploads) {
      if (this.#isStale(upload) && !upload.isReceiving) this.#uploads.delete(key);
    }
  }

  async receive(
    ticket: UploadTicket,
    chunks: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
    caller = '',
  ): Promise<number> {
    const upload = this.#uploads.get(entryKey(ticket));
    if (upload === undefined) {
      throw new AppError(
        'failed-precondition',
        `cannot take upload for build id ${ticket.buildId}: it was not begun`,
      );
    }
    checkId(upload, ticket);
    if (upload.isReceiving || upload.received !== undefined) {
      throw new AppError('failed-precondition', 'cannot take upload: its bytes came before');
    }
    upload.isReceiving = true;
    upload.caller = caller;
    const path = this.#store.uploadPath(ticket);
    try {
      const received = await this.#take(upload, path, chunks, signal);
      if (this.#uploads.get(entryKey(ticket)) !== upload) {
        throw new AppError('aborted', 'cannot take upload: another one took its place');
      }
      upload.received = received;
      return upload.size;
    } catch (error) {
      this.#finished.add(1, { result: 'refused' });
      if (this.#uploads.get(entryKey(ticket)) === upload) this.#uploads.delete(entryKey(ticket));
      await this.#options.files.remove(path).catch(() => undefined);
      throw error;
    } finally {
      upload.isReceiving = false;
    }
  }

  async #take(
    upload: Upload,
    path: string,
    chunks: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<Received> {
    const { files, checkSourceMap } = this.#options;
    const { size, offer, caller } = upload;
    const { type, buildId } = offer;
    const file = await files.open(path, { create: true });
    try {
      await this.#copy(upload, file, chunks, signal);
      const inspect = (): Promise<Quality> => this.#inspect(file, upload, signal);
      const quality = await this.#inTurn(this.#inspecting, caller, 1, inspect, signal);
      if (isElf(offer)) return { quality, bytes: size };
    } finally {
      await file.close();
    }
    const read =
      type === 'source-map'
        ? () => checkSourceMap(path, signal, caller).then(() => size)
        : () => this.#packSources(buildId, path, signal);
    const readOrRefuse = (): Promise<number> => this.#orRefuse(offer, read, signal);
    const bytes = await this.#inTurn(this.#reading, caller, size, readOrRefuse, signal);
    return { quality: noQuality, bytes };
  }

  /** Makes a file durable, and inspects it if names may be read from it. */
  async #inspect(file: File, { offer, size }: Upload, signal: AbortSignal): Promise<Quality> {
    await file.sync();
    if (!isElf(offer)) return noQuality;
    const { buildId, buildIdType } = offer;
    const pacer = stoppablePacer(new Pacer(this.#options.clock), signal);
    const source = sourceOfFile(file, size);
    return this.#orRefuse(offer, () => inspectElf(source, buildId, buildIdType, pacer), signal);
  }

  /** Replaces an uploaded archive with its packed sources; returns their size in bytes. */
  async #packSources(buildId: string, path: string, signal: AbortSignal): Promise<number> {
    const { files, logger } = this.#options;
    const packedPath = `${path}.packed`;
    try {
      const { fileCount, bytes, leftOut } = await packSources(files, path, packedPath, signal);
      await files.rename(packedPath, path);
      logger.info('sources are kept', { buildId, fileCount, bytes, leftOut });
      return bytes;
    } catch (error) {
      await files.remove(packedPath).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Writes the chunks to the file. Callers take turns, weighted by the time that their writes take.
   */
  async #copy(
    upload: Upload,
    file: File,
    chunks: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, millisMax } = this.#options;
    const { size, caller } = upload;
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > size) throw invalid(`more than the ${size} bytes that were declared arrived`);
      if (clock.monotonicMillis() - upload.startedAtMillis > millisMax) {
        throw new AppError(
          'deadline-exceeded',
          `cannot take upload: it has taken more than ${millisMax} ms`,
        );
      }
      const append = (): Promise<void> => file.append(chunk);
      await this.#inTurn(this.#appending, caller, chunk.length, append, signal);
    }
    if (bytes !== size) throw invalid(`${bytes} of the ${size} bytes that were declared arrived`);
  }

  /** Runs a task when it is its caller's turn in the queue `line`. */
  async #inTurn<T>(
    line: FairQueue,
    caller: string,
    size: number,
    run: () => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const { clock } = this.#options;
    const turn = await line.take(caller, size, signal);
    const startMillis = clock.monotonicMillis();
    try {
      return await run();
    } finally {
      turn.end(clock.monotonicMillis() - startMillis);
    }
  }

  /**
   * Inspects a file with `read`. If the file is refused, the refusal is recorded, unless the caller
   * has disconnected.
   */
  async #orRefuse<T>(offer: UploadOffer, read: () => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (signal.aborted || !(error instanceof AppError)) throw error;
      await this.#store.refuse(offer, error.message);
      throw error;
    }
  }

  async finish(ticket: UploadTicket, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const upload = this.#uploads.get(entryKey(ticket));
    if (upload === undefined) {
      throw new AppError(
        'not-found',
        `cannot finish upload for build id ${ticket.buildId}: none is under way`,
      );
    }
    checkId(upload, ticket);
    const { received, offer } = upload;
    if (received === undefined) {
      throw new AppError('failed-precondition', 'cannot finish upload: its bytes did not arrive');
    }
    this.#uploads.delete(entryKey(ticket));
    const { files } = this.#options;
    const { type } = ticket;
    const { quality, bytes } = received;
    const file = { bytes, hash: offer.hash, quality, isExplicit: offer.force };
    const before = this.#store.findEntry(ticket)?.file;
    const order = before && compareFiles({ ...file, kind: type }, toRanked(before, type));
    if (order !== undefined && (order > 0 || (order === 0 && !offer.force))) {
      await files.remove(this.#store.uploadPath(ticket));
      await this.#store.refuse(offer, '');
      this.#finished.add(1, { result: 'no better' });
      return;
    }
    await this.#store.publish(ticket, file);
    this.#finished.add(1, { result: 'stored' });
  }
}

function checkOffer({ buildId, hash }: UploadOffer): void {
  if (buildId.length < 3) throw invalid('build_id: unexpectedly short input');
  if (buildId.length > debuginfoBuildIdLengthMax) {
    throw invalid(`build_id: ${buildId.length} characters, limit ${debuginfoBuildIdLengthMax}`);
  }
  if (hash.length > debuginfoHashLengthMax) {
    throw invalid(`hash: ${hash.length} characters, limit ${debuginfoHashLengthMax}`);
  }
}

function checkId(upload: Upload, { uploadId, buildId }: UploadTicket): void {
  if (upload.ticket.uploadId === uploadId) return;
  throw invalid(`upload_id: ${uploadId} is not the upload of build id ${buildId} under way`);
}

function isElf({ type }: UploadOffer): boolean {
  return type === 'debuginfo' || type === 'executable';
}

function wanted(reason: string): UploadDecision {
  return { isWanted: true, reason };
}

function notWanted(reason: string): UploadDecision {
  return { isWanted: false, reason };
}

function invalid(why: string): AppError {
  return new AppError('invalid-argument', `cannot take upload: ${why}`);
}
