// Small JSON files that are replaced completely, and renamed if they are damaged.
import { makeDurableFolder, parentFolder, replaceFile, temporaryPath } from './durable-files.ts';
import { errorMessage } from './errors.ts';
import type { Files } from './files.ts';

/** New name of a damaged file, and the reason why it could not be read. */
export interface DamagedFile {
  readonly movedTo: string;
  readonly error: unknown;
}

/**
 * Returns the content of a file; undefined if there is none. If `parse` throws, or the file cannot
 * be read, the file is renamed and `onDamage` is called.
 */
export async function readKeptJson<T>(
  files: Files,
  path: string,
  parse: (value: unknown) => T,
  onDamage: (damaged: DamagedFile) => void,
): Promise<T | undefined> {
  if (!(await files.exists(path))) return undefined;
  try {
    return parse(JSON.parse(Buffer.from(await files.read(path)).toString('utf8')));
  } catch (error) {
    const movedTo = `${path}.damaged`;
    await files.rename(path, movedTo);
    onDamage({ movedTo, error });
    return undefined;
  }
}

/** Replaces a file durably; leaves no unfinished file after a failure. Errors: I/O errors. */
export async function writeKeptJson(files: Files, path: string, value: unknown): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(value));
  try {
    await replaceFile(files, path, (file) => file.append(bytes));
  } catch (error) {
    await files.remove(temporaryPath(path)).catch(() => undefined);
    throw error;
  }
}

/** A value that a JSON file keeps. Its changes are written in order. */
export class KeptJson<T> {
  readonly #write: (value: T) => Promise<void>;
  #value: T;
  /** Settles when the last change is written. */
  #last: Promise<unknown> = Promise.resolve();

  /** Creates the value; `write` must make a new value durable. */
  constructor(value: T, write: (value: T) => Promise<void>) {
    this.#value = value;
    this.#write = write;
  }

  /** The last value that was written. */
  get value(): T {
    return this.#value;
  }

  /**
   * Writes the value that `edit` returns, after all earlier changes; it becomes the current value
   * once it is written. Errors: as in `edit`; I/O errors. The value is then unchanged.
   */
  change(edit: (value: T) => T): Promise<void> {
    const changing = this.#last.then(async () => {
      const value = edit(this.#value);
      await this.#write(value);
      this.#value = value;
    });
    // The next change is also made if this one failed.
    this.#last = changing.catch(() => undefined);
    return changing;
  }
}

/** Location of a JSON file, and how its content is read. */
export interface KeptFile<T> {
  readonly files: Files;
  /** Path of the folder, which the first change creates. */
  readonly folder: string;
  readonly name: string;
  /** Value if the file is missing or damaged. */
  readonly first: T;
  /** Throws if the content of the file is damaged. */
  readonly parse: (value: unknown) => T;
  /** Logs a damaged file. */
  readonly logDamage: (fields: {
    readonly file: string;
    readonly movedTo: string;
    readonly error: string;
  }) => void;
}

/** Opens the value that a JSON file keeps. Errors: I/O errors. */
export async function openKeptJson<T>(kept: KeptFile<T>): Promise<KeptJson<T>> {
  const { files, folder, name, first, parse, logDamage } = kept;
  const file = `${folder}/${name}`;
  const saved = await readKeptJson(files, file, parse, ({ movedTo, error }) =>
    logDamage({ file, movedTo, error: errorMessage(error) }),
  );
  return new KeptJson<T>(saved ?? first, async (value) => {
    await makeDurableFolder(files, folder, parentFolder(folder));
    await writeKeptJson(files, file, value);
  });
}
