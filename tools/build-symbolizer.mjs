// `npm run build:symbolizer`: builds the server's symbolizer with cargo if its sources have
// changed.
//
// A server started by `npm start` runs this in the background.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { withLock } from './lock.mjs';
import { failSetup, hashFolder, root, run, say, SetupError } from './setup.mjs';
import { findCargo } from './test-tools.mjs';

/** Folder of the cargo workspace. */
export const workspace = join(root, 'native');
const symbolizer = join(workspace, 'dist/parca-symbolizer');
const stamp = join(workspace, 'dist/.parca-symbolizer-build.json');
/** Folder for cargo's build output. */
export const targetFolder = join(root, '.cache/native');
const lowestPriority = 19;

/** Runs `work` while no other process builds native code. */
export function aloneInTarget(work) {
  mkdirSync(targetFolder, { recursive: true });
  return withLock(join(root, '.cache/native.lock'), work);
}

/** Builds the symbolizer if its sources have changed; callers run this inside `aloneInTarget`. */
export async function buildSymbolizer(cargo, env) {
  if (isSymbolizerFresh()) return;
  const sources = sourcesHash();
  say('building the symbolizer, which reads DWARF');
  await buildCrate('parca-symbolizer', 'cannot build the symbolizer', { cargo, env });
  install('parca-symbolizer', symbolizer);
  writeFileSync(stamp, JSON.stringify({ sources }));
}

/**
 * Builds one crate of the workspace with only its dependencies, so that the symbolizer does not
 * need clang.
 */
export async function buildCrate(name, failure, { cargo, env }) {
  const args = ['build', '--release', '--locked', '--quiet', '--package', name];
  await run(cargo, args, failure, { cwd: workspace, env });
}

/** Copies the built file to `path`. Processes that already use the old file keep it. */
export function install(built, path) {
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(join(targetFolder, 'release', built), `${path}.new`);
  renameSync(`${path}.new`, path);
}

export function isSymbolizerFresh() {
  if (![symbolizer, stamp].every((path) => existsSync(path))) return false;
  return JSON.parse(readFileSync(stamp, 'utf8')).sources === sourcesHash();
}

/** Returns a hash of the crates in the workspace's folder, and of the lock file. */
export function sourcesHash() {
  return hashFolder(workspace, (name) => /\.(rs|toml|lock)$/.test(name));
}

/**
 * Builds the symbolizer with tools that are installed, at the lowest priority, while nothing else
 * is built.
 */
async function buildInBackground() {
  if (isSymbolizerFresh()) return;
  setPriority(lowestPriority);
  const cargo = findCargo();
  const env = {
    ...process.env,
    PATH: `${dirname(cargo)}:${process.env.PATH}`,
    CARGO_TARGET_DIR: targetFolder,
    // The server uses the other cores.
    CARGO_BUILD_JOBS: '1',
  };
  try {
    await aloneInTarget(() => buildSymbolizer(cargo, env));
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
    throw new SetupError(`cannot build the symbolizer in ${root}: ${error.message}`);
  }
}

if (process.argv[1] === import.meta.filename) {
  try {
    await buildInBackground();
  } catch (error) {
    failSetup(error);
  }
}
