// Reloads of the config when its file changes.
import { dirname } from 'node:path';
import type { Clock, Timer } from '../../src/base/clock.ts';
import type { Files } from '../../src/base/files.ts';
import { watchFolder } from '../../src/base/node/watch-folder.ts';

/** Wait after the last change: editors write a file in several steps. */
const settleMillis = 200;

/**
 * Calls `reload` when the file has another text than before; changes of other files in its folder
 * do nothing. A reload that fails says so itself.
 */
export function watchConfig(
  path: string,
  { clock, files }: { readonly clock: Clock; readonly files: Pick<Files, 'read'> },
  reload: () => Promise<void>,
): { close(): void } {
  const read = async (): Promise<string | undefined> => {
    try {
      return new TextDecoder().decode(await files.read(path));
    } catch {
      // Between its removal and its return; a file that stays away changes nothing.
      return undefined;
    }
  };
  let last = read();
  let timer: Timer | undefined;
  const check = async (): Promise<void> => {
    const before = await last;
    last = read();
    const text = await last;
    if (text === undefined) last = Promise.resolve(before);
    else if (text !== before) await reload().catch(() => undefined);
  };
  const watch = watchFolder(dirname(path), () => {
    timer?.cancel();
    timer = clock.setTimer(settleMillis, () => void check());
  });
  return {
    close: () => {
      timer?.cancel();
      watch?.close();
    },
  };
}
