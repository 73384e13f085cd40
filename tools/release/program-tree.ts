// Makes the folder of an installed product: JavaScript, packages, Node, and start scripts.
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../setup.mjs';
import { compile, type Compiled } from './compile.ts';
import {
  type Architecture,
  platformName,
  type Product,
  readManifest,
  type Release,
  run,
  server,
} from './context.ts';
import { lockedFor, readLock } from './lock.ts';

const nodeArchitectures: Readonly<Record<Architecture, string>> = { amd64: 'x64', arm64: 'arm64' };

const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** Compiles the files that the programs of a product load. */
export function compileProduct(product: Product): Compiled {
  return compile(root, [...Object.values(product.commands), ...product.entries]);
}

/**
 * Creates the tree of a product in the release's work folder, and returns its path. `bin/` contains
 * its commands, and `runtime/node` is the pinned Node.
 */
export function makeTree(release: Release, product: Product, architecture: Architecture): string {
  const tree = join(release.work, platformName(release, product, architecture));
  rmSync(tree, { recursive: true, force: true });
  const { files, packages } = compileProduct(product);
  writePrograms(tree, files);
  installModules(tree, release, product, packages, architecture);
  for (const name of ['LICENSE', 'CHANGELOG.md']) copyFileSync(join(root, name), join(tree, name));
  if (product === server) {
    copyPage(tree);
    copySdkLocks(tree);
    installS3Client(tree);
    copyFileSync(join(root, 'parca.yaml'), join(tree, 'parca.yaml'));
    // On other architectures, a thread of the server reads DWARF.
    if (architecture === 'amd64') {
      install(release.built.symbolizer, join(tree, 'native/dist/parca-symbolizer'));
    }
    writeFileSync(join(tree, 'cmd/grpc-health-probe/start.js'), probeStart);
  } else {
    install(release.built.addon, join(tree, 'bpf/dist/bpf.node'));
  }
  for (const command of Object.keys(product.commands)) {
    install(join(import.meta.dirname, 'start.sh'), join(tree, 'bin', command));
  }
  openToAll(tree);
  return tree;
}

/** Makes a tree readable for all users, regardless of the umask. */
export function openToAll(tree: string): void {
  run('chmod', ['-R', 'u=rwX,go=rX', tree]);
}

/** Writes JavaScript files by path. */
export function writePrograms(tree: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    const target = join(tree, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}

/** Copies the built page. */
export function copyPage(tree: string): void {
  const isPage = (path: string): boolean => !path.endsWith('.parca-build.json');
  cpSync(join(root, 'web/dist'), join(tree, 'web/dist'), { recursive: true, filter: isPage });
}

/** Copies the lock files of vendor SDKs, which users install there if necessary. */
export function copySdkLocks(tree: string): void {
  const isLock = (path: string): boolean => !path.endsWith('node_modules');
  cpSync(join(root, 'sdk'), join(tree, 'sdk'), { recursive: true, filter: isLock });
}

/** Installs the S3 client, because most buckets use S3 and images have no npm. */
function installS3Client(tree: string): void {
  const folder = join(tree, 'sdk/s3');
  run('npm', ['ci', '--omit=dev', ...quiet], { cwd: folder });
  const modules = join(folder, 'node_modules');
  rmSync(join(modules, '.bin'), { recursive: true, force: true });
  // Only 4 of the client's 23 MB remain after this.
  for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true })) {
    const isOther = entry.isDirectory() && /^dist-(es|types)$/.test(entry.name);
    if (isOther) rmSync(join(entry.parentPath, entry.name), { recursive: true });
  }
  removeUnloaded(modules);
}

/** Runs the probe, which exports its main function. */
const probeStart = `import { run } from './main.js';

process.exit(await run(process.argv.slice(2)));
`;

function install(program: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(program, target);
  chmodSync(target, 0o755);
}

/** Installs packages in the versions of the lock file, and writes their list for the SBOM. */
function installModules(
  tree: string,
  release: Release,
  product: Product,
  packages: readonly string[],
  architecture: Architecture,
): void {
  const node = `node-linux-${nodeArchitectures[architecture]}`;
  writeManifests(tree, release, { name: product.name, packages, optional: [node] });
  const platform = ['--os=linux', `--cpu=${nodeArchitectures[architecture]}`, '--libc=glibc'];
  run('npm', ['ci', '--omit=dev', ...platform, ...quiet], { cwd: tree });
  const format = ['--sbom-format=cyclonedx', '--sbom-type=application'];
  const list = run('npm', ['sbom', '--omit=dev', ...format], { cwd: tree });
  writeFileSync(`${tree}.sbom.json`, list);
  rmSync(join(tree, 'package-lock.json'));
  const modules = join(tree, 'node_modules');
  mkdirSync(join(tree, 'runtime'));
  renameSync(join(modules, node, 'bin/node'), join(tree, 'runtime/node'));
  chmodSync(join(tree, 'runtime/node'), 0o755);
  renameSync(join(modules, node, 'LICENSE'), join(tree, 'runtime/LICENSE'));
  rmSync(join(modules, node), { recursive: true });
  prune(modules, nodeArchitectures[architecture]);
}

/** Manifest of a tree: its packages, and optional packages that depend on the machine. */
export interface Wanted {
  readonly name: string;
  readonly packages: readonly string[];
  readonly optional: readonly string[];
  /** Additional fields of the manifest. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Writes package.json and package-lock.json of a tree, with the versions of the checkout. */
export function writeManifests(
  tree: string,
  { version, commit }: Release,
  { name, packages, optional, fields }: Wanted,
): void {
  const manifest = readManifest();
  const pick = (names: readonly string[], from: Readonly<Record<string, string>>): unknown =>
    Object.fromEntries(names.map((one) => [one, from[one]]));
  const dependencies = pick(packages, manifest.dependencies);
  const optionalDependencies = pick(optional, manifest.optionalDependencies);
  const about = { name, version, license: manifest.license };
  const needs = { dependencies, optionalDependencies };
  // npm calls this field gitHead.
  const own = { ...about, type: 'module', gitHead: commit, ...fields, ...needs };
  const locked = lockedFor(readLock(), [...packages, ...optional]);
  const packagesOfLock = { '': { ...about, ...needs }, ...locked };
  const lock = { name, version, lockfileVersion: 3, requires: true, packages: packagesOfLock };
  writeJson(join(tree, 'package.json'), own);
  writeJson(join(tree, 'package-lock.json'), lock);
}

export function writeJson(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

/** Files in packages that programs never load. */
const notLoaded = /\.(map|ts|mts|cts|flow|md|markdown)$/i;
const legal = /licen[cs]e|notice|copying/i;
/** Folders in packages that programs never load. */
const notLoadedFolders = [
  '.bin',
  '.package-lock.json',
  '@types',
  'apache-arrow/src',
  'apache-arrow/bin',
];

function removeUnloaded(modules: string): void {
  for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !notLoaded.test(entry.name) || legal.test(entry.name)) continue;
    rmSync(join(entry.parentPath, entry.name));
  }
}

/** Removes files from node_modules that are for compilers or for other machines. */
function prune(modules: string, nodeArchitecture: string): void {
  for (const path of notLoadedFolders)
    rmSync(join(modules, path), { recursive: true, force: true });
  removeUnloaded(modules);
  const prebuilds = join(modules, '@datadog/pprof/prebuilds');
  if (!existsSync(prebuilds)) return;
  const kept = `linux-${nodeArchitecture}`;
  for (const name of readdirSync(prebuilds)) {
    if (name !== kept) rmSync(join(prebuilds, name), { recursive: true });
  }
  const version = `.abi${process.versions.modules}.node`;
  for (const name of readdirSync(join(prebuilds, kept))) {
    if (name.includes('musl') || !name.endsWith(version)) rmSync(join(prebuilds, kept, name));
  }
}
