// Sources that people uploaded: one archive for each build id.
import type { Files } from '../base/files.ts';
import { LeastRecent } from '../base/least-recent.ts';
import { sourceListsBytesMax } from '../base/limits.ts';
import type { SourceAnswer, SourceReader } from './interface.ts';
import { type PackedRow, readPacked, readPackedRows } from './packed-file.ts';
import { SourceList } from './source-list.ts';

/** Returns the path of the packed archive of a build id; undefined while there is none. */
export type FindArchive = (buildId: string) => string | undefined;

/** The list of one archive, in memory. */
interface Listed {
  readonly list: SourceList;
  readonly rows: readonly PackedRow[];
}

/** Approximate bytes of a row of a list besides its name. */
const rowBytes = 200;

/** Reads files of archives that packSources has packed. A path never gets another content. */
export class SourceArchives implements SourceReader {
  readonly #files: Files;
  readonly #find: FindArchive;
  readonly #listed = new LeastRecent<Listed>(sourceListsBytesMax, ({ list }) =>
    list.names.reduce((sum, name) => sum + name.length + rowBytes, 0),
  );

  constructor(files: Files, find: FindArchive) {
    this.#files = files;
    this.#find = find;
  }

  async readSource(buildId: string, fileName: string): Promise<SourceAnswer> {
    const path = this.#find(buildId);
    if (path === undefined) return { reason: 'no sources for this build id have been uploaded' };
    const { list, rows } = this.#listed.get(path) ?? (await this.#open(path));
    const { row, reason } = list.find(fileName);
    if (row === undefined) return { reason };
    return { text: new TextDecoder().decode(await readPacked(this.#files, path, rows[row])) };
  }

  async #open(path: string): Promise<Listed> {
    const rows = await readPackedRows(this.#files, path);
    const listed = { list: new SourceList(rows.map(([name]) => name)), rows };
    this.#listed.put(path, listed);
    return listed;
  }
}
