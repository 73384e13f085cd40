// Gets Java 8 for tests. Only Debian's unstable suite has it, so its packages and that suite's C
// library are unpacked, but not installed.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { run, say } from './setup.mjs';

const packages = ['openjdk-8-jre-headless', 'libc6', 'libgcc-s1', 'libstdc++6', 'zlib1g'];
const keys = '/usr/share/keyrings/debian-archive-keyring.gpg';
const libraries = 'usr/lib/x86_64-linux-gnu';

/**
 * Unpacks Java 8 into a folder; returns a script that runs it as root.
 *
 * @param {string} folder
 * @returns {Promise<string>}
 */
export async function ensureJava8(folder) {
  const path = join(folder, 'java-8');
  const program = join(path, 'java');
  if (existsSync(program)) return program;
  say('fetching Java 8 with apt');
  const parts = `${path}.parts`;
  rmSync(parts, { recursive: true, force: true });
  for (const name of ['lists/partial', 'cache/archives/partial', 'debs', 'root']) {
    mkdirSync(join(parts, name), { recursive: true });
  }
  const sources = `deb [signed-by=${keys}] http://deb.debian.org/debian sid main\n`;
  writeFileSync(join(parts, 'sources.list'), sources);
  const options = [
    `Dir::Etc::sourcelist=${join(parts, 'sources.list')}`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::lists=${join(parts, 'lists')}`,
    `Dir::Cache=${join(parts, 'cache')}`,
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option]);
  const failure = 'cannot fetch Java 8';
  await run('apt-get', [...options, 'update', '-qq'], failure);
  const cwd = join(parts, 'debs');
  await run('apt-get', [...options, 'download', '-qq', ...packages], failure, { cwd });
  const root = join(parts, 'root');
  for (const name of readdirSync(cwd)) await run('dpkg', ['-x', join(cwd, name), root], failure);
  const home = 'usr/lib/jvm/java-8-openjdk-amd64/jre';
  linkSettings(join(root, home), join(path, 'root'), parts);
  const java = join(path, 'root', home, 'bin/java');
  const script = [
    '#!/bin/sh',
    '# Runs Java 8 with its own C library, which is in its place only for this program.',
    `export JAVA_8_LIBRARIES=${join(path, 'root', libraries)}`,
    `exec unshare --mount sh -c 'mount --bind "$JAVA_8_LIBRARIES" /${libraries} && exec "$@"' - ${java} "$@"`,
  ];
  writeFileSync(join(parts, 'java'), `${script.join('\n')}\n`, { mode: 0o755 });
  for (const name of ['lists', 'cache', 'debs']) {
    rmSync(join(parts, name), { recursive: true });
  }
  rmSync(path, { recursive: true, force: true });
  renameSync(parts, path);
  return program;
}

/** Redirects links to settings in /etc to the settings in the package. */
function linkSettings(home, finalRoot, parts) {
  for (const name of readdirSync(home, { recursive: true })) {
    const at = join(home, name);
    if (!lstatSync(at).isSymbolicLink()) continue;
    const target = readlinkSync(at);
    if (!target.startsWith('/') || !existsSync(join(parts, 'root', target))) continue;
    rmSync(at);
    symlinkSync(join(finalRoot, target), at);
  }
}
