// Replaces Node modules with browser equivalents, for server code that runs in a worker.
import { join } from 'node:path';
import type { Plugin } from 'vite';

const root = join(import.meta.dirname, '../..');
const stand = (name: string): string => join(root, 'web/file-engine/browser', name);

/** Replacement for each module. */
const standIns: ReadonlyMap<string, string> = new Map([
  ['node:async_hooks', stand('async-hooks.ts')],
  ['node:crypto', stand('crypto.ts')],
  ['node:worker_threads', stand('worker-threads.ts')],
  [join(root, 'src/base/threads/zlib.ts'), stand('zlib.ts')],
]);

/** Package of the native LZ4 compressor; without it, as in browsers, frames have stored blocks. */
const absent = 'lz4-napi';

/** Replaces Node modules. A module without a replacement fails the build. */
export function inBrowser(): Plugin {
  return {
    name: 'in-browser',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (source === absent) return `\0${absent}`;
      const named = standIns.get(source);
      if (named !== undefined) return named;
      if (source.startsWith('node:'))
        this.error(`${importer} imports ${source}, which no browser has`);
      if (!source.endsWith('/zlib.ts')) return null;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      return found === null ? null : (standIns.get(found.id) ?? null);
    },
    load: (id) => (id === `\0${absent}` ? 'throw new Error("there is no native module");' : null),
  };
}
