// Uploaded files of debug information, in one folder of the storage path.
//
// <key>.<type>.<generation>  a file; the key is a hash of the build id
// <key>.<type>.json          its entry: written last, so that it names only files that are whole
// <upload id>.upload         a file that is arriving; removed at the next start
import type { Clock } from '../base/clock.ts';
import { AppError, errorMessage } from '../base/errors.ts';
import type { File, Files } from '../base/files.ts';
import {
  debuginfoBuildIdLengthMax,
  debuginfoFreeDiskBytesMin,
  debuginfoHashLengthMax,
  debuginfoRefusedHashesMax,
  debuginfoUploadGraceMillis,
  debuginfoUploadsMax,
} from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Random } from '../base/random.ts';
import { folderOf, makeDurableFolder, replaceFile } from '../storage/files/durable-files.ts';
import { sourceOfFile } from '../symbolize/elf-file.ts';
import { type Entry, newEntry, parseEntry, printEntry } from './entry.ts';
import type {
  BuildIdType,
  DebuginfoFile,
  DebuginfoType,
  DebuginfoUploads,
  Quality,
  UploadDecision,
  UploadOffer,
  UploadTicket,
} from './interface.ts';
import { inspectElf, noQuality, rankOf } from './quality.ts';

/** Parts of the machine and limits that the store is made with. */
export interface DebuginfoStoreOptions {
  /** Folder of its own; made when it is not there. */
  readonly path: string;
  readonly files: Files;
  readonly clock: Clock;
  /** Not to be guessed: whoever knows an upload's id may send its bytes. */
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Digest of a text as hex; file names are made of it. */
  readonly digest: (text: string) => string;
  readonly uploadBytesMax: number;
  readonly uploadMillisMax: number;
  /** Told when another file is the best one for a build id. */
  readonly onChange?: (buildId: string) => void;
}

/** One upload under way. */
interface Upload {
  readonly ticket: UploadTicket;
  readonly offer: UploadOffer;
  readonly size: number;
  readonly startedAtMillis: number;
  isReceiving: boolean;
  /** Set when all bytes are on the disk. */
  received: { readonly quality: Quality } | undefined;
}

const uploadSuffix = '.upload';
const entrySuffix = '.json';

/** Keeps one file for each build id and type, the best that was uploaded. */
export class DebuginfoStore implements DebuginfoUploads {
  readonly #options: DebuginfoStoreOptions;
  readonly #entries = new Map<string, Entry>();
  /** Uploads under way by what they are of: one at a time. */
  readonly #uploads = new Map<string, Upload>();
  readonly #finished: ReturnType<Metrics['counter']>;

  private constructor(options: DebuginfoStoreOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#finished = metrics.counter(
      'parca_debuginfo_uploads_total',
      'Uploads of debug information by what became of them.',
      ['result'],
    );
    metrics.observedGauge('parca_debuginfo_files', 'Files of debug information.', () => {
      let count = 0;
      for (const { file } of this.#entries.values()) count += file === undefined ? 0 : 1;
      return count;
    });
    metrics.observedGauge('parca_debuginfo_bytes', 'Bytes of debug information.', () => {
      let bytes = 0;
      for (const { file } of this.#entries.values()) bytes += file?.bytes ?? 0;
      return bytes;
    });
  }

  /**
   * Opens the folder, and removes what a crash left in it.
   *
   * Errors: the disk's. An entry that cannot be read is logged and left out.
   */
  static async open(options: DebuginfoStoreOptions): Promise<DebuginfoStore> {
    const store = new DebuginfoStore(options);
    const { files, path, logger } = options;
    await makeDurableFolder(files, path, folderOf(path));
    const names = await files.listFiles(path);
    const known = new Set<string>();
    for (const name of names.filter((candidate) => candidate.endsWith(entrySuffix))) {
      try {
        const entry = parseEntry(await files.read(`${path}/${name}`), `${path}/${name}`);
        store.#entries.set(keyOf(entry), entry);
        known.add(name);
        if (entry.file !== undefined) known.add(entry.file.name);
      } catch (error) {
        logger.error('debug information is left out', { error: errorMessage(error) });
        // Its file is kept for whoever repairs it.
        for (const other of names) {
          if (other.startsWith(name.slice(0, -entrySuffix.length))) known.add(other);
        }
      }
    }
    for (const name of names) if (!known.has(name)) await files.remove(`${path}/${name}`);
    return store;
  }

  decide(offer: UploadOffer): UploadDecision {
    checkOffer(offer);
    const upload = this.#uploads.get(keyOf(offer));
    if (upload !== undefined) return this.#decideDuring(upload, offer);
    const entry = this.#entries.get(keyOf(offer));
    if (entry === undefined) return wanted('nothing is known of this build id');
    if (offer.hash !== '' && entry.refusedHashes.includes(offer.hash)) {
      return notWanted(
        entry.refusal === ''
          ? 'the same file was uploaded before, and a better one is there'
          : `the same file was refused before: ${entry.refusal}`,
      );
    }
    const { file } = entry;
    if (file === undefined) return wanted('the file that was uploaded before could not be used');
    if (offer.force) return wanted('the upload is forced');
    const isElf = offer.type === 'debuginfo' || offer.type === 'executable';
    if (isElf && !file.quality.hasDwarf && offer.hash !== '' && offer.hash !== file.hash) {
      return wanted('the file that is there has no lines: another one may have them');
    }
    return notWanted('a file is there already');
  }

  #decideDuring(upload: Upload, offer: UploadOffer): UploadDecision {
    if (this.#isStale(upload)) return wanted('an earlier upload was not finished in time');
    if (offer.force) return wanted('the upload is forced');
    return notWanted('another client is uploading it');
  }

  #isStale(upload: Upload): boolean {
    const age = this.#options.clock.monotonicMillis() - upload.startedAtMillis;
    return age > this.#options.uploadMillisMax + debuginfoUploadGraceMillis;
  }

  async begin(offer: UploadOffer, size: number): Promise<string> {
    checkOffer(offer);
    const { uploadBytesMax, clock, random } = this.#options;
    if (offer.hash === '') throw invalid('hash: cannot be blank');
    if (!(size > 0)) throw invalid(`size: ${size} bytes cannot be uploaded`);
    if (size > uploadBytesMax) throw invalid(`size: ${size} bytes, limit ${uploadBytesMax}`);
    const { isWanted, reason } = this.decide(offer);
    if (!isWanted) {
      const isKnown = this.#entries.get(keyOf(offer))?.refusedHashes.includes(offer.hash) === true;
      const message = `cannot begin upload for build id ${offer.buildId}: ${reason}`;
      throw new AppError(isKnown ? 'already-exists' : 'failed-precondition', message);
    }
    this.#forgetStale();
    if (this.#uploads.size >= debuginfoUploadsMax) {
      throw new AppError(
        'resource-exhausted',
        `cannot begin upload: ${debuginfoUploadsMax} others are under way`,
      );
    }
    await this.#checkDisk(size);
    const uploadId = Array.from({ length: 4 }, () =>
      random.uint32().toString(16).padStart(8, '0'),
    ).join('');
    const { buildId, type } = offer;
    this.#uploads.set(keyOf(offer), {
      ...{ ticket: { buildId, type, uploadId }, offer, size },
      startedAtMillis: clock.monotonicMillis(),
      isReceiving: false,
      received: undefined,
    });
    return uploadId;
  }

  #forgetStale(): void {
    for (const [key, upload] of this.#uploads) {
      if (this.#isStale(upload) && !upload.isReceiving) this.#uploads.delete(key);
    }
  }

  async #checkDisk(size: number): Promise<void> {
    const { files, path } = this.#options;
    const free = await files.freeBytes(path);
    if (free - size < debuginfoFreeDiskBytesMin) {
      throw new AppError(
        'resource-exhausted',
        `cannot begin upload of ${size} bytes: the disk has ${free} left`,
      );
    }
  }

  async receive(ticket: UploadTicket, chunks: AsyncIterable<Uint8Array>): Promise<number> {
    const upload = this.#uploads.get(keyOf(ticket));
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
    const path = this.#uploadPath(ticket);
    try {
      const quality = await this.#take(upload, path, chunks);
      if (this.#uploads.get(keyOf(ticket)) !== upload) {
        throw new AppError('aborted', 'cannot take upload: another one took its place');
      }
      upload.received = { quality };
      return upload.size;
    } catch (error) {
      this.#finished.add(1, { result: 'refused' });
      if (this.#uploads.get(keyOf(ticket)) === upload) this.#uploads.delete(keyOf(ticket));
      await this.#options.files.remove(path).catch(() => undefined);
      throw error;
    } finally {
      upload.isReceiving = false;
    }
  }

  async #take(upload: Upload, path: string, chunks: AsyncIterable<Uint8Array>): Promise<Quality> {
    const { files } = this.#options;
    const file = await files.open(path, { create: true });
    try {
      await this.#copy(upload, file, chunks);
      await file.sync();
      const { type, buildId, buildIdType } = upload.offer;
      if (type === 'sources' || type === 'source-map') return noQuality;
      return await this.#inspect(upload, file, buildId, buildIdType);
    } finally {
      await file.close();
    }
  }

  async #copy(upload: Upload, file: File, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const { clock, uploadMillisMax } = this.#options;
    const { size } = upload;
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > size) throw invalid(`more than the ${size} bytes that were declared arrived`);
      if (clock.monotonicMillis() - upload.startedAtMillis > uploadMillisMax) {
        throw new AppError(
          'deadline-exceeded',
          `cannot take upload: it has taken more than ${uploadMillisMax} ms`,
        );
      }
      await file.append(chunk);
    }
    if (bytes !== size) throw invalid(`${bytes} of the ${size} bytes that were declared arrived`);
  }

  /** Reads what the file is; remembers a file that is not what it should be. */
  async #inspect(
    { offer, size }: Upload,
    file: File,
    buildId: string,
    buildIdType: BuildIdType,
  ): Promise<Quality> {
    try {
      return await inspectElf(sourceOfFile(file, size), buildId, buildIdType);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await this.#refuse(offer, error.message);
      throw error;
    }
  }

  async #refuse(offer: UploadOffer, refusal: string): Promise<void> {
    const entry = this.#entries.get(keyOf(offer)) ?? newEntry(offer.buildId, offer.type);
    const refusedHashes = [...entry.refusedHashes, offer.hash].slice(-debuginfoRefusedHashesMax);
    await this.#write({ ...entry, refusedHashes, refusal });
  }

  async finish(ticket: UploadTicket): Promise<void> {
    const upload = this.#uploads.get(keyOf(ticket));
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
    this.#uploads.delete(keyOf(ticket));
    const { files } = this.#options;
    const before = this.#entries.get(keyOf(ticket));
    if (before?.file !== undefined && !isBetter(received.quality, before.file.quality, offer)) {
      await files.remove(this.#uploadPath(ticket));
      await this.#refuse(offer, '');
      this.#finished.add(1, { result: 'no better' });
      return;
    }
    await this.#publish(upload, received.quality, before);
    this.#finished.add(1, { result: 'stored' });
  }

  /** Gives the file its name, then names it in the entry, then removes the one before. */
  async #publish(upload: Upload, quality: Quality, before: Entry | undefined): Promise<void> {
    const { files, path, clock } = this.#options;
    const { ticket, offer, size } = upload;
    const generation = (before?.generation ?? 0) + 1;
    const name = `${this.#nameOf(ticket)}.${generation}`;
    await files.rename(this.#uploadPath(ticket), `${path}/${name}`);
    await files.syncDirectory(folderOf(`${path}/${name}`));
    await this.#write({
      ...(before ?? newEntry(ticket.buildId, ticket.type)),
      generation,
      file: {
        ...{ name, bytes: size, hash: offer.hash, quality },
        uploadedAtMillis: clock.nowMillis(),
      },
    });
    this.#options.onChange?.(ticket.buildId);
    if (before?.file !== undefined) await files.remove(`${path}/${before.file.name}`);
  }

  async #write(entry: Entry): Promise<void> {
    const { files, path } = this.#options;
    const entryPath = `${path}/${this.#nameOf(entry)}${entrySuffix}`;
    await replaceFile(files, entryPath, (file) => file.append(printEntry(entry)));
    this.#entries.set(keyOf(entry), entry);
  }

  /** The file to read for a build id; undefined when there is none. */
  find(buildId: string, type: DebuginfoType): DebuginfoFile | undefined {
    const entry = this.#entries.get(keyOf({ buildId, type }));
    if (entry?.file === undefined) return undefined;
    const { file, generation } = entry;
    const { bytes, quality } = file;
    return { path: `${this.#options.path}/${file.name}`, bytes, quality, generation };
  }

  #nameOf({ buildId, type }: { readonly buildId: string; readonly type: string }): string {
    return `${this.#options.digest(buildId)}.${type}`;
  }

  #uploadPath({ uploadId }: UploadTicket): string {
    return `${this.#options.path}/${uploadId}${uploadSuffix}`;
  }
}

function keyOf({ buildId, type }: { readonly buildId: string; readonly type: string }): string {
  return `${type}/${buildId}`;
}

/** Whether a file takes the place of another: by what it tells, or as it was forced. */
function isBetter(quality: Quality, before: Quality, offer: UploadOffer): boolean {
  const [rank, rankBefore] = [rankOf(quality), rankOf(before)];
  return rank > rankBefore || (rank === rankBefore && offer.force);
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

function wanted(reason: string): UploadDecision {
  return { isWanted: true, reason };
}

function notWanted(reason: string): UploadDecision {
  return { isWanted: false, reason };
}

function invalid(why: string): AppError {
  return new AppError('invalid-argument', `cannot take upload: ${why}`);
}
