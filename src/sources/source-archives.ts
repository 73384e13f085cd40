// Reads uploaded sources. There is one archive for each build id.
import type { Clock } from '../base/clock.ts';
import type { Files } from '../base/files.ts';
import { Flights } from '../base/flights.ts';
import { LeastRecent } from '../base/least-recent.ts';
import { Pacer, stoppablePacer } from '../base/pacer.ts';
import { sourceListsBytesMax } from './limits.ts';
import type { SourceAnswer, SourceReader } from './interface.ts';
import { type PackedRow, readPacked, readPackedRows } from './packed-file.ts';
import { plainName } from './source-name.ts';

/** Returns the path of the packed archive of a build id; undefined while there is none. */
export type FindArchive = (buildId: string) => string | undefined;

/** The list of one archive, in memory. */
interface Listed {
  readonly list: SourceList;
  readonly rows: readonly PackedRow[];
}

/** Approximate bytes of a row of a list, without its name. */
const rowBytes = 200;

/**
 * Reads source files from archives that packSources has packed. The content at a path never
 * changes.
 */
export class SourceArchives implements SourceReader {
  readonly #files: Files;
  readonly #find: FindArchive;
  readonly #clock: Clock;
  /** Lists that are being read, by path. */
  readonly #opening = new Flights<string, Listed>();
  readonly #listed = new LeastRecent<Listed>(sourceListsBytesMax, ({ list }) =>
    list.names.reduce((sum, name) => sum + name.length + rowBytes, 0),
  );

  constructor(
    { files, clock }: { readonly files: Files; readonly clock: Clock },
    find: FindArchive,
  ) {
    this.#files = files;
    this.#find = find;
    this.#clock = clock;
  }

  async readSource(buildId: string, fileName: string, signal: AbortSignal): Promise<SourceAnswer> {
    // Interpreters have no build ids, so their archives may have the name of the file instead.
    const path = this.#find(buildId === '' ? fileName : buildId);
    if (path === undefined) return { reason: 'no sources for this build id have been uploaded' };
    const { list, rows } = this.#listed.get(path) ?? (await this.#join(path, signal));
    const { row, reason } = list.find(fileName);
    if (row === undefined) return { reason };
    return { text: new TextDecoder().decode(await readPacked(this.#files, path, rows[row])) };
  }

  #join(path: string, signal: AbortSignal): Promise<Listed> {
    return this.#opening.join(path, signal, (wanted) => this.#open(path, wanted));
  }

  async #open(path: string, signal: AbortSignal): Promise<Listed> {
    const pacer = stoppablePacer(new Pacer(this.#clock), signal);
    const list = new SourceList();
    const rows: PackedRow[] = [];
    await readPackedRows(this.#files, path, pacer, (some) => {
      for (const row of some) {
        list.add(row[0]);
        rows.push(row);
      }
    });
    const listed = { list, rows };
    this.#listed.put(path, listed);
    return listed;
  }
}

/** Row of a file in its list, or the reason why no file was found. */
type FoundFile =
  | { readonly row: number; readonly reason?: undefined }
  | { readonly row?: undefined; readonly reason: string };

/** Names of files, looked up by the file name of a frame. */
class SourceList {
  readonly names: string[] = [];
  readonly #rows = new Map<string, number>();

  /** Adds a plain name, see plainName. */
  add(name: string): void {
    this.#rows.set(name, this.names.length);
    this.names.push(name);
  }

  /**
   * Finds a file by its exact name. If there is no such file, `fileName` may begin with the
   * compilation folder, so the longest ending of it that is a file in the archive is used; the
   * ending must have at least two parts. Otherwise, the archive's names may begin with that folder,
   * so the only file whose name ends with `fileName` is used.
   */
  find(fileName: string): FoundFile {
    const name = plainName(fileName);
    if (name === undefined || name === '') return { reason: `${fileName} is not a file name` };
    const exact = this.#rows.get(name);
    if (exact !== undefined) return { row: exact };
    const within = this.#rowOfEnding(name);
    if (within !== undefined) return { row: within };
    const longer = this.#rowsEndingWith(`/${name}`);
    if (longer.length === 1) return { row: longer[0] };
    if (longer.length > 1) {
      const [first, second] = longer.map((row) => this.names[row]);
      return { reason: `${fileName} may be ${first} or ${second}` };
    }
    const base = name.slice(name.lastIndexOf('/') + 1);
    return {
      // Many files have the same last part, so it does not identify a file.
      reason: this.#rows.has(base)
        ? `${fileName} is not in the archive; its ${base} lies in no folder: pack it with its folder`
        : `${fileName} is not in the archive`,
    };
  }

  #rowOfEnding(name: string): number | undefined {
    for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1)) {
      const ending = name.slice(at + 1);
      const row = this.#rows.get(ending);
      if (row !== undefined && ending.includes('/')) return row;
    }
    return undefined;
  }

  /** Returns at most two rows. */
  #rowsEndingWith(ending: string): number[] {
    const rows: number[] = [];
    for (let row = 0; row < this.names.length && rows.length < 2; row += 1) {
      if (this.names[row].endsWith(ending)) rows.push(row);
    }
    return rows;
  }
}
