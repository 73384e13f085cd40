// Files of debug information, in one folder of the storage path.
//
// <key>.<type>.<generation>  a file; the key is a hash of the build id
// <key>.<type>.json          its entry: written last, so that it names only files that are whole
// <upload id>.upload         a file that is arriving; removed at the next start
import type { Clock, Timer } from '../base/clock.ts';
import { AppError, errorMessage } from '../base/errors.ts';
import type { File, Files } from '../base/files.ts';
import {
  debuginfoBuildIdLengthMax,
  debuginfoFreeDiskBytesMin,
  debuginfoHashLengthMax,
  debuginfoLimitsMillis,
  debuginfoRefusedHashesMax,
  debuginfoUploadGraceMillis,
  debuginfoUploadsMax,
} from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Random } from '../base/random.ts';
import { folderOf, makeDurableFolder, replaceFile } from '../storage/files/durable-files.ts';
import { packSources } from '../sources/pack-sources.ts';
import { sourceOfFile } from '../symbolize/elf-file.ts';
import type { BuildFiles } from '../symbolize/interface.ts';
import { type Entry, newEntry, parseEntry, printEntry, type StoredFile } from './entry.ts';
import { type FileRemoval, type FolderLimits, planFileRemovals } from './folder-limits.ts';
import type {
  DebuginfoFile,
  DebuginfoUploads,
  FileKind,
  Quality,
  UploadDecision,
  UploadOffer,
  UploadTicket,
} from './interface.ts';
import { compareFiles, inspectElf, noQuality } from './quality.ts';

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
  /** Rejects with AppError for a source map that cannot be read. */
  readonly checkSourceMap: (path: string) => Promise<unknown>;
  readonly uploadBytesMax: number;
  readonly uploadMillisMax: number;
  readonly limits: FolderLimits;
  /** Whether a debuginfod server has a file that was not fetched yet; absent: none is asked. */
  readonly isElsewhere?: (buildId: string) => Promise<boolean>;
  /** Told when another file is there for a build id. */
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
  received: Received | undefined;
}

/** A file whose bytes have arrived. */
interface Received {
  readonly quality: Quality;
  /** Size of the file to keep. */
  readonly bytes: number;
}

const uploadSuffix = '.upload';
const entrySuffix = '.json';
/** Parca's agent asks again after five minutes if the reason is this text, else never. */
const reasonUnderWay =
  'A previous upload is still in-progress and not stale yet (only stale uploads can be retried).';
const reasonElsewhere = 'a debuginfod server has it';
/** Kinds of files that names are read from. */
const namingKinds: readonly FileKind[] = ['debuginfo', 'executable', 'debuginfod'];

/** Keeps one file for each build id and type, the best that was uploaded. */
export class DebuginfoStore implements DebuginfoUploads {
  readonly #options: DebuginfoStoreOptions;
  readonly #entries = new Map<string, Entry>();
  /** Uploads under way by what they are of: one at a time. */
  readonly #uploads = new Map<string, Upload>();
  readonly #finished: ReturnType<Metrics['counter']>;
  readonly #removed: ReturnType<Metrics['counter']>;
  /** Times at which files were last read for names. */
  readonly #usedAtMillis = new Map<string, number>();
  /** The last change of an entry: they are made one after the other. */
  #lastChange: Promise<unknown> = Promise.resolve();
  #timer: Timer | undefined;

  private constructor(options: DebuginfoStoreOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#finished = metrics.counter(
      'parca_debuginfo_uploads_total',
      'Uploads of debug information by what became of them.',
      ['result'],
    );
    this.#removed = metrics.counter(
      'parca_debuginfo_removed_total',
      'Files of debug information that were removed by a limit of the folder.',
      ['limit'],
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

  /** Removes what is over the limits of the folder, now and every hour. Logs errors of the disk. */
  async applyLimits(): Promise<void> {
    const { clock, logger } = this.#options;
    this.#timer?.cancel();
    this.#timer = clock.setTimer(debuginfoLimitsMillis, () => void this.applyLimits());
    try {
      for (const removal of this.#excess()) await this.#inOrder(() => this.#remove(removal));
    } catch (error) {
      logger.error('cannot remove debug information', { error: errorMessage(error) });
    }
  }

  #excess(): FileRemoval[] {
    const { clock, limits } = this.#options;
    const files = [...this.#entries].flatMap(([key, { buildId, type, file }]) => {
      if (file === undefined || this.#uploads.has(key)) return [];
      const usedAtMillis = Math.max(file.uploadedAtMillis, this.#usedAtMillis.get(key) ?? 0);
      const best = this.#ranked(buildId)[0]?.name ?? file.name;
      const isSpare = namingKinds.includes(type) && best !== file.name;
      return [{ key, file, usedAtMillis, isSpare }];
    });
    return planFileRemovals(files, limits, clock.nowMillis());
  }

  async #remove({ key, reason }: FileRemoval): Promise<void> {
    const { files, path, logger } = this.#options;
    const entry = this.#entries.get(key);
    if (entry?.file === undefined || this.#uploads.has(key)) return;
    const { file, ...rest } = entry;
    // Names that were read of it stay good, so its generation does, too.
    await this.#write(rest);
    await files.remove(`${path}/${file.name}`);
    this.#removed.add(1, { limit: reason });
    const { buildId, type } = entry;
    logger.info('debug information is removed', { buildId, type, limit: reason });
    this.#options.onChange?.(buildId);
  }

  /** Ends the passes that remove files. */
  stop(): void {
    this.#timer?.cancel();
  }

  #inOrder<T>(change: () => Promise<T>): Promise<T> {
    const next = this.#lastChange.then(change);
    this.#lastChange = next.catch(() => undefined);
    return next;
  }

  async decide(offer: UploadOffer): Promise<UploadDecision> {
    checkOffer(offer);
    const decision = this.#decideAlone(offer);
    if (!decision.isWanted || !this.#mayBeElsewhere(offer)) return decision;
    const isElsewhere = (await this.#options.isElsewhere?.(offer.buildId)) ?? false;
    return isElsewhere ? notWanted(reasonElsewhere) : decision;
  }

  /** Whether a file that nothing is known of may be at a debuginfod server. */
  #mayBeElsewhere(offer: UploadOffer): boolean {
    const { buildIdType, force } = offer;
    const isGnu = buildIdType === 'gnu' || buildIdType === 'unknown';
    const key = keyOf(offer);
    return isGnu && isElf(offer) && !force && !this.#entries.has(key) && !this.#uploads.has(key);
  }

  /** Decides by what is here. */
  #decideAlone(offer: UploadOffer): UploadDecision {
    const upload = this.#uploads.get(keyOf(offer));
    if (upload !== undefined) return this.#decideDuring(upload, offer);
    const { buildId, force } = offer;
    const fetched = isElf(offer)
      ? this.#entries.get(keyOf({ buildId, type: 'debuginfod' }))
      : undefined;
    if (!force && fetched?.file?.quality.hasDwarf === true) return notWanted(reasonElsewhere);
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
    if (file === undefined) return wanted('the file that was uploaded before is not there');
    if (force) return wanted('the upload is forced');
    if (isElf(offer) && !file.quality.hasDwarf && offer.hash !== '' && offer.hash !== file.hash) {
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
    return age > this.#options.uploadMillisMax + debuginfoUploadGraceMillis;
  }

  async begin(offer: UploadOffer, size: number): Promise<string> {
    checkOffer(offer);
    const { uploadBytesMax, clock } = this.#options;
    if (offer.hash === '') throw invalid('hash: cannot be blank');
    if (!(size > 0)) throw invalid(`size: ${size} bytes cannot be uploaded`);
    if (size > uploadBytesMax) throw invalid(`size: ${size} bytes, limit ${uploadBytesMax}`);
    this.#checkWanted(offer, await this.decide(offer));
    await this.#checkDisk(size);
    // Another client may have begun meanwhile.
    this.#checkWanted(offer, this.#decideAlone(offer));
    this.#forgetStale();
    if (this.#uploads.size >= debuginfoUploadsMax) {
      throw new AppError(
        'resource-exhausted',
        `cannot begin upload: ${debuginfoUploadsMax} others are under way`,
      );
    }
    const uploadId = this.#newUploadId();
    const { buildId, type } = offer;
    this.#uploads.set(keyOf(offer), {
      ...{ ticket: { buildId, type, uploadId }, offer, size },
      startedAtMillis: clock.monotonicMillis(),
      isReceiving: false,
      received: undefined,
    });
    return uploadId;
  }

  /** Errors: see `begin`. */
  #checkWanted(offer: UploadOffer, { isWanted, reason }: UploadDecision): void {
    if (isWanted) return;
    const isKnown = this.#entries.get(keyOf(offer))?.refusedHashes.includes(offer.hash) === true;
    const message = `cannot begin upload for build id ${offer.buildId}: ${reason}`;
    throw new AppError(isKnown ? 'already-exists' : 'failed-precondition', message);
  }

  #newUploadId(): string {
    const { random } = this.#options;
    const word = (): string => random.uint32().toString(16).padStart(8, '0');
    return [word(), word(), word(), word()].join('');
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
      const received = await this.#take(upload, path, chunks);
      if (this.#uploads.get(keyOf(ticket)) !== upload) {
        throw new AppError('aborted', 'cannot take upload: another one took its place');
      }
      upload.received = received;
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

  async #take(upload: Upload, path: string, chunks: AsyncIterable<Uint8Array>): Promise<Received> {
    const { files } = this.#options;
    const { size, offer } = upload;
    const { type, buildId, buildIdType } = offer;
    const file = await files.open(path, { create: true });
    try {
      await this.#copy(upload, file, chunks);
      await file.sync();
      if (isElf(offer)) {
        const inspect = (): Promise<Quality> =>
          inspectElf(sourceOfFile(file, size), buildId, buildIdType);
        return { quality: await this.#orRefuse(offer, inspect), bytes: size };
      }
    } finally {
      await file.close();
    }
    if (type === 'source-map') {
      await this.#orRefuse(offer, () => this.#options.checkSourceMap(path));
      return { quality: noQuality, bytes: size };
    }
    const bytes = await this.#orRefuse(offer, () => this.#packSources(buildId, path));
    return { quality: noQuality, bytes };
  }

  /** Puts the packed sources in the place of their archive; returns their size. */
  async #packSources(buildId: string, path: string): Promise<number> {
    const { files, logger } = this.#options;
    const packedPath = `${path}.packed`;
    try {
      const { fileCount, bytes, leftOut } = await packSources(files, path, packedPath);
      await files.rename(packedPath, path);
      logger.info('sources are kept', { buildId, fileCount, bytes, leftOut });
      return bytes;
    } catch (error) {
      await files.remove(packedPath).catch(() => undefined);
      throw error;
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
  async #orRefuse<T>(offer: UploadOffer, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await this.#refuse(offer, error.message);
      throw error;
    }
  }

  #refuse(offer: UploadOffer, refusal: string): Promise<void> {
    return this.#inOrder(async () => {
      const entry = this.#entries.get(keyOf(offer)) ?? newEntry(offer.buildId, offer.type);
      const refusedHashes = [...entry.refusedHashes, offer.hash].slice(-debuginfoRefusedHashesMax);
      await this.#write({ ...entry, refusedHashes, refusal });
      if (entry.file === undefined) this.#options.onChange?.(offer.buildId);
    });
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
    const { type } = ticket;
    const { quality, bytes } = received;
    const file = { bytes, hash: offer.hash, quality, isExplicit: offer.force };
    const before = this.#entries.get(keyOf(ticket))?.file;
    const order = before && compareFiles({ ...file, kind: type }, rankedOf(before, type));
    if (order !== undefined && (order > 0 || (order === 0 && !offer.force))) {
      await files.remove(this.#uploadPath(ticket));
      await this.#refuse(offer, '');
      this.#finished.add(1, { result: 'no better' });
      return;
    }
    await this.#publish(ticket, file);
    this.#finished.add(1, { result: 'stored' });
  }

  /**
   * Keeps a file that a debuginfod server sends, unless it is not what its build id says.
   *
   * Errors: those of the chunks and of the disk; AppError 'invalid-argument' for another file,
   * 'resource-exhausted' for one over the limit of uploads, or when the disk is nearly full.
   */
  async addFetched(buildId: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const { files, uploadBytesMax } = this.#options;
    const ticket = { buildId, type: 'debuginfod', uploadId: this.#newUploadId() } as const;
    const path = this.#uploadPath(ticket);
    try {
      await this.#checkDisk(0);
      const file = await files.open(path, { create: true });
      let bytes = 0;
      let quality: Quality;
      try {
        for await (const chunk of chunks) {
          bytes += chunk.length;
          if (bytes > uploadBytesMax) {
            throw new AppError('resource-exhausted', `it has more than ${uploadBytesMax} bytes`);
          }
          await file.append(chunk);
        }
        await this.#checkDisk(0);
        await file.sync();
        quality = await inspectElf(sourceOfFile(file, bytes), buildId, 'gnu');
      } finally {
        await file.close();
      }
      await this.#publish(ticket, { bytes, hash: '', quality, isExplicit: false });
    } catch (error) {
      await files.remove(path).catch(() => undefined);
      throw error;
    }
  }

  /** Gives the file its name, then names it in the entry, then removes the one before. */
  async #publish(
    ticket: StoredTicket,
    file: Omit<StoredFile, 'name' | 'uploadedAtMillis'>,
  ): Promise<void> {
    const { files, path, clock, onChange } = this.#options;
    const { buildId, type } = ticket;
    await this.#inOrder(async () => {
      const before = this.#entries.get(keyOf(ticket));
      const generation = (before?.generation ?? 0) + 1;
      const name = `${this.#nameOf(ticket)}.${generation}`;
      await files.rename(this.#uploadPath(ticket), `${path}/${name}`);
      await files.syncDirectory(folderOf(`${path}/${name}`));
      await this.#write({
        ...(before ?? newEntry(buildId, type)),
        generation,
        file: { ...file, name, uploadedAtMillis: clock.nowMillis() },
      });
      onChange?.(buildId);
      if (before?.file !== undefined) await files.remove(`${path}/${before.file.name}`);
    });
    await this.applyLimits();
  }

  async #write(entry: Entry): Promise<void> {
    const { files, path } = this.#options;
    const entryPath = `${path}/${this.#nameOf(entry)}${entrySuffix}`;
    await replaceFile(files, entryPath, (file) => file.append(printEntry(entry)));
    this.#entries.set(keyOf(entry), entry);
  }

  /** The file to read for a build id; undefined when there is none. */
  find(buildId: string, type: FileKind): DebuginfoFile | undefined {
    const file = this.#entries.get(keyOf({ buildId, type }))?.file;
    if (file === undefined) return undefined;
    const { name, bytes, quality, isExplicit = false } = file;
    return { path: `${this.#options.path}/${name}`, bytes, quality, isExplicit };
  }

  /** Whether any file of a kind is there. */
  hasAny(kind: FileKind): boolean {
    for (const { type, file } of this.#entries.values()) {
      if (type === kind && file !== undefined) return true;
    }
    return false;
  }

  /** The files that names of a build id are read from; looking at them counts as using them. */
  filesOf(buildId: string): BuildFiles {
    const entries = this.#entriesOf(buildId);
    const ranked = this.#ranked(buildId);
    const nowMillis = this.#options.clock.nowMillis();
    for (const { kind } of ranked)
      this.#usedAtMillis.set(keyOf({ buildId, type: kind }), nowMillis);
    return {
      generation: entries.reduce((sum, { generation }) => sum + generation, 0),
      files: ranked.map(({ name, quality: { hasDwarf, hasGoLineTable } }) => {
        return { path: `${this.#options.path}/${name}`, hasDwarf, hasGoLineTable };
      }),
      reason: ranked.length > 0 ? '' : reasonOf(entries),
    };
  }

  #entriesOf(buildId: string): Entry[] {
    return namingKinds.flatMap((type) => this.#entries.get(keyOf({ buildId, type })) ?? []);
  }

  #ranked(buildId: string): ReturnType<typeof rankedOf>[] {
    return this.#entriesOf(buildId)
      .flatMap(({ type, file }) => (file === undefined ? [] : [rankedOf(file, type)]))
      .sort(compareFiles);
  }

  #nameOf({ buildId, type }: { readonly buildId: string; readonly type: string }): string {
    return `${this.#options.digest(buildId)}.${type}`;
  }

  #uploadPath({ uploadId }: StoredTicket): string {
    return `${this.#options.path}/${uploadId}${uploadSuffix}`;
  }
}

/** A file that is arriving. */
type StoredTicket = Pick<UploadTicket, 'buildId' | 'uploadId'> & { readonly type: FileKind };

function rankedOf(
  { name, quality, isExplicit = false }: StoredFile,
  kind: FileKind,
): { name: string; quality: Quality; isExplicit: boolean; kind: FileKind } {
  return { name, quality, isExplicit, kind };
}

/** Returns why a build id has no file to read. */
function reasonOf(entries: readonly Entry[]): string {
  const refused = entries.find(({ refusal }) => refusal !== '');
  if (refused !== undefined) return `the file that was uploaded was refused: ${refused.refusal}`;
  const wasRemoved = entries.some(({ generation }) => generation > 0);
  return wasRemoved ? 'its debug information was removed' : 'no debug information was uploaded';
}

function keyOf({ buildId, type }: { readonly buildId: string; readonly type: string }): string {
  return `${type}/${buildId}`;
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
