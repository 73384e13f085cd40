// `npm run release`: installs the tools that build a release, then runs tools/release/main.ts.
//
// Usage: node tools/release.mjs [FOLDER], by default dist in the checkout. The same commit gives
// the same bytes: all files have the time of the commit, or SOURCE_DATE_EPOCH.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { nativeEnvironment } from './build-native.mjs';
import {
  childEnvironment,
  ensureInstalled,
  ensureWeb,
  failSetup,
  root,
  run,
  say,
} from './setup.mjs';
import { ensureGo } from './test-tools.mjs';

/** Latest version whose packages are in the module proxy. */
const nfpmVersion = 'v2.43.0';
const folder = join(root, '.cache/release');

try {
  const node = await ensureInstalled({ dev: false });
  await ensureWeb(node);
  const programs = await buildPrograms();
  const nfpm = await ensureNfpm();
  const output = resolve(process.env.INIT_CWD ?? '.', process.argv[2] ?? join(root, 'dist'));
  const script = join(root, 'tools/release/main.ts');
  const quiet = '--disable-warning=ExperimentalWarning';
  await run(node, [quiet, script, output, ...programs, nfpm], 'cannot make the release', {
    env: childEnvironment(node),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
} catch (error) {
  failSetup(error);
}

/** Builds the native programs so that they contain no local paths; returns their files. */
async function buildPrograms() {
  const { cargo, env: found } = await nativeEnvironment();
  const target = join(folder, 'native');
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const names = { [root]: '/parca-ts', [cargoHome]: '/cargo' };
  const flags = Object.entries(names).map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
  // The variable has a separator that does not occur in paths.
  const env = { ...found, CARGO_TARGET_DIR: target, CARGO_ENCODED_RUSTFLAGS: flags.join('\u001f') };
  say('building the native programs (some minutes the first time)');
  const cwd = copyWorkspace();
  for (const name of ['parca-symbolizer', 'parca-bpf']) {
    const args = ['build', '--release', '--locked', '--quiet', '--package', name];
    await run(cargo, args, `cannot build ${name}`, { cwd, env });
  }
  const made = ['parca-symbolizer', 'libparca_bpf.so'].map((name) => [
    join(target, 'release', name),
    join(folder, name),
  ]);
  // Removes local symbols, whose names depend on the folder, and the build id derived from them.
  for (const [from, to] of made) {
    const args = ['--strip-all', '--remove-section=.note.gnu.build-id', '-o', to, from];
    await run('strip', args, `cannot strip ${from}`);
  }
  return made.map(([, to]) => to);
}

/**
 * Copies the cargo workspace with all its members; returns its folder. cargo derives symbol names
 * from the path of a crate: a relative path below the workspace, an absolute path elsewhere.
 */
function copyWorkspace() {
  const copy = join(folder, 'rust');
  const isSource = (path) => !/\/(target|dist|node_modules)$/.test(path);
  const options = { recursive: true, preserveTimestamps: true, filter: isSource };
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(root, 'native'), copy, options);
  cpSync(join(root, 'bpf'), join(copy, 'bpf'), options);
  const manifest = join(copy, 'Cargo.toml');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"../bpf"', '"bpf"'));
  const member = join(copy, 'bpf/Cargo.toml');
  writeFileSync(member, readFileSync(member, 'utf8').replace('"../native"', '".."'));
  return copy;
}

/** Builds nfpm, which builds Debian and RPM packages; returns its path. */
async function ensureNfpm() {
  const bin = join(folder, `nfpm-${nfpmVersion}`);
  const path = join(bin, 'nfpm');
  if (existsSync(path)) return path;
  mkdirSync(bin, { recursive: true });
  say(`building nfpm ${nfpmVersion}`);
  const module = `github.com/goreleaser/nfpm/v2/cmd/nfpm@${nfpmVersion}`;
  const env = { ...process.env, GOBIN: bin, GOFLAGS: '' };
  await run(await ensureGo(), ['install', module], 'cannot build nfpm', { env });
  return path;
}
