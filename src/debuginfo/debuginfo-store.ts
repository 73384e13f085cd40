// Files of debug information, in one folder of the storage path.
//
// <key>.<type>.<generation>  a file; the key is a hash of the build id
// <key>.<type>.json          its entry: written last, so that it names only files that are whole
// uses                       times at which files were last read for names
// <upload id>.upload         a file that is arriving; removed at the next start
import type { Clock, Timer } from '../base/clock.ts';
import { AppError, errorMessage } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import { debuginfoFreeDiskBytesMin, retentionNoticeMillis } from '../base/limits.ts';
import { debuginfoLimitsMillis, debuginfoRefusedHashesMax } from './limits.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import { Pacer } from '../base/pacer.ts';
import { type Random, randomHex } from '../base/random.ts';
import type { GoBuild } from '../model/go-build.ts';
import { parentFolder, makeDurableFolder, replaceFile } from '../base/durable-files.ts';
import { sourceOfFile } from '../symbolize/elf-file.ts';
import type { AlternateName } from '../symbolize/debug-link.ts';
import type { BuildFiles, SymbolSource } from '../symbolize/interface.ts';
import { type Entry, newEntry, parseEntry, printEntry, type StoredFile } from './entry.ts';
import { FileUses, usesName } from './file-uses.ts';
import {
  type FileRemoval,
  type FolderLimits,
  neededBytes,
  planFileRemovals,
  type RemovableFile,
} from './folder-limits.ts';
import type {
  DebuginfoFile,
  FileKind,
  KeptFile,
  Quality,
  UploadOffer,
  UploadTicket,
} from './interface.ts';
import { compareFiles, inspectElf } from './quality.ts';
import { type FileFacts, findLayout, readFacts } from './program-layout.ts';

/** Folder, dependencies and limits of the store. */
export interface DebuginfoStoreOptions {
  /** Folder that only the store uses; created if it is missing. */
  readonly path: string;
  readonly files: Files;
  readonly clock: Clock;
  /**
   * Source of unpredictable random numbers: everybody who knows the id of an upload may send its
   * bytes.
   */
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Returns the digest of a string in hexadecimal, for file names. */
  readonly digest: (text: string) => string;
  readonly fileBytesMax: number;
  readonly limits: FolderLimits;
  /** Returns the build ids whose names were used since the previous call. */
  readonly takeUsed?: () => Iterable<string>;
  /** Called when a build id gets or loses a file. */
  readonly onChange?: (buildId: string) => void;
}

const uploadSuffix = '.upload';
const entrySuffix = '.json';
/** Kinds of files from which names of addresses can be read. */
const namingKinds: readonly FileKind[] = ['debuginfo', 'executable', 'debuginfod'];

/** Keeps the best file of each build id and type. */
export class DebuginfoStore {
  readonly #options: DebuginfoStoreOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #removed: ReturnType<Metrics['counter']>;
  readonly #uses: FileUses;
  /** Monotonic time in milliseconds before which no file is removed. */
  #removesFromMillis = -Infinity;
  /** True if it has been logged that uploads are refused. */
  #isFull = false;
  /** Resolves after the last change of an entry; changes are made one at a time. */
  #lastChange: Promise<unknown> = Promise.resolve();
  #timer: Timer | undefined;

  private constructor(options: DebuginfoStoreOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#uses = new FileUses({ ...options, path: `${options.path}/${usesName}` });
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
      return this.#bytes();
    });
    metrics.observedGauge(
      'parca_debuginfo_limit_bytes',
      'Bytes from which on debug information is removed; 0 = no limit.',
      () => options.limits.bytesMax,
    );
  }

  #bytes(): number {
    let bytes = 0;
    for (const { file } of this.#entries.values()) bytes += file?.bytes ?? 0;
    return bytes;
  }

  /**
   * Opens the folder, and removes files that a crash has left behind. An entry that cannot be read
   * is logged and left out.
   *
   * Errors: I/O errors.
   */
  static async open(options: DebuginfoStoreOptions): Promise<DebuginfoStore> {
    const store = new DebuginfoStore(options);
    const { files, path, logger } = options;
    await makeDurableFolder(files, path, parentFolder(path));
    const names = await files.listFiles(path);
    const known = new Set<string>([usesName]);
    for (const name of names.filter((candidate) => candidate.endsWith(entrySuffix))) {
      try {
        const read = parseEntry(await files.read(`${path}/${name}`), `${path}/${name}`);
        const entry = await store.#withFacts(read);
        store.#entries.set(entryKey(entry), entry);
        known.add(name);
        if (entry.file !== undefined) known.add(entry.file.name);
      } catch (error) {
        logger.error('debug information is left out', { error: errorMessage(error) });
        // The file of a damaged entry is kept, so that somebody can repair the entry.
        for (const other of names) {
          if (other.startsWith(name.slice(0, -entrySuffix.length))) known.add(other);
        }
      }
    }
    for (const name of names) if (!known.has(name)) await files.remove(`${path}/${name}`);
    await store.#uses.load(store.#entries.keys());
    return store;
  }

  /**
   * Adds facts about the program that are missing in an entry, because earlier versions did not
   * store them.
   */
  async #withFacts(entry: Entry): Promise<Entry> {
    const { file, type } = entry;
    if (file === undefined) return entry;
    const lacksGoBuild = file.quality.hasGoLineTable && file.goBuild === undefined;
    const isKnown = file.layout !== undefined && file.quality.lacksSplit !== undefined;
    if (isKnown && !lacksGoBuild) return entry;
    return { ...entry, file: { ...file, ...(await this.#readFacts(type, file.name)) } };
  }

  /** Reads the facts about a file that are needed to read names from it; none for other files. */
  async #readFacts(type: FileKind, name: string): Promise<FileFacts> {
    const { files, path, clock } = this.#options;
    if (!namingKinds.includes(type)) return {};
    return readFacts(files, `${path}/${name}`, new Pacer(clock));
  }

  /**
   * Starts to enforce the limits of the folder. Files that exceed the limits now are removed only
   * after a minute, so that an operator who does not expect this can stop the server.
   */
  start(): void {
    const { clock, logger, limits } = this.#options;
    const removals = this.#excess();
    let bytes = 0;
    for (const { key } of removals) bytes += this.#entries.get(key)?.file?.bytes ?? 0;
    this.#removesFromMillis = clock.monotonicMillis() + retentionNoticeMillis;
    this.#timer = clock.setTimer(retentionNoticeMillis, () => void this.applyLimits());
    if (removals.length === 0) return;
    logger.warn('debug information is going to be removed: stop the server to keep it', {
      inSeconds: retentionNoticeMillis / 1_000,
      files: removals.length,
      bytes,
      ofBytes: this.#bytes(),
      limitBytes: limits.bytesMax,
    });
  }

  /**
   * Removes the files that exceed the limits of the folder, now and every ten minutes. Errors of
   * the disk are logged.
   */
  async applyLimits(): Promise<void> {
    const { clock, logger } = this.#options;
    if (clock.monotonicMillis() < this.#removesFromMillis) return;
    this.#timer?.cancel();
    this.#timer = clock.setTimer(debuginfoLimitsMillis, () => void this.applyLimits());
    try {
      for (const removal of this.#excess()) await this.#inOrder(() => this.#remove(removal));
      await this.#inOrder(() => this.#uses.save());
    } catch (error) {
      logger.error('cannot remove debug information', { error: errorMessage(error) });
    }
  }

  #excess(): FileRemoval[] {
    const { clock, limits } = this.#options;
    return planFileRemovals(this.#removable(), limits, clock.nowMillis());
  }

  #removable(): RemovableFile[] {
    for (const buildId of this.#options.takeUsed?.() ?? []) this.#noteUse(buildId);
    return [...this.#entries].flatMap(([key, { buildId, type, file }]) => {
      if (file === undefined) return [];
      const best = this.#ranked(buildId)[0]?.name ?? file.name;
      const isSpare = namingKinds.includes(type) && best !== file.name;
      return [{ key, file, namedAtMillis: this.#uses.of(key), isSpare }];
    });
  }

  /**
   * Records a use of the files of a build id, and of the files that contain a part of their DWARF.
   */
  #noteUse(buildId: string): void {
    for (const { kind, alternate } of this.#ranked(buildId)) {
      this.#uses.note(entryKey({ buildId, type: kind }));
      if (alternate === undefined) continue;
      for (const { kind: type } of this.#ranked(alternate.buildId)) {
        this.#uses.note(entryKey({ buildId: alternate.buildId, type }));
      }
    }
  }

  /**
   * Reports that the files of a build id have changed. Build ids that share DWARF with it are
   * reported, too.
   */
  #change(buildId: string): void {
    for (const one of [buildId, ...this.findSharers(buildId)]) this.#options.onChange?.(one);
  }

  /** Returns the build ids whose files use DWARF in the file of `buildId`. */
  findSharers(buildId: string): ReadonlySet<string> {
    const sharers = new Set<string>();
    for (const entry of this.#entries.values()) {
      if (entry.file?.alternate?.buildId === buildId) sharers.add(entry.buildId);
    }
    sharers.delete(buildId);
    return sharers;
  }

  async #remove({ key, reason }: FileRemoval): Promise<void> {
    const { files, path, logger } = this.#options;
    const entry = this.#entries.get(key);
    if (entry?.file === undefined) return;
    const { file, ...rest } = entry;
    // Names that were read from the removed file remain valid, so the generation does not change.
    await this.#write(rest);
    await files.remove(`${path}/${file.name}`);
    this.#uses.forget(key);
    this.#removed.add(1, { limit: reason });
    const { buildId, type } = entry;
    logger.info('debug information is removed', {
      buildId,
      type,
      limit: reason,
      bytes: file.bytes,
      uploadedAt: new Date(file.uploadedAtMillis).toISOString(),
    });
    this.#change(buildId);
  }

  /** Stops removing files, and saves the times at which files were used. */
  async stop(): Promise<void> {
    const { logger } = this.#options;
    this.#timer?.cancel();
    for (const buildId of this.#options.takeUsed?.() ?? []) this.#noteUse(buildId);
    try {
      await this.#inOrder(() => this.#uses.save());
    } catch (error) {
      logger.warn('uses of debug information are lost', { error: errorMessage(error) });
    }
  }

  #inOrder<T>(change: () => Promise<T>): Promise<T> {
    const next = this.#lastChange.then(change);
    this.#lastChange = next.catch(() => undefined);
    return next;
  }

  /** Returns an unpredictable id for a new upload. */
  newUploadId(): string {
    return randomHex(this.#options.random, 4);
  }

  /**
   * Checks that there is space for a file of `size` bytes. Errors: AppError 'resource-exhausted' if
   * it would nearly fill the disk, or if it does not fit next to the files that were used in the
   * last day.
   */
  async checkRoom(size: number): Promise<void> {
    const { files, path } = this.#options;
    this.#checkLimit(size);
    const free = await files.freeBytes(path);
    if (free - size < debuginfoFreeDiskBytesMin) {
      throw new AppError(
        'resource-exhausted',
        `cannot begin upload of ${size} bytes: the disk has ${free} left`,
      );
    }
  }

  #checkLimit(size: number): void {
    const { limits, clock, logger } = this.#options;
    if (limits.bytesMax === 0) return;
    const needed = neededBytes(this.#removable(), clock.nowMillis());
    if (needed + size <= limits.bytesMax) {
      this.#isFull = false;
      return;
    }
    const facts = { bytes: size, neededBytes: needed, limitBytes: limits.bytesMax };
    if (!this.#isFull) {
      logger.warn('debug information is refused: the limit is too small for one day of it', facts);
    }
    this.#isFull = true;
    throw new AppError(
      'resource-exhausted',
      `cannot begin upload of ${size} bytes: files that named profiles of the last day have ` +
        `${needed} bytes, and --debuginfo-retention-size is ${limits.bytesMax}`,
    );
  }

  /**
   * Records that a file was not kept. `refusal` is the reason, or "" if the file was good but not
   * better than the stored one.
   */
  refuse(offer: UploadOffer, refusal: string): Promise<void> {
    return this.#inOrder(async () => {
      const entry = this.#entries.get(entryKey(offer)) ?? newEntry(offer.buildId, offer.type);
      const refusedHashes = [...entry.refusedHashes, offer.hash].slice(-debuginfoRefusedHashesMax);
      await this.#write({ ...entry, refusedHashes, refusal });
      if (entry.file === undefined) this.#change(offer.buildId);
    });
  }

  /**
   * Keeps a file of a debuginfod server if it belongs to the build id.
   *
   * Errors: those of the chunks; I/O errors; AppError 'invalid-argument' for a file of another
   * build id, 'resource-exhausted' for a file above the limit for uploads, or if the disk is nearly
   * full.
   */
  async addFetched(buildId: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const { files, fileBytesMax, clock } = this.#options;
    const ticket = { buildId, type: 'debuginfod', uploadId: this.newUploadId() } as const;
    const path = this.uploadPath(ticket);
    try {
      await this.checkRoom(0);
      const file = await files.open(path, { create: true });
      let bytes = 0;
      let quality: Quality;
      try {
        for await (const chunk of chunks) {
          bytes += chunk.length;
          if (bytes > fileBytesMax) {
            throw new AppError('resource-exhausted', `it has more than ${fileBytesMax} bytes`);
          }
          await file.append(chunk);
        }
        this.#checkLimit(bytes);
        await this.checkRoom(0);
        await file.sync();
        quality = await inspectElf(sourceOfFile(file, bytes), buildId, 'gnu', new Pacer(clock));
      } finally {
        await file.close();
      }
      await this.publish(ticket, { bytes, hash: '', quality, isExplicit: false });
    } catch (error) {
      await files.remove(path).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Keeps a file that has been received: renames it, updates the entry, and then removes the
   * previous file.
   */
  async publish(
    ticket: StoredTicket,
    file: Omit<StoredFile, 'name' | 'uploadedAtMillis'>,
  ): Promise<void> {
    const { files, path, clock } = this.#options;
    const { buildId, type } = ticket;
    await this.#inOrder(async () => {
      const before = this.#entries.get(entryKey(ticket));
      const generation = (before?.generation ?? 0) + 1;
      const name = `${this.#fileName(ticket)}.${generation}`;
      await files.rename(this.uploadPath(ticket), `${path}/${name}`);
      await files.syncDirectory(parentFolder(`${path}/${name}`));
      const entry = {
        ...(before ?? newEntry(buildId, type)),
        generation,
        file: { ...file, name, uploadedAtMillis: clock.nowMillis() },
      };
      await this.#write({
        ...entry,
        file: { ...entry.file, ...(await this.#readFacts(type, name)) },
      });
      this.#change(buildId);
      if (before?.file !== undefined) await files.remove(`${path}/${before.file.name}`);
    });
    await this.applyLimits();
  }

  async #write(entry: Entry): Promise<void> {
    const { files, path } = this.#options;
    const entryPath = `${path}/${this.#fileName(entry)}${entrySuffix}`;
    await replaceFile(files, entryPath, (file) => file.append(printEntry(entry)));
    this.#entries.set(entryKey(entry), entry);
  }

  /** Returns the entry of a build id and type. */
  findEntry({ buildId, type }: Pick<Entry, 'buildId' | 'type'>): Entry | undefined {
    return this.#entries.get(entryKey({ buildId, type }));
  }

  /** Returns the stored file of a build id and type; undefined if there is none. */
  find(buildId: string, type: FileKind): DebuginfoFile | undefined {
    const file = this.#entries.get(entryKey({ buildId, type }))?.file;
    if (file === undefined) return undefined;
    const { name, quality, isExplicit = false } = file;
    return { path: `${this.#options.path}/${name}`, quality, isExplicit };
  }

  /**
   * Returns true if a file is stored from which names can be read. This does not count as a use.
   */
  hasNames(buildId: string): boolean {
    return this.#namingEntries(buildId).some(({ file }) => file !== undefined);
  }

  /** Returns the build information of a Go program; undefined if no stored file contains it. */
  findGoBuild(buildId: string): GoBuild | undefined {
    return this.#namingEntries(buildId).flatMap(({ file }) => file?.goBuild ?? [])[0];
  }

  /** Returns the stored files of each build id. */
  kept(): ReadonlyMap<string, readonly KeptFile[]> {
    const kept = new Map<string, KeptFile[]>();
    for (const { buildId, type, file } of this.#entries.values()) {
      if (file === undefined) continue;
      const { bytes, quality, uploadedAtMillis } = file;
      const files = kept.get(buildId) ?? [];
      files.push({ kind: type, bytes, quality, uploadedAtMillis });
      kept.set(buildId, files);
    }
    return kept;
  }

  /** Returns true if a file of this kind is stored for any build id. */
  hasAny(kind: FileKind): boolean {
    for (const { type, file } of this.#entries.values()) {
      if (type === kind && file !== undefined) return true;
    }
    return false;
  }

  /** Returns the files from which names of a build id are read. This counts as a use. */
  useFiles(buildId: string): BuildFiles {
    const entries = this.#namingEntries(buildId);
    const ranked = this.#ranked(buildId);
    this.#noteUse(buildId);
    return {
      generation: this.#countGenerations(buildId, entries),
      files: ranked.map((file) => this.#toSource(file)),
      reason: ranked.length > 0 ? '' : findReason(entries),
      ...findLayout(entries),
    };
  }

  /**
   * Returns a number that grows with each new file of the build id, and with each new file that
   * contains a part of its DWARF.
   */
  #countGenerations(buildId: string, entries: readonly Entry[]): number {
    const shared = new Set(entries.flatMap(({ file }) => file?.alternate?.buildId ?? []));
    shared.delete(buildId);
    const all = [...entries, ...[...shared].flatMap((one) => this.#namingEntries(one))];
    return all.reduce((sum, { generation }) => sum + generation, 0);
  }

  #toSource({ name, quality, alternate }: RankedFile): SymbolSource {
    const toPath = (file: string): string => `${this.#options.path}/${file}`;
    const { hasDwarf, hasGoLineTable } = quality;
    const source = { path: toPath(name), hasDwarf, hasGoLineTable };
    if (alternate === undefined) return source;
    const other = this.#ranked(alternate.buildId).find((file) => file.quality.hasDwarf);
    return { ...source, alternate: { ...alternate, path: other && toPath(other.name) } };
  }

  #namingEntries(buildId: string): Entry[] {
    return namingKinds.flatMap((type) => this.#entries.get(entryKey({ buildId, type })) ?? []);
  }

  #ranked(buildId: string): RankedFile[] {
    return this.#namingEntries(buildId)
      .flatMap(({ type, file }) => (file === undefined ? [] : [toRanked(file, type)]))
      .sort(compareFiles);
  }

  #fileName({ buildId, type }: { readonly buildId: string; readonly type: string }): string {
    return `${this.#options.digest(buildId)}.${type}`;
  }

  /** Returns the path at which an upload is stored until it is published. */
  uploadPath({ uploadId }: Pick<UploadTicket, 'uploadId'>): string {
    return `${this.#options.path}/${uploadId}${uploadSuffix}`;
  }
}

/** A file that is being received. */
type StoredTicket = Pick<UploadTicket, 'buildId' | 'uploadId'> & { readonly type: FileKind };

/** Properties by which files are compared, and the name of the file. */
interface RankedFile {
  readonly name: string;
  readonly quality: Quality;
  readonly isExplicit: boolean;
  readonly kind: FileKind;
  readonly alternate: AlternateName | undefined;
}

/** Returns the properties by which a file is compared with other files. */
export function toRanked(
  { name, quality, isExplicit = false, alternate }: StoredFile,
  kind: FileKind,
): RankedFile {
  return { name, quality, isExplicit, kind, alternate };
}

/** Returns the reason why a build id has no file to read. */
function findReason(entries: readonly Entry[]): string {
  const refused = entries.find(({ refusal }) => refusal !== '');
  if (refused !== undefined) return `the file that was uploaded was refused: ${refused.refusal}`;
  const wasRemoved = entries.some(({ generation }) => generation > 0);
  return wasRemoved ? 'its debug information was removed' : 'no debug information was uploaded';
}

/** Returns the key of a build id and type. */
export function entryKey({
  buildId,
  type,
}: {
  readonly buildId: string;
  readonly type: string;
}): string {
  return `${type}/${buildId}`;
}
