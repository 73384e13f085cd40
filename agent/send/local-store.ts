// Writes profiles to files in a folder instead of sending them; for --local-store-directory.
import { join } from 'node:path';
import type { Files } from '../../src/base/files.ts';
import { labelValue } from '../../src/model/labels.ts';
import type { SeriesProfile } from '../../src/forward/write-raw.ts';

/** Writes `<comm>/<time>-<number>.pb.gz`, which `go tool pprof` and parcatool can open. */
export class LocalStore {
  readonly #files: Files;
  readonly #directory: string;

  constructor(files: Files, directory: string) {
    this.#files = files;
    this.#directory = directory;
  }

  /** Writes the profiles of a batch that starts at `timeNanos`. Errors: I/O errors. */
  async write(profiles: readonly SeriesProfile[], timeNanos: bigint): Promise<void> {
    const time = new Date(Number(timeNanos / 1_000_000n)).toISOString().replaceAll(':', '-');
    for (const [i, { labels, profile }] of profiles.entries()) {
      const folder = join(this.#directory, folderName(labelValue(labels, 'comm')));
      await this.#files.makeDirectory(folder);
      const file = await this.#files.open(join(folder, `${time}-${i}.pb.gz`), { create: true });
      try {
        await file.append(profile);
      } finally {
        await file.close();
      }
    }
  }
}

/**
 * Returns a safe folder name. A process chooses its own name, which must not lead out of the
 * folder.
 */
function folderName(comm: string): string {
  const name = comm.replaceAll(/[^\w.-]/g, '_').replace(/^\.+/, '_');
  return name === '' ? '_' : name;
}
