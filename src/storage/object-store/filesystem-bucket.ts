// A bucket in a folder on a disk: `FILESYSTEM` in Thanos.
import { AppError, errorCode } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import {
  copyContent,
  parentFolder,
  makeDurableFolder,
  replaceFile,
  temporarySuffix,
} from '../../base/durable-files.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import { checkKey, toPrefix, type Bucket, type BucketObject } from './bucket.ts';

/** Creates a bucket in the folder `directory`, below a prefix. */
export function createFilesystemBucket(options: {
  readonly files: Files;
  readonly directory: string;
  readonly prefix: string;
}): Bucket {
  const { files } = options;
  const root = `${options.directory}/${toPrefix(options.prefix)}`.replace(/\/+$/, '');
  /** Folders whose names are durable. */
  const durable = new Set<string>();
  const toPath = (key: string): string => {
    checkKey(key);
    if (!key.endsWith(temporarySuffix)) return `${root}/${key}`;
    const why = `names that end in ${temporarySuffix} are for unfinished objects`;
    throw new AppError('invalid-argument', `cannot use object key ${JSON.stringify(key)}: ${why}`);
  };
  return {
    name: root,
    list: async (folder, isWanted) => {
      const path = folder === '' ? root : toPath(folder);
      const names = (await files.listFiles(path)).filter(isObjectName).filter(isWanted);
      const objects: BucketObject[] = [];
      for (const name of names) {
        const bytes = await fileSize(files, `${path}/${name}`);
        // If the size is undefined, the object was removed in the meantime.
        if (bytes !== undefined) objects.push({ name, bytes });
      }
      return objects;
    },
    folders: async () => {
      const own = new Set(await files.listFiles(root));
      return (await files.list(root)).filter((name) => !own.has(name));
    },
    size: async (key) => fileSize(files, toPath(key)),
    readRange: async (key, offset, length, signal) => {
      const reading = readRange(files, toPath(key), offset, length);
      return signal === undefined ? reading : untilAborted(reading, signal);
    },
    put: async (key, source) => {
      const path = toPath(key);
      const folder = parentFolder(path);
      if (!durable.has(folder)) await makeDurableFolder(files, folder, root);
      durable.add(folder);
      await replaceFile(files, path, (file) => copyContent(source, file));
    },
    putNew: async (key, content, token) => {
      const path = toPath(key);
      await makeDurableFolder(files, parentFolder(path), root);
      return linkNew(files, path, content, token);
    },
    remove: async (key) => {
      const path = toPath(key);
      if (!(await files.exists(path))) return;
      await files.remove(path);
      await files.syncDirectory(parentFolder(path));
    },
    close: () => Promise.resolve(),
  };
}

/** Creates a file durably, unless it already exists. */
async function linkNew(
  files: Files,
  path: string,
  content: Uint8Array,
  token: string,
): Promise<boolean> {
  const temporary = `${path}-${token}${temporarySuffix}`;
  const file = await files.open(temporary, { create: true });
  try {
    await file.truncate(0);
    await file.append(content);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await files.link(temporary, path);
  } catch (error) {
    if (await files.exists(path)) return false;
    throw error;
  } finally {
    await files.remove(temporary);
  }
  await files.syncDirectory(parentFolder(path));
  return true;
}

/** Returns true if a file is a finished object. */
function isObjectName(name: string): boolean {
  return !name.endsWith(temporarySuffix);
}

async function fileSize(files: Files, path: string): Promise<number | undefined> {
  try {
    const file = await files.open(path, { create: false });
    return await file.size().finally(() => file.close());
  } catch (error) {
    if (errorCode(error) === 'not-found') return undefined;
    throw error;
  }
}

async function readRange(
  files: Files,
  path: string,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  const file = await files.open(path, { create: false });
  try {
    const bytes = new Uint8Array(length);
    const count = await file.read(bytes, offset);
    if (count === length) return bytes;
    const why = `it ends at byte ${offset + count}, expected ${offset + length}`;
    throw new AppError('data-loss', `cannot read ${path}: ${why}`);
  } finally {
    await file.close();
  }
}
