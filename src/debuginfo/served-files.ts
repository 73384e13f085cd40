// Serves files of debug information to other servers, which read them chunk by chunk.
import type { Files } from '../base/files.ts';
import { servedReadBytesMax } from '../base/limits.ts';
import type { DebuginfoStore } from './debuginfo-store.ts';
import type { FilePiece, FilesForOthers } from './interface.ts';

export class ServedFiles implements FilesForOthers {
  readonly #store: Pick<DebuginfoStore, 'useFiles'>;
  readonly #files: Pick<Files, 'open'>;

  constructor(store: Pick<DebuginfoStore, 'useFiles'>, files: Pick<Files, 'open'>) {
    this.#store = store;
    this.#files = files;
  }

  async readPiece(
    buildId: string,
    offset: number,
    signal?: AbortSignal,
  ): Promise<FilePiece | undefined> {
    const [best] = this.#store.useFiles(buildId).files;
    if (best === undefined) return undefined;
    const file = await this.#files.open(best.path, { create: false });
    try {
      const fileBytes = await file.size();
      signal?.throwIfAborted();
      const length = Math.max(0, Math.min(servedReadBytesMax, fileBytes - offset));
      const content = new Uint8Array(length);
      const count = await file.read(content, offset);
      const name = best.path.slice(best.path.lastIndexOf('/') + 1);
      return { file: name, fileBytes, content: content.subarray(0, count) };
    } finally {
      await file.close();
    }
  }
}
