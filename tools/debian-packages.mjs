// Installs Debian packages, or unpacks them, and tries what they contain.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, say, SetupError } from './setup.mjs';

const folder = join(root, '.cache/test-tools');
const hasApt = existsSync('/usr/bin/apt-get');

/** Returns true if apt can be used without asking anybody. */
export function canInstall() {
  return hasApt && process.getuid?.() === 0;
}

/** Installs what is missing, in the form of `programs` in test-tools.mjs. */
export async function installPackages(missing) {
  if (!canInstall()) {
    const choose = ({ packages }) => (hasApt ? choosePackages(packages) : packages[0]);
    const names = missing.flatMap(choose).join(' ');
    const command = `apt-get update && apt-get install --yes --no-install-recommends ${names}`;
    throw new SetupError(
      hasApt
        ? `tests need programs that are not installed; run:\n\n    sudo sh -c '${command}'\n`
        : `tests need ${missing.map((program) => program.names[0]).join(', ')}; on Debian:\n\n` +
            `    ${command}\n`,
    );
  }
  await run('apt-get', ['update', '-qq'], 'cannot update the list of packages');
  const names = missing.flatMap((program) => choosePackages(program.packages));
  say(`installing ${names.join(', ')} with apt`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const args = ['install', '-qq', '--yes', '--no-install-recommends', ...names];
  await run('apt-get', args, 'cannot install what tests need', { env });
}

/** Returns the first choice whose packages are all known to apt. */
export function choosePackages(choices) {
  const isKnown = (name) => answers('apt-cache', ['show', name]);
  return choices.find((names) => names.every(isKnown)) ?? choices[0];
}

/**
 * Unpacks Debian packages into a folder. They are not installed, because that would start their
 * services.
 */
export async function ensureUnpacked(name, packages) {
  const path = join(folder, name);
  const debs = `${path}.debs`;
  if (existsSync(path)) return path;
  if (!hasApt) throw new SetupError(`tests need the packages ${packages} of Debian`);
  rmSync(debs, { recursive: true, force: true });
  mkdirSync(debs, { recursive: true });
  say(`fetching ${packages} with apt`);
  const failure = `cannot fetch ${packages}`;
  await run('apt-get', ['download', '-qq', ...packages.split(' ')], failure, { cwd: debs });
  const parts = `${path}.parts`;
  rmSync(parts, { recursive: true, force: true });
  for (const name of readdirSync(debs)) {
    await run('dpkg', ['-x', join(debs, name), parts], `cannot unpack ${packages}`);
  }
  renameSync(parts, path);
  rmSync(debs, { recursive: true });
  return path;
}

/** Returns true if a command succeeds. */
export function answers(path, args) {
  return spawnSync(path, args, { stdio: 'ignore' }).status === 0;
}
