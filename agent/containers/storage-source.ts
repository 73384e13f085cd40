// Reads the names of Podman's containers from its storage folder, for hosts without Podman's
// socket.
//
// Source: github.com/containers/storage; Podman writes names there, but no labels.
import { AppError } from '../../src/base/errors.ts';
import { parseJsonBytes, parseJsonText } from '../../src/base/text/json.ts';
import { readList, stringsAt, mapAt, stringAt } from '../../src/base/text/json-values.ts';
import { openRegularFile } from '../files/open-file.ts';
import { runtimeAnswerBytesMax } from '../limits.ts';
import type { ContainerSource, Pairs } from './found-container.ts';

const what = 'cannot list containers';
const prefix = '__meta_podman_container_';

/** Returns a source of the containers in the file `containers.json` of a storage. */
export function createStorageSource(file: string): ContainerSource {
  return {
    socket: file,
    list: async (signal) => {
      const bytes = await readStorage(file);
      signal?.throwIfAborted();
      const found = new Map<string, Pairs>();
      for (const container of readList(parseJsonBytes(bytes, what))) {
        const about = parseJsonText(stringAt(container, 'metadata') || '{}', what);
        const metadata = mapAt({ about }, 'about');
        // Containers of pods belong to CRI-O, which has its own socket.
        if (metadata['pod-name'] !== undefined) continue;
        const id = stringAt(container, 'id');
        const labels = new Map([[`${prefix}id`, id]]);
        const name = stringsAt(container, 'names').at(0) ?? '';
        const image = stringAt(metadata, 'image-name');
        if (name !== '') labels.set(`${prefix}name`, name);
        if (image !== '') labels.set(`${prefix}image`, image);
        found.set(id, labels);
      }
      return found;
    },
    close: () => undefined,
  };
}

/** Reads the file. An unprivileged user may own the file, so links and pipes are refused. */
async function readStorage(path: string): Promise<Uint8Array> {
  const opened = openRegularFile(path);
  if (opened === undefined) throw new AppError('not-found', `${what}: ${path} is no regular file`);
  try {
    const { size } = opened.file;
    if (size > runtimeAnswerBytesMax) {
      throw new AppError('resource-exhausted', `${what}: ${path} has ${size} bytes`);
    }
    return await opened.file.read(0, size);
  } finally {
    opened.close();
  }
}
