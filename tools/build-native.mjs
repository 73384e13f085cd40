// `npm run build:native`: builds the agent's add-on and the server's symbolizer with cargo and
// clang if their sources have changed.
//
// The server works without them, so only test stages build them, and no other command does.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  aloneInTarget,
  buildCrate,
  buildSymbolizer,
  install,
  isSymbolizerFresh,
  sourcesHash as workspaceHash,
  targetFolder,
} from './build-symbolizer.mjs';
import { failSetup, hashFolder, root, say, SetupError } from './setup.mjs';
import { ensureNativeTools } from './test-tools.mjs';

const crate = join(root, 'bpf');
const addon = join(crate, 'dist/bpf.node');
const stamp = join(crate, 'dist/.parca-build.json');

/**
 * Builds the add-on and the symbolizer if their sources have changed since the last build.
 *
 * Errors: SetupError with what is missing: Linux on x86-64, cargo or clang.
 */
export async function ensureNative() {
  if (isFresh() && isSymbolizerFresh()) return;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    const here = `${process.platform} on ${process.arch}`;
    throw new SetupError(`cannot build the native add-on: it is for Linux on x64, this is ${here}`);
  }
  await aloneInTarget(async () => {
    if (isFresh() && isSymbolizerFresh()) return;
    const { cargo, env } = await nativeEnvironment();
    await buildAddon(cargo, env);
    await buildSymbolizer(cargo, env);
  });
}

async function buildAddon(cargo, env) {
  if (isFresh()) return;
  const sources = sourcesHash();
  say('building the native add-on (one to four minutes the first time)');
  await buildCrate('parca-bpf', 'cannot build the native add-on', { cargo, env });
  install('libparca_bpf.so', addon);
  writeFileSync(stamp, JSON.stringify({ sources }));
}

/** Returns cargo, and its environment with paths of clang and rustc. */
export async function nativeEnvironment() {
  const { TEST_CARGO: cargo, TEST_CLANG: clang } = await ensureNativeTools(false);
  const path = `${dirname(cargo)}:${process.env.PATH}`;
  const env = { ...process.env, PATH: path, CLANG: clang, CARGO_TARGET_DIR: targetFolder };
  const { stdout } = spawnSync(clang, ['--print-targets'], { encoding: 'utf8' });
  if (!/^\s*bpf\b/m.test(stdout ?? '')) {
    throw new SetupError(`cannot build the native add-on: ${clang} does not compile for BPF`);
  }
  return { cargo, env };
}

function isFresh() {
  if (![addon, stamp].every((path) => existsSync(path))) return false;
  return JSON.parse(readFileSync(stamp, 'utf8')).sources === sourcesHash();
}

/** Returns a hash of the sources of the crate and of the workspace, which has few other crates. */
function sourcesHash() {
  const own = hashFolder(crate, (name) => /\.(rs|toml|[ch])$/.test(name));
  return `${own} ${workspaceHash()}`;
}

if (process.argv[1] === import.meta.filename) {
  try {
    await ensureNative();
    say(`the native add-on is ${addon}`);
  } catch (error) {
    failSetup(error);
  }
}
