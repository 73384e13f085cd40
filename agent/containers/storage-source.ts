// Names of Podman's containers without its socket: from the list of their storage.
//
// Source: github.com/containers/storage; Podman writes names there, and no labels.
import { readFile, stat } from 'node:fs/promises';
import { AppError } from '../../src/base/errors.ts';
import { readList, stringsAt, mapAt, stringAt } from '../../src/base/text/json-values.ts';
import { runtimeAnswerBytesMax } from '../limits.ts';
import type { ContainerSource, Pairs } from './found-container.ts';

const prefix = '__meta_podman_container_';

/** Returns the containers of the file `containers.json` of a storage. */
export function createStorageSource(file: string): ContainerSource {
  return {
    socket: file,
    list: async (signal) => {
      if ((await stat(file)).size > runtimeAnswerBytesMax) {
        throw new AppError('resource-exhausted', 'cannot list containers: the file is too large');
      }
      const found = new Map<string, Pairs>();
      for (const container of readList(
        JSON.parse(await readFile(file, { encoding: 'utf8', signal })),
      )) {
        const about: unknown = JSON.parse(stringAt(container, 'metadata') || '{}');
        const metadata = mapAt({ about }, 'about');
        // Containers of pods are CRI-O's, which has a socket.
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
