// `npm run install:sdk -- s3 gcs azure`: installs vendor SDKs for buckets.
//
// A server started by `npm start` runs this if its config has a bucket of that kind.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { failSetup, npmCommand, root, run, say, SetupError } from './setup.mjs';

const kinds = ['s3', 'gcs', 'azure'];

/** Installs the packages of `sdk/<kind>` in the versions of its lock file, if they are missing. */
export async function installSdk(kind) {
  if (!kinds.includes(kind)) {
    throw new SetupError(`cannot install ${kind}: expected one of ${kinds.join(', ')}`);
  }
  const folder = join(root, 'sdk', kind);
  await withLock(join(root, `.cache/sdk-${kind}.lock`), async () => {
    if (isInstalled(folder)) return;
    say(`installing the client of buckets of type ${kind.toUpperCase()}`);
    const [program, ...before] = npmCommand();
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--no-update-notifier'];
    const args = ['ci', '--ignore-scripts', '--omit=dev', ...quiet];
    await run(program, [...before, ...args], `cannot install ${folder}`, { cwd: folder });
  });
}

/** Returns true if all packages are installed; npm writes its own list last. */
function isInstalled(folder) {
  const list = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(list)) return false;
  const packagesOf = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;
  const installed = packagesOf(list);
  return Object.entries(packagesOf(join(folder, 'package-lock.json'))).every(
    ([path, { version, optional }]) =>
      path === '' || optional === true || installed[path]?.version === version,
  );
}

if (process.argv[1] === import.meta.filename) {
  try {
    for (const kind of process.argv.slice(2)) await installSdk(kind);
  } catch (error) {
    const isRefused = ['EACCES', 'EPERM', 'EROFS'].includes(error.code);
    failSetup(isRefused ? new SetupError(`cannot write in ${root}: ${error.message}`) : error);
  }
}
