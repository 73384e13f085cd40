// Sets up a fresh checkout: packages, the pinned Node, the web page.
//
// It is plain JavaScript for Node >= 20 without packages, because it runs before any are installed.
// Each step leaves a stamp (a hash of its inputs), so that a second start does nothing.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

/** Root folder of the checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const nodeVersionMin = [24, 15];
/** First version of npm that supports workspaces and our version of the lock file. */
const npmVersionMin = 7;
const lockVersionMin = 2;
const modules = join(root, 'node_modules');
const lockFile = join(root, 'package-lock.json');
const installStamp = join(modules, '.parca-install.json');
const webStamp = join(root, 'web/dist/.parca-build.json');

/** Folders and files, other than packages, that are bundled in the page. */
export const webSources = ['web', 'src', 'proto/gen'];
const notSources = new Set(['dist', 'node_modules', 'README.md']);

/** A failure whose message is shown to the user without a stack. */
export class SetupError extends Error {}

/**
 * Makes node_modules match package-lock.json, and returns the Node for running the programs.
 *
 * @param {{ dev: boolean }} options dev: also install packages for tests
 * @returns {Promise<string>} path of a Node that can run TypeScript
 */
export async function ensureInstalled(options) {
  const ready = readyNode(options.dev);
  if (ready !== undefined) return ready;
  return alone(async () => {
    const meanwhile = readyNode(options.dev);
    if (meanwhile !== undefined) return meanwhile;
    const dev = options.dev || readJson(installStamp)?.dev === true;
    if (missingPackage(dev) !== undefined) await install(dev);
    const node = findNode();
    // The path is relative, because a copy of the checkout must not run the Node of the original.
    const stamp = { lock: hashFiles([lockFile]), dev, node: relative(root, node) };
    writeFileSync(installStamp, JSON.stringify(stamp));
    return node;
  });
}

/** Builds the server's page if its sources or packages have changed. */
export async function ensureWeb(node) {
  const isFresh = () => readJson(webStamp)?.sources === webSourcesHash();
  if (isFresh()) return;
  await alone(async () => {
    if (isFresh()) return;
    const sources = webSourcesHash();
    say('building the web page');
    const vite = join(modules, 'vite/bin/vite.js');
    for (const config of ['vite.config.ts', 'vite.offline.config.ts']) {
      const flags = ['--config', config, '--logLevel', 'warn'];
      await run(node, [vite, 'build', ...flags], 'cannot build the web page', {
        cwd: join(root, 'web'),
      });
    }
    mkdirSync(dirname(webStamp), { recursive: true });
    writeFileSync(webStamp, JSON.stringify({ sources }));
  });
}

/**
 * Runs `work` while no other process runs the set-up. Errors: SetupError if that is not possible.
 */
async function alone(work) {
  if (/[#?]/.test(root)) {
    const why = 'what builds the web page cannot read paths with "#" or "?"';
    throw new SetupError(`cannot set up in ${root}: ${why}; rename the folder`);
  }
  try {
    return await withLock(join(root, '.cache/setup.lock'), work);
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
    throw new SetupError(
      `cannot set up in ${root}: it cannot be written to (${error.message}); ` +
        'start once as a user who may, or use a copy of the folder',
    );
  }
}

/**
 * Returns the environment for running the project's programs, with their Node first in the path.
 */
export function childEnvironment(node) {
  const path = `${dirname(node)}:${join(modules, '.bin')}:${process.env.PATH}`;
  return { ...process.env, PATH: path, NODE_COMPILE_CACHE: join(modules, '.cache/compile') };
}

/** Exits with the message of a SetupError; rethrows other errors, which are bugs. */
export function failSetup(error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

/** Prints progress to stderr, because stdout belongs to the program that is started. */
export function say(text) {
  process.stderr.write(`set-up: ${text}\n`);
}

/** Runs a command with its output on stderr. Rejects with "<failure>: <command> ended with N". */
export function run(command, args, failure, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options });
    const fail = (why) =>
      reject(new SetupError(`${failure}: "${[command, ...args].join(' ')}" ${why}`));
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code, signal) =>
      code === 0 ? resolve() : fail(`ended with ${signal ?? code}`),
    );
  });
}

/** Returns the Node of a finished set-up; undefined if there is something to do. */
function readyNode(dev) {
  const stamp = readJson(installStamp);
  if (stamp === undefined || stamp.lock !== hashFiles([lockFile])) return undefined;
  if (dev && !stamp.dev) return undefined;
  // An npm command after the set-up may have been interrupted.
  const isThere = ({ path }) => existsSync(join(root, path, 'package.json'));
  if (!wantedPackages(dev).every(isThere)) return undefined;
  const node = resolve(root, stamp.node ?? '');
  return isExecutable(node) && statSync(node).isFile() ? node : undefined;
}

async function install(dev) {
  const failure = 'cannot install packages';
  const [program, ...before] = npmCommand();
  const { stdout } = spawnSync(program, [...before, '--version'], { encoding: 'utf8', cwd: root });
  const version = (stdout ?? '').trim();
  if (!(Number.parseInt(version, 10) >= npmVersionMin)) {
    const found = version === '' ? 'there is none' : `this is npm ${version}`;
    throw new SetupError(`${failure}: npm ${npmVersionMin} or newer is needed, ${found}`);
  }
  restoreLockFile();
  say(`installing packages${dev ? ', with those for tests' : ''} (about a minute)`);
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--no-update-notifier'];
  if (dev) args.push('--include=dev');
  else args.push('--omit=dev');
  await run(program, [...before, ...args], failure);
  const missing = missingPackage(dev);
  if (missing === undefined) return;
  throw new SetupError(
    `${failure}: npm ${version} left out ${missing}; take a newer npm and repeat`,
  );
}

/** Returns the command of the npm that runs this script, or else of the npm in the path. */
export function npmCommand() {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  return npm !== undefined && npm.endsWith('npm-cli.js')
    ? [node ?? process.execPath, npm]
    : ['npm'];
}

/**
 * Restores the lock file, because `npm install` of npm 6 changes its format and drops what the page
 * needs.
 */
function restoreLockFile() {
  const { lockfileVersion } = readJson(lockFile) ?? {};
  if (lockfileVersion >= lockVersionMin) return;
  const { status } = spawnSync('git', ['checkout', '--', lockFile], { cwd: root });
  if (status === 0 && readJson(lockFile)?.lockfileVersion >= lockVersionMin) {
    say('put back package-lock.json, which an old npm had rewritten');
    return;
  }
  throw new SetupError(
    `cannot install packages: ${lockFile} is not the one of the checkout (an npm before 7 ` +
      'writes such files); put it back and repeat',
  );
}

/** Returns the packages that must be installed; optional packages are for other machines. */
function wantedPackages(dev) {
  return Object.entries(readJson(lockFile)?.packages ?? {}).flatMap(([path, entry]) => {
    const mayMiss = entry.optional || entry.devOptional || (entry.dev && !dev);
    const isPackage = path.includes('node_modules/') && !entry.link;
    return isPackage && !mayMiss ? [{ path, version: entry.version }] : [];
  });
}

/**
 * Returns the first package in node_modules that is missing or has the wrong version; undefined if
 * there is none, even if node_modules was installed by hand.
 */
function missingPackage(dev) {
  // npm writes its own list last; if it is missing, npm was interrupted.
  if (readJson(join(modules, '.package-lock.json')) === undefined) return 'node_modules';
  const isThere = ({ path, version }) =>
    readJson(join(root, path, 'package.json'))?.version === version;
  const missing = wantedPackages(dev).find((one) => !isThere(one));
  if (missing !== undefined) return missing.path;
  const hasNode = isExecutable(pinnedNode()) || isNewEnough(process.versions.node);
  return hasNode ? undefined : 'a Node that runs TypeScript';
}

function pinnedNode() {
  return join(modules, `node-${process.platform}-${process.arch}/bin/node`);
}

/** Returns the pinned Node if it works here, or else the current Node if it is new enough. */
function findNode() {
  const pinned = pinnedNode();
  if (isExecutable(pinned)) {
    const answer = spawnSync(pinned, ['--version'], { encoding: 'utf8' });
    if (answer.status === 0) return pinned;
  }
  if (isNewEnough(process.versions.node)) return process.execPath;
  throw new SetupError(
    `cannot find a Node to run the server: package node-${process.platform}-${process.arch} is ` +
      `not usable here, and this is Node ${process.versions.node}; ` +
      `install Node ${nodeVersionMin.join('.')} or newer and repeat`,
  );
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  const [majorMin, minorMin] = nodeVersionMin;
  return major > majorMin || (major === majorMin && minor >= minorMin);
}

function isExecutable(path) {
  if (typeof path !== 'string') return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function webSourcesHash() {
  const files = [lockFile];
  for (const source of webSources) {
    if (source.endsWith('.ts')) files.push(join(root, source));
    else collectFiles(join(root, source), files);
  }
  return hashFiles(files);
}

/** Hashes the source files in a folder; `isSource` selects them by name. */
export function hashFolder(folder, isSource) {
  const files = [];
  collectFiles(folder, files);
  return hashFiles(files.filter(isSource));
}

function collectFiles(folder, files) {
  if (!existsSync(folder)) return;
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (notSources.has(entry.name) || entry.name.includes('.test.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) collectFiles(path, files);
    else if (entry.isFile()) files.push(path);
  }
}

function hashFiles(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(`${path.slice(root.length)}\0`).update(readFileSync(path));
  return hash.digest('hex');
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
