// How much of the disk a store takes.
import { errorCode } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import { trashName } from './trash.ts';

/**
 * Bytes of blocks, log, temporaries and trash. `known` gives sizes of blocks by id, which do not
 * change; all other files are looked at.
 */
export async function usedBytes(
  files: Files,
  storagePath: string,
  known: ReadonlyMap<string, number>,
): Promise<number> {
  let bytes = 0;
  for (const directory of ['blocks', 'wal', trashName]) {
    for (const name of await files.listFiles(`${storagePath}/${directory}`)) {
      const ofBlock = directory === 'blocks' ? known.get(name.replace(/\.block$/, '')) : undefined;
      bytes += ofBlock ?? (await fileBytes(files, `${storagePath}/${directory}/${name}`));
    }
  }
  return bytes;
}

/** 0 for a file that went meanwhile. */
async function fileBytes(files: Files, path: string): Promise<number> {
  try {
    const file = await files.open(path, { create: false });
    return await file.size().finally(() => file.close());
  } catch (error) {
    if (errorCode(error) === 'not-found') return 0;
    throw error;
  }
}
