// Times at which files of debug information were last read for names, stored in one small file.
import { errorCode, errorMessage } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { Files } from '../base/files.ts';
import type { Logger } from '../base/logger.ts';
import { replaceFile } from '../base/durable-files.ts';

/** Name of this file in the folder of debug information. */
export const usesName = 'uses';

interface FileUsesOptions {
  readonly path: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Time of the last use of each file, by the file's key. */
export class FileUses {
  readonly #options: FileUsesOptions;
  readonly #usedAtMillis = new Map<string, number>();
  #hasChanged = false;

  constructor(options: FileUsesOptions) {
    this.#options = options;
  }

  /**
   * Reads the file. If it is missing or damaged, all `keys` count as used now, because nobody knows
   * their last uses.
   */
  async load(keys: Iterable<string>): Promise<void> {
    const { path, files, logger } = this.#options;
    try {
      const known: unknown = JSON.parse(new TextDecoder().decode(await files.read(path)));
      for (const [key, millis] of Object.entries(Object(known))) {
        if (typeof millis === 'number') this.#usedAtMillis.set(key, millis);
      }
    } catch (error) {
      if (errorCode(error) !== 'not-found') {
        logger.warn('uses of debug information are not known', { error: errorMessage(error) });
      }
      for (const key of keys) this.note(key);
    }
  }

  /** Records a use. */
  note(key: string): void {
    this.#usedAtMillis.set(key, this.#options.clock.nowMillis());
    this.#hasChanged = true;
  }

  /**
   * Returns the time of the last use in Unix milliseconds; 0 = never. A time in the future counts
   * as now.
   */
  of(key: string): number {
    return Math.min(this.#usedAtMillis.get(key) ?? 0, this.#options.clock.nowMillis());
  }

  forget(key: string): void {
    this.#usedAtMillis.delete(key);
    this.#hasChanged = true;
  }

  /** Writes the file if something has changed. Errors: I/O errors. */
  async save(): Promise<void> {
    if (!this.#hasChanged) return;
    this.#hasChanged = false;
    const { path, files } = this.#options;
    const text = JSON.stringify(Object.fromEntries(this.#usedAtMillis));
    await replaceFile(files, path, (file) => file.append(new TextEncoder().encode(`${text}\n`)));
  }
}
