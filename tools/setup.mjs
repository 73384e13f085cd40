// What a fresh checkout lacks, and the work of getting it: packages, the pinned Node, the web page.
//
// Plain JavaScript for Node >= 20 without packages, because it runs before any is installed.
// Every step leaves a stamp (a hash of what it was made from), so that a second start does nothing.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

/** The checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const nodeVersionMin = [24, 15];
const modules = join(root, 'node_modules');
const lockFile = join(root, 'package-lock.json');
const installStamp = join(modules, '.parca-install.json');
const webStamp = join(root, 'web/dist/.parca-build.json');

/** What the bundle of the web page is made from, besides the packages. */
export const webSources = [
  'web',
  'src/base',
  'src/model',
  'src/promql-like',
  'src/report',
  'proto/gen',
];
const notSources = new Set(['dist', 'node_modules', 'README.md']);

/** A failure that is explained to the person at the terminal, without a stack. */
export class SetupError extends Error {}

/**
 * Makes node_modules match package-lock.json, and says which Node runs the programs.
 *
 * @param {{ dev: boolean }} options dev: also what only tests need
 * @returns {Promise<string>} path of a Node that runs TypeScript
 */
export async function ensureInstalled(options) {
  const ready = readyNode(options.dev);
  if (ready !== undefined) return ready;
  return withLock(join(root, '.cache/setup.lock'), async () => {
    const meanwhile = readyNode(options.dev);
    if (meanwhile !== undefined) return meanwhile;
    const dev = options.dev || readJson(installStamp)?.dev === true;
    if (!modulesMatch(dev)) await install(dev);
    const node = findNode();
    writeFileSync(installStamp, JSON.stringify({ lock: hashFiles([lockFile]), dev, node }));
    return node;
  });
}

/** Builds the page of the server when its sources, or the packages in it, have changed. */
export async function ensureWeb(node) {
  const isFresh = () => readJson(webStamp)?.sources === webSourcesHash();
  if (isFresh()) return;
  await withLock(join(root, '.cache/setup.lock'), async () => {
    if (isFresh()) return;
    const sources = webSourcesHash();
    say('building the web page');
    const vite = join(modules, 'vite/bin/vite.js');
    await run(node, [vite, 'build', '--logLevel', 'warn'], 'cannot build the web page', {
      cwd: join(root, 'web'),
    });
    mkdirSync(dirname(webStamp), { recursive: true });
    writeFileSync(webStamp, JSON.stringify({ sources }));
  });
}

/** The environment of a child that runs the project's programs: its own Node comes first. */
export function childEnvironment(node) {
  const path = `${dirname(node)}:${join(modules, '.bin')}:${process.env.PATH}`;
  return { ...process.env, PATH: path, NODE_COMPILE_CACHE: join(modules, '.cache/compile') };
}

/** Ends the process with the message of a SetupError; anything else is a bug, thrown on. */
export function failSetup(error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

/** Says on stderr what takes time; stdout belongs to the program that is started. */
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

/** The Node of a finished set-up, or undefined when there is something to do. */
function readyNode(dev) {
  const stamp = readJson(installStamp);
  if (stamp === undefined || stamp.lock !== hashFiles([lockFile])) return undefined;
  if (dev && !stamp.dev) return undefined;
  return isExecutable(stamp.node) ? stamp.node : undefined;
}

async function install(dev) {
  say(`installing packages${dev ? ', with those for tests' : ''} (about a minute)`);
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--no-update-notifier'];
  if (dev) args.push('--include=dev');
  else args.push('--omit=dev');
  const failure = 'cannot install packages';
  // Under npm its own program is known; the node beside it is not in the folder being replaced.
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  if (npm !== undefined && npm.endsWith('.js')) {
    await run(node ?? process.execPath, [npm, ...args], failure);
  } else {
    await run('npm', args, failure);
  }
}

/**
 * Whether what npm wrote down about node_modules has every package of the lock file, so that an
 * installation by hand is accepted too. Optional ones may be missing: they are for other machines.
 */
function modulesMatch(dev) {
  const installed = readJson(join(modules, '.package-lock.json'))?.packages;
  const wanted = readJson(lockFile)?.packages;
  if (installed === undefined || wanted === undefined) return false;
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.includes('node_modules/') || entry.link) continue;
    const has = installed[path];
    const mayMiss = entry.optional || entry.devOptional || (entry.dev && !dev);
    if (has === undefined ? !mayMiss : has.version !== entry.version) return false;
  }
  return isExecutable(pinnedNode()) || isNewEnough(process.versions.node);
}

function pinnedNode() {
  return join(modules, `node-${process.platform}-${process.arch}/bin/node`);
}

/** The pinned Node when it runs here, else the one that runs this, when it is new enough. */
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
  for (const folder of webSources) collectFiles(join(root, folder), files);
  return hashFiles(files);
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
