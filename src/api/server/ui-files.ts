// The built web UI in memory: its files are read once, so that no request reads the disk.
import { createHash } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import { busyRetryMillis } from '../../base/limits.ts';
import { uiFilesWaitingMax } from '../limits.ts';
import { gzip } from '../../base/threads/zlib.ts';

/** A file, ready to be sent. */
export interface UiFile {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Compressed content; undefined if compression saves no space. */
  readonly gzipped: Uint8Array | undefined;
  readonly etag: string;
  readonly cacheControl: string;
}

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  webmanifest: 'application/manifest+json',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
  txt: 'text/plain; charset=utf-8',
  map: 'application/json',
};
/** Content types that are already compressed. */
const packedTypes = /^(image\/png|font\/woff2)$/;
/** Number of loads after which files that cannot be read count as absent. */
const incompleteLoadsMax = 10;
/** Names that contain a hash of the content, which the bundler adds. */
const hashedName = /-[\w-]{8,}\.\w+$/;

/**
 * Returns a function that loads the files of `folder` once. Calls during the load wait for it. As
 * long as the UI is not built, each call tries to load it.
 *
 * Errors: AppError 'unavailable' if too many requests wait.
 */
export function uiFilesOnce(
  files: Files,
  folder: string,
  basePath: string,
): () => Promise<ReadonlyMap<string, UiFile>> {
  let loading: Promise<ReadonlyMap<string, UiFile>> | undefined;
  let loaded: ReadonlyMap<string, UiFile> = new Map();
  let waiting = 0;
  let incompleteLoads = 0;
  const load = async (): Promise<ReadonlyMap<string, UiFile>> => {
    const found = await loadUiFiles(files, folder, basePath);
    if (!found.isComplete) incompleteLoads += 1;
    if (found.isComplete || incompleteLoads >= incompleteLoadsMax) loaded = found.files;
    return found.files;
  };
  return async () => {
    if (loaded.size > 0) return loaded;
    if (waiting >= uiFilesWaitingMax) {
      throw new AppError('unavailable', 'the files of the page are being read', {
        retryAfterMillis: busyRetryMillis,
      });
    }
    waiting += 1;
    try {
      loading ??= load().finally(() => (loading = undefined));
      return await loading;
    } finally {
      waiting -= 1;
    }
  };
}

/** Files of the UI; incomplete if some could not be read, as during a build. */
interface LoadedFiles {
  readonly files: ReadonlyMap<string, UiFile>;
  readonly isComplete: boolean;
}

/**
 * Loads the files of `folder` by path ("index.html", "assets/x.js"); empty if the UI is not built.
 * A file that cannot be read is left out, because the reason contains its path on this machine.
 *
 * The page gets `basePath` ("/" or "/prefix/") as its base, so that one build serves any prefix.
 */
async function loadUiFiles(files: Files, folder: string, basePath: string): Promise<LoadedFiles> {
  const loaded = new Map<string, UiFile>();
  let isComplete = true;
  const visit = async (directory: string, prefix: string): Promise<void> => {
    for (const name of await files.list(directory)) {
      const extension = /\.(\w+)$/.exec(name)?.[1];
      try {
        if (extension === undefined) {
          await visit(`${directory}/${name}`, `${prefix}${name}/`);
          continue;
        }
        const bytes = await files.read(`${directory}/${name}`);
        const isPage = name === 'index.html';
        const content = isPage ? withBase(bytes, basePath) : bytes;
        loaded.set(prefix + name, await prepare(name, extension, content));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        isComplete = false;
      }
    }
  };
  if (await files.exists(`${folder}/index.html`)) await visit(folder, '');
  return { files: loaded, isComplete };
}

function withBase(page: Uint8Array, basePath: string): Uint8Array {
  const text = Buffer.from(page).toString('utf8');
  return Buffer.from(text.replace(/<base href="\/"\s*\/?>/, `<base href="${basePath}" />`));
}

async function prepare(name: string, extension: string, bytes: Uint8Array): Promise<UiFile> {
  const contentType = contentTypes[extension] ?? 'application/octet-stream';
  const isPacked = packedTypes.test(contentType) || bytes.length < 1_024;
  const gzipped = isPacked ? undefined : await gzip(bytes);
  const isHashed = hashedName.test(name);
  return {
    contentType,
    bytes,
    gzipped: gzipped && gzipped.length < bytes.length ? gzipped : undefined,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    cacheControl: isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
}

/** Page that is shown while the UI is not built. */
export const notBuiltPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Parca</title></head>
<body><h1>The web UI is not built</h1>
<p>The server runs; its API is served. Build the UI with <code>npm run build</code> in
<code>web</code>, or start the server with <code>npm start</code>, which does that.</p>
</body></html>
`;

const pageRoutes: ReadonlySet<string> = new Set([
  '',
  'services',
  'explore',
  'targets',
  'alerts',
  'users',
  'findings',
  'agents',
  'file',
  'status',
  'symbols',
]);

/**
 * Matches the name of a page, with or without slashes at its end. The anchor keeps it fast, because
 * a hostile path may have 60,000 slashes.
 */
const pageForm = /^([^/]*)\/*$/;

/** Returns true if a path, relative to the page's base, is a page: "targets", "targets/". */
export function isPageRoute(path: string): boolean {
  const name = pageForm.exec(path)?.[1];
  return name !== undefined && pageRoutes.has(name);
}
