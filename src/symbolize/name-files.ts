// Stores names of addresses on disk, so that a server has them right after a restart.
//
// There is a file <key>.names for each build id; the key is a hash of the build id. Lines are
// appended without a sync. A file with a damaged line is dropped as a whole.
import type { Clock } from '../base/clock.ts';
import { noCaller, runAs } from '../base/current-caller.ts';
import { errorMessage } from '../base/errors.ts';
import type { File, Files } from '../base/files.ts';
import { debuginfoFreeDiskBytesMin } from '../base/limits.ts';
import { namesReadAtOnceBytesMax, symbolizerNameFileBytesMax } from './limits.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import { finishAtOnce, finishPausing, Pacer } from '../base/pacer.ts';
import type { BuildNames, SavedNames, SourceFrame, Verdict } from './interface.ts';
import { type Header, parseHeader, printLines, readNames } from './name-lines.ts';

export interface NameFilesOptions {
  /** Folder that only this class uses; it is created when there are names to save. */
  readonly path: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Returns the digest of a string in hexadecimal, for file names. */
  readonly digest: (text: string) => string;
  /**
   * String that identifies what names depend on in addition to their file: the demangle mode, and
   * the program that reads DWARF.
   */
  readonly tag: string;
  readonly bytesMax?: number;
}

/** A file on the disk. */
interface SavedFile {
  readonly generation: number;
  bytes: number;
  /** Content of the file. It is kept until the names are requested for the first time. */
  content: Uint8Array | undefined;
}

const suffix = '.names';
/**
 * Keeps a file for each build id, up to a total size. The file that has not changed for the longest
 * time is removed first.
 */
export class NameFiles implements SavedNames {
  readonly #options: NameFilesOptions;
  readonly #bytesMax: number;
  #tag: string;
  /** Files by key, in the order of their last batch. */
  readonly #saved = new Map<string, SavedFile>();
  /** Resolves when the last change is done. Changes are made one after another. */
  #lastChange: Promise<void> = Promise.resolve();

  private constructor(options: NameFilesOptions) {
    this.#options = options;
    this.#tag = options.tag;
    this.#bytesMax = options.bytesMax ?? symbolizerNameFileBytesMax;
    options.metrics.observedGauge(
      'parca_symbolizer_saved_bytes',
      'Bytes of names of addresses on the disk.',
      () => this.#bytes(),
    );
  }

  /** Reads the folder. Removes files of other versions and damaged files. Errors: I/O errors. */
  static async open(options: NameFilesOptions): Promise<NameFiles> {
    const { files, path, tag, digest } = options;
    const names = new NameFiles(options);
    const found: { key: string; header: Header; content: Uint8Array }[] = [];
    for (const name of await files.listFiles(path)) {
      const content = await files.read(`${path}/${name}`);
      const header = parseHeader(content);
      const key = name.slice(0, -suffix.length);
      if (header?.tag === tag && digest(header.buildId) === key) {
        found.push({ key, header, content });
      } else {
        await files.remove(`${path}/${name}`);
      }
    }
    found.sort((a, b) => a.header.savedAtMillis - b.header.savedAtMillis);
    for (const { key, header, content } of found) {
      const { generation } = header;
      names.#saved.set(key, { generation, bytes: content.length, content });
    }
    await names.#makeRoom();
    return names;
  }

  load(buildId: string, generation: number): BuildNames | Promise<BuildNames> {
    const saved = this.#saved.get(this.#options.digest(buildId));
    if (saved?.content === undefined) return noNames();
    const { content } = saved;
    saved.content = undefined;
    if (saved.generation !== generation) return noNames();
    const steps = readNames(content);
    const drop = (error: unknown): BuildNames => this.#drop(buildId, error);
    if (content.length > namesReadAtOnceBytesMax) {
      // The names are read for all callers that need them, and not only for the first caller.
      const read = (): Promise<BuildNames> =>
        finishPausing(steps, new Pacer(this.#options.clock)).catch(drop);
      return runAs(noCaller, read);
    }
    try {
      return finishAtOnce(steps);
    } catch (error) {
      return drop(error);
    }
  }

  /** Removes a damaged file. */
  #drop(buildId: string, error: unknown): BuildNames {
    this.#options.logger.warn('saved names are dropped', { buildId, error: errorMessage(error) });
    this.#change(buildId, (key) => this.#remove(key));
    return noNames();
  }

  add(
    buildId: string,
    generation: number,
    addresses: readonly number[],
    frames: readonly (readonly SourceFrame[])[],
    notes: ReadonlySet<string>,
    verdict?: Verdict,
  ): void {
    const failed = verdict && { failed: [...verdict.failed], reason: verdict.reason };
    const about = { addresses, frames, notes: [...notes], failed };
    this.#change(buildId, async (key) => {
      const { files, path, clock } = this.#options;
      await files.makeDirectory(path);
      if ((await files.freeBytes(path)) < debuginfoFreeDiskBytesMin) return;
      if (this.#saved.get(key)?.generation !== generation) await this.#remove(key);
      const before = this.#saved.get(key);
      const header: Header = {
        tag: this.#tag,
        buildId,
        generation,
        savedAtMillis: clock.nowMillis(),
      };
      const bytes = await finishPausing(
        printLines(before === undefined ? header : undefined, about),
        new Pacer(clock),
      );
      await this.#append(key, bytes);
      this.#saved.delete(key);
      const saved = { content: undefined, ...before, generation };
      this.#saved.set(key, { ...saved, bytes: (before?.bytes ?? 0) + bytes.length });
      await this.#makeRoom();
    });
  }

  /** Drops all saved names, because the method of reading names has changed. */
  changeTag(tag: string): void {
    this.#tag = tag;
    for (const saved of this.#saved.values()) saved.content = undefined;
    const removeAll = async (): Promise<void> => {
      for (const key of this.#saved.keys()) await this.#remove(key);
    };
    this.#lastChange = this.#lastChange.then(removeAll).catch((error: unknown) => {
      this.#options.logger.warn('cannot remove names', { error: errorMessage(error) });
    });
  }

  /** Resolves when all added names have been written. */
  async stop(): Promise<void> {
    await this.#lastChange;
  }

  /** Makes a change after all earlier changes. A file that cannot be changed is removed. */
  #change(buildId: string, change: (key: string) => Promise<void>): void {
    const { digest, logger } = this.#options;
    const key = digest(buildId);
    this.#lastChange = this.#lastChange
      .then(() => change(key))
      .catch(async (error: unknown) => {
        logger.warn('cannot save names', { buildId, error: errorMessage(error) });
        this.#saved.delete(key);
        await this.#options.files.remove(this.#filePath(key)).catch(() => undefined);
      });
  }

  async #append(key: string, bytes: Uint8Array): Promise<void> {
    const file: File = await this.#options.files.open(this.#filePath(key), { create: true });
    try {
      await file.append(bytes);
    } finally {
      await file.close();
    }
  }

  async #makeRoom(): Promise<void> {
    for (const key of this.#saved.keys()) {
      if (this.#bytes() <= this.#bytesMax) return;
      await this.#remove(key);
    }
  }

  async #remove(key: string): Promise<void> {
    if (this.#saved.delete(key)) await this.#options.files.remove(this.#filePath(key));
  }

  #filePath(key: string): string {
    return `${this.#options.path}/${key}${suffix}`;
  }

  #bytes(): number {
    let sum = 0;
    for (const { bytes } of this.#saved.values()) sum += bytes;
    return sum;
  }
}

function noNames(): BuildNames {
  return { frames: new Map(), notes: new Set() };
}
