// Reloads the config when one of its files changes.
import { dirname } from 'node:path';
import type { Clock, Timer } from '../../src/base/clock.ts';
import type { Files, WatchFolder } from '../../src/base/files.ts';
import { watchFolder } from '../../src/base/node/watch-folder.ts';
import { errorMessage } from '../../src/base/errors.ts';
import type { Logger } from '../../src/base/logger.ts';
import { namedFiles } from '../../src/config/load/parse.ts';

/** Delay after the last change, because editors write a file in several steps. */
const settleMillis = 200;

export interface WatchConfigOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly files: Pick<Files, 'list' | 'read'>;
  readonly logger: Logger;
  /** Returns the patterns of other files to watch, from the current config. */
  readonly patterns: () => readonly string[];
  /** Reloads the config, and logs its own failures. */
  readonly reload: () => Promise<void>;
}

/**
 * Calls `reload` when a config file changes, appears or disappears. Ignores other files in the same
 * folders.
 */
export function watchConfig(options: WatchConfigOptions): { close(): void } {
  const { path, clock, files, logger, patterns, reload } = options;
  let isGone = false;
  const watches = new Map<string, ReturnType<WatchFolder>>();
  const read = async (): Promise<string | undefined> => {
    try {
      const paths = [path, ...(await namedFiles(patterns(), files))];
      const texts = paths.map(async (one) => [
        one,
        new TextDecoder().decode(await files.read(one)),
      ]);
      return JSON.stringify(await Promise.all(texts));
    } catch (error) {
      // An editor may be about to write the file again. If the file stays missing, the last config
      // stays in use.
      const what = 'a config file cannot be read, the last config stays';
      if (!isGone) logger.warn(what, { error: errorMessage(error) });
      isGone = true;
      return undefined;
    }
  };
  let last = read();
  let timer: Timer | undefined;
  const check = async (): Promise<void> => {
    const before = await last;
    last = read();
    const text = await last;
    if (text === undefined) {
      last = Promise.resolve(before);
      return;
    }
    if (isGone) logger.info('the config files can be read again', { file: path });
    isGone = false;
    if (text === before) return;
    await reload().catch(() => undefined);
    // The new config may refer to other files.
    watchFolders();
    last = read();
  };
  const onChange = (): void => {
    timer?.cancel();
    timer = clock.setTimer(settleMillis, () => void check());
  };
  const watchFolders = (): void => {
    for (const folder of new Set([path, ...patterns()].map(dirname))) {
      if (!watches.has(folder)) watches.set(folder, watchFolder(folder, onChange));
    }
  };
  watchFolders();
  return {
    close: () => {
      timer?.cancel();
      for (const watch of watches.values()) watch?.close();
    },
  };
}
