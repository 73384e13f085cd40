// Notifications of changes in a folder.
import { watch } from 'node:fs';
import type { WatchFolder } from '../files.ts';

/**
 * Calls `onChange` after each change in a folder. Watches the folder instead of the file: when
 * Kubernetes swaps the symbolic links of a ConfigMap, a watch on the file does not notice.
 */
export const watchFolder: WatchFolder = (folder, onChange) => {
  try {
    const watcher = watch(folder, { persistent: false }, onChange);
    watcher.on('error', () => watcher.close());
    return { close: () => watcher.close() };
  } catch {
    return undefined;
  }
};
