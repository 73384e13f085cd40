// Writes a small object to the local disk so that a crash leaves all of it or nothing.
import type { Files } from '../../base/files.ts';

/** Makes the file `path` hold `content`, durably. */
export async function copyObject(files: Files, content: Uint8Array, path: string): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await files.open(temporary, { create: true });
  try {
    await file.truncate(0);
    await file.append(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await files.rename(temporary, path);
  await files.syncDirectory(path.slice(0, path.lastIndexOf('/')));
}
