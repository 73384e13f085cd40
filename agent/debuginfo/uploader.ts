// Uploads debug information of sampled files. Uploads only files that the server wants, and each
// build id only once.
import { createHash } from 'node:crypto';
import { closeSync, constants, openSync } from 'node:fs';
import type { Binary } from '../../bpf/sampler.ts';
import type { Clock } from '../../src/base/clock.ts';
import { AppError, type ErrorCode, errorCode, errorMessage } from '../../src/base/errors.ts';
import { LeastRecent } from '../../src/base/least-recent.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { Counter, Metrics } from '../../src/base/metrics.ts';
import { isSplit } from '../../src/symbolize/dwarf/abbreviations.ts';
import { type ElfFile, readElf } from '../../src/symbolize/elf-file.ts';
import { openDescriptor } from '../files/open-file.ts';
import type { DebugFolders } from '../frames/debug-folders.ts';
import {
  agentSplitDwarfBytesMax,
  uploadBytesMax,
  uploadRecheckMillis,
  uploadRetryMillis,
  uploadsRememberedMax,
} from '../limits.ts';
import { addSections, wholeFile } from './add-sections.ts';
import type { DebuginfoClient, Offer, UploadedBuildId, UploadedFile } from './debuginfo-client.ts';
import { extractDebuginfo, isUseful } from './extract.ts';
import { findSharedDwarf, type OpenPartAt, partsOfProcess, partsOfUser } from './part-files.ts';
import { findSplitDwarf, type SplitDwarf } from './split-dwarf.ts';

export interface UploaderOptions {
  readonly client: Pick<DebuginfoClient, 'isWanted' | 'upload'>;
  readonly folders: DebugFolders;
  /**
   * Opens a file as a process sees it; returns -1 if there is no such file. The uploader closes the
   * descriptor.
   */
  readonly openFile: (pid: number, path: string) => number;
  /** Number of simultaneous uploads. */
  readonly parallel: number;
  /** Maximum number of queued files; each is kept open. */
  readonly queueMax: number;
  /** Longest duration of a call. */
  readonly callMillisMax: number;
  /** True if code and data are left out of uploads. */
  readonly strips: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Numbers for the status page. */
export interface UploaderState {
  /** Number of files uploaded since the start. */
  readonly uploaded: number;
  /** Number of files that are queued or being uploaded. */
  readonly pending: number;
  /** True if the server does not support uploads. */
  readonly isUnsupported: boolean;
}

/** A queued file, which is kept open until it is uploaded. */
interface Waiting {
  readonly binary: Binary;
  readonly kind: UploadedBuildId;
  readonly descriptor: number;
  /** A process that runs the file's code; undefined if none is known. */
  readonly pid: number | undefined;
}

/** A file with debug information, and a function that opens its related files. */
interface Chosen {
  readonly elf: ElfFile;
  readonly path: string;
  readonly openPart: OpenPartAt;
}

/** Result for one build id. */
interface Known {
  /** True if the server has debug information for the build id. */
  readonly isThere: boolean;
  /** Monotonic time of the next request to the server; Infinity = never. */
  readonly againMillis: number;
  /** True if all DWARF is in the file itself, so that no related files are needed. */
  readonly isAlone: boolean;
}

/** Errors after which a file is not offered again. */
const final: ReadonlySet<ErrorCode> = new Set(['already-exists', 'invalid-argument']);

/** Uploads files in the background. */
export class DebuginfoUploader {
  readonly #options: UploaderOptions;
  readonly #uploads: Counter;
  readonly #known = new LeastRecent<Known>(uploadsRememberedMax, () => 1);
  readonly #waiting: Waiting[] = [];
  readonly #underWay = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  /** Resolves when there is no split DWARF in memory. */
  #packing: Promise<unknown> = Promise.resolve();
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

  /** Returns true if the server is known to have debug information for a file. */
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
   * Offers new files. Their descriptors must be valid during the call; the uploader duplicates
   * them. `findProcess` returns a process that runs code of the given element of `binaries`.
   */
  offer(
    binaries: readonly Binary[],
    findProcess: (row: number) => number | undefined = () => undefined,
  ): void {
    if (this.#isUnsupported || this.#stopping.signal.aborted) return;
    const { clock, queueMax } = this.#options;
    for (const [row, binary] of binaries.entries()) {
      const { buildId, buildIdKind: kind, descriptor } = binary;
      if (binary.kind !== 'file' || kind === 'none' || buildId === '' || descriptor === -1)
        continue;
      const known = this.#known.get(buildId);
      if (this.#underWay.has(buildId)) continue;
      if (known !== undefined && clock.monotonicMillis() < known.againMillis) continue;
      // A later batch offers the file again.
      if (this.#waiting.length >= queueMax) break;
      const own = reopen(descriptor);
      if (own === undefined) continue;
      this.#underWay.add(buildId);
      this.#waiting.push({ binary, kind, descriptor: own, pid: findProcess(row) });
    }
    this.#startMore();
  }

  /** Aborts running uploads and closes all files. */
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

  async #uploadIfWanted(waiting: Waiting): Promise<Known> {
    const { client, callMillisMax, clock, logger } = this.#options;
    const { binary, kind } = waiting;
    const offer = { buildId: binary.buildId, kind };
    const { isWanted, reason } = await client.isWanted(offer, callMillisMax, this.#stopping.signal);
    if (!isWanted) {
      // The reason is a sentence for people, so it is only logged. If another client is uploading
      // the file, the server will have it soon.
      this.#uploads.add(1, { result: 'not-wanted' });
      logger.debug('debug information is not wanted', { file: binary.path, reason });
    }
    const againMillis =
      clock.monotonicMillis() + (isWanted ? uploadRecheckMillis : uploadRetryMillis);
    const known = this.#known.get(binary.buildId);
    if (!isWanted && known?.isAlone === true) return { isThere: true, againMillis, isAlone: true };
    const done = await this.#withFile(waiting, (file) => this.#upload(offer, file, isWanted));
    if (isWanted) {
      if (done.isUploaded) this.#uploadedCount += 1;
      this.#uploads.add(1, { result: done.isUploaded ? 'ok' : 'useless' });
    }
    return { isThere: !isWanted || done.isUploaded, againMillis, isAlone: done.isAlone };
  }

  /**
   * Calls `use` with the separate debug file of a program, or with the program if there is none.
   */
  async #withFile<T>(
    { binary, descriptor, pid }: Waiting,
    use: (file: Chosen) => Promise<T>,
  ): Promise<T> {
    const { folders, openFile } = this.#options;
    const separate = await folders.read(binary, (elf, path, userId) =>
      use({ elf, path, openPart: partsOfUser(userId) }),
    );
    if (separate !== undefined) return separate;
    const source = openDescriptor(descriptor);
    if (source === undefined) throw new AppError('not-found', 'cannot read the program: it closed');
    const openPart: OpenPartAt =
      pid === undefined ? () => undefined : partsOfProcess(openFile, pid, source.userId);
    return use({ elf: await readElf(source), path: binary.path, openPart });
  }

  /**
   * Uploads the files that the server does not have: the file itself, and files with parts of its
   * DWARF.
   */
  async #upload(
    offer: Offer,
    file: Chosen,
    isWanted: boolean,
  ): Promise<{ readonly isUploaded: boolean; readonly isAlone: boolean }> {
    if (!isUseful(file.elf)) return { isUploaded: false, isAlone: true };
    const { elf, path, openPart } = file;
    const hasParts = await this.#withSplit(file, async (split) => {
      const isFound = split !== undefined && split.sections.length > 0;
      if (isWanted) await this.#send(offer, file, split);
      else if (isFound) await this.#sendBetter(offer, file, split);
      return split !== undefined;
    });
    const { folders } = this.#options.folders;
    const shared = await findSharedDwarf(path, elf, openPart, folders);
    if (shared?.found !== undefined) {
      const common = { ...shared.found, openPart };
      await this.#sendShared(shared.buildId, common).finally(() => shared.close());
    } else if (shared !== undefined) {
      const { name, buildId } = shared;
      this.#options.logger.debug('a file with shared DWARF is missing', { path, name, buildId });
    }
    return { isUploaded: isWanted, isAlone: !hasParts && shared === undefined };
  }

  /** Calls `use` with the split DWARF of a file; processes one file at a time. */
  async #withSplit<T>(
    { elf, path, openPart }: Chosen,
    use: (split: SplitDwarf | undefined) => Promise<T>,
  ): Promise<T> {
    if (!(await isSplit(elf))) return use(undefined);
    const { logger } = this.#options;
    const find = async (): Promise<T> => {
      let split: SplitDwarf | undefined;
      try {
        split = await findSplitDwarf(path, elf, openPart, agentSplitDwarfBytesMax);
      } catch (error) {
        // Without split DWARF, the file is still useful.
        if (!(error instanceof AppError)) throw error;
        logger.debug('cannot read split DWARF', { file: path, error: error.message });
      }
      if (split !== undefined && split.missing.length > 0) {
        const [first] = split.missing;
        logger.debug('split DWARF is missing', { file: path, parts: split.missing.length, first });
      }
      try {
        return await use(split);
      } finally {
        split?.close();
      }
    };
    const turn = this.#packing.then(find);
    this.#packing = turn.catch(() => undefined);
    return turn;
  }

  async #send(offer: Offer, file: Chosen, split?: SplitDwarf): Promise<void> {
    const { client, callMillisMax, logger } = this.#options;
    const made = await this.#chooseFile(offer, file, split);
    if (made.size > uploadBytesMax) {
      const why = `it has ${made.size} bytes, limit ${uploadBytesMax}`;
      throw new AppError('invalid-argument', `cannot upload debug information: ${why}`);
    }
    await client.upload(offer, made, callMillisMax, this.#stopping.signal);
    logger.debug('debug information is uploaded', { file: file.path, bytes: made.size });
  }

  /** Uploads a program again with its split DWARF if the server has only the program itself. */
  async #sendBetter(offer: Offer, file: Chosen, split: SplitDwarf): Promise<void> {
    const { client, callMillisMax } = this.#options;
    const { hash } = await this.#chooseFile(offer, file, split);
    const { signal } = this.#stopping;
    const { isWanted } = await client.isWanted(offer, callMillisMax, signal, hash);
    if (!isWanted) return;
    await this.#send(offer, file, split);
    this.#uploadedCount += 1;
    this.#uploads.add(1, { result: 'ok' });
  }

  /** Uploads a file that several debug files share. It is uploaded only once. */
  async #sendShared(buildId: string, file: Chosen): Promise<void> {
    const { client, callMillisMax, clock } = this.#options;
    const known = this.#known.get(buildId);
    const now = clock.monotonicMillis();
    if ((known !== undefined && now < known.againMillis) || this.#underWay.has(buildId)) return;
    const offer: Offer = { buildId, kind: 'gnu' };
    this.#underWay.add(buildId);
    try {
      const { isWanted } = await client.isWanted(offer, callMillisMax, this.#stopping.signal);
      if (isWanted) {
        await this.#send(offer, file);
        this.#uploadedCount += 1;
      }
      this.#uploads.add(1, { result: isWanted ? 'ok' : 'not-wanted' });
      this.#known.put(buildId, {
        isThere: true,
        againMillis: now + uploadRecheckMillis,
        isAlone: true,
      });
    } finally {
      this.#underWay.delete(buildId);
    }
  }

  async #chooseFile(
    { buildId }: Offer,
    { elf }: Chosen,
    split: SplitDwarf | undefined,
  ): Promise<UploadedFile> {
    const extract = this.#options.strips ? await extractDebuginfo(elf) : undefined;
    const whole = extract ?? wholeFile(elf);
    const hash = createHash('sha256').update(
      extract?.digest ?? `${buildId} ${whole.size}`,
      'latin1',
    );
    if (split === undefined || split.sections.length === 0) {
      return { size: whole.size, hash: hash.digest('hex'), pieces: whole.pieces };
    }
    const file = await addSections(elf, whole, split.sections);
    for (const { name, size, pieces } of split.sections) {
      hash.update(`\0${name} ${size}`);
      // This section contains the ids of all units, so hashing it is enough.
      if (name === '.debug_cu_index') for await (const piece of pieces()) hash.update(piece);
    }
    return { size: file.size, hash: hash.digest('hex'), pieces: file.pieces };
  }

  #afterFailure({ path }: Binary, error: unknown): Known {
    const { clock, logger } = this.#options;
    const code = errorCode(error);
    this.#uploads.add(1, { result: code });
    const againMillis = final.has(code) ? Infinity : clock.monotonicMillis() + uploadRetryMillis;
    const isAlone = false;
    if (this.#stopping.signal.aborted) return { isThere: false, againMillis, isAlone };
    if (code === 'unimplemented') {
      if (!this.#isUnsupported) logger.info('the server does not take debug information');
      this.#isUnsupported = true;
      for (const { descriptor } of this.#waiting.splice(0)) closeSync(descriptor);
    } else if (error instanceof AppError) {
      logger.debug('cannot upload debug information', { file: path, error: error.message });
    } else {
      logger.warn('cannot upload debug information', { file: path, error: errorMessage(error) });
    }
    return { isThere: code === 'already-exists', againMillis, isAlone };
  }
}

/** Returns a new descriptor for an open file; undefined if the file was closed in the meantime. */
function reopen(descriptor: number): number | undefined {
  try {
    return openSync(`/proc/self/fd/${descriptor}`, constants.O_RDONLY);
  } catch {
    return undefined;
  }
}
