// Tests of starts in incomplete checkouts, with a fake npm.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from './setup.mjs';

const parent = mkdtempSync(join(tmpdir(), 'parca-setup-'));
const checkout = join(parent, 'a b%20c');
const packages = join(checkout, 'node_modules');
const npm = join(parent, 'npm-cli.js');
const calls = join(parent, 'calls');

after(() => rmSync(parent, { recursive: true, force: true }));

/** A small lock file: `b` is for another machine, `c` for tests. */
const lock = {
  lockfileVersion: 3,
  packages: {
    '': {},
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '1.0.0', optional: true },
    'node_modules/c': { version: '1.0.0', dev: true },
  },
};

/** A fake npm that installs `a`, or nothing; its version is set in the environment. */
const npmProgram = `
const { appendFileSync, mkdirSync, rmSync, writeFileSync } = require('node:fs');
if (process.argv.includes('--version')) {
  console.log(process.env.FAKE_VERSION);
} else {
  appendFileSync(${JSON.stringify(calls)}, process.argv[2] + ' ');
  rmSync('node_modules', { recursive: true, force: true });
  mkdirSync('node_modules/a', { recursive: true });
  writeFileSync('node_modules/.package-lock.json', '{}');
  if (!process.env.FAKE_IS_LAZY) {
    writeFileSync('node_modules/a/package.json', '{"version":"1.0.0"}');
  }
}`;

beforeEach(() => {
  chmodSync(parent, 0o755);
  rmSync(checkout, { recursive: true, force: true });
  rmSync(calls, { force: true });
  mkdirSync(checkout, { recursive: true });
  cpSync(join(root, 'tools'), join(checkout, 'tools'), { recursive: true });
  writeFileSync(join(checkout, 'package.json'), '{"type":"module"}');
  writeFileSync(join(checkout, 'package-lock.json'), JSON.stringify(lock));
  writeFileSync(npm, npmProgram);
});

/** Runs a script in the checkout; resolves to what it printed. */
function run(script: string, variables: Readonly<Record<string, string>> = {}) {
  const args = ['--input-type=module', '--eval', script];
  const environment = { ...process.env, npm_execpath: npm, FAKE_VERSION: '10.8.2', ...variables };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: checkout,
    env: environment,
    encoding: 'utf8',
  });
  return { status, out: stdout.trim(), err: stderr };
}

function setUp(folder: string, variables?: Readonly<Record<string, string>>) {
  const setup = JSON.stringify(pathToFileURL(join(folder, 'tools/setup.mjs')).href);
  const call = 'ensureInstalled({ dev: false }).catch(failSetup)';
  return run(`import { ensureInstalled, failSetup } from ${setup}; console.log(await ${call})`, {
    ...variables,
  });
}

function callCount(): number {
  return existsSync(calls) ? readFileSync(calls, 'utf8').trim().split(' ').length : 0;
}

const installing = 'set-up: installing packages (about a minute)\n';

test('packages are installed once, and again when one is gone or of another version', () => {
  const good = { status: 0, out: process.execPath, err: '' };
  assert.deepEqual(setUp(checkout), { ...good, err: installing });
  assert.deepEqual(setUp(checkout), good);
  assert.equal(callCount(), 1);
  rmSync(join(packages, 'a'), { recursive: true });
  assert.deepEqual(setUp(checkout), { ...good, err: installing });
  // An interrupted manual installation has no list, because npm writes its list last.
  rmSync(join(packages, '.parca-install.json'));
  assert.deepEqual(setUp(checkout), good);
  rmSync(join(packages, '.parca-install.json'));
  rmSync(join(packages, '.package-lock.json'));
  assert.deepEqual(setUp(checkout), { ...good, err: installing });
  rmSync(join(packages, '.parca-install.json'));
  writeFileSync(join(packages, 'a/package.json'), '{"version":"0.9.0"}');
  assert.deepEqual(setUp(checkout), { ...good, err: installing });
  assert.equal(callCount(), 4);
});

test('an npm that is too old, or leaves packages out, is told apart from a good one', () => {
  const check = (variables: Readonly<Record<string, string>>, message: string): void => {
    const { status, err } = setUp(checkout, variables);
    assert.deepEqual([status, err], [1, `${message}\n`]);
  };
  const failure = 'cannot install packages: npm';
  check({ FAKE_VERSION: '6.14.18' }, `${failure} 7 or newer is needed, this is npm 6.14.18`);
  assert.equal(callCount(), 0);
  const lazy = `${failure} 8.1.0 left out node_modules/a; take a newer npm and repeat`;
  check({ FAKE_VERSION: '8.1.0', FAKE_IS_LAZY: '1' }, installing + lazy);
  assert.equal(setUp(checkout).status, 0);
});

test('a lock file that npm 6 has rewritten is put back', () => {
  const file = join(checkout, 'package-lock.json');
  const old = JSON.stringify({ lockfileVersion: 1, dependencies: {} });
  writeFileSync(file, old);
  const { status, err } = setUp(checkout);
  assert.equal(status, 1);
  assert.match(
    err,
    /^cannot install packages: .*package-lock\.json is not the one of the check.*\n$/,
  );
  writeFileSync(file, JSON.stringify(lock));
  const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: checkout });
  git('init', '--quiet');
  git('add', 'package-lock.json');
  writeFileSync(file, old);
  const restored = 'set-up: put back package-lock.json, which an old npm had rewritten\n';
  assert.deepEqual(setUp(checkout), {
    status: 0,
    out: process.execPath,
    err: restored + installing,
  });
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), lock);
});

test('a checkout that cannot be written to, or built in, is one clear line', () => {
  const setup = JSON.stringify(pathToFileURL(join(checkout, 'tools/setup.mjs')).href);
  chmodSync(checkout, 0o555);
  // Root can write to all folders.
  const { status, err } = run(`
    const { ensureInstalled, failSetup } = await import(${setup});
    if (process.getuid() === 0) process.setuid(65534);
    await ensureInstalled({ dev: false }).catch(failSetup);`);
  chmodSync(checkout, 0o755);
  assert.equal(status, 1);
  assert.match(err, /^cannot set up in .*a b%20c: it cannot be written to \(EACCES: .*\); .*\n$/);
  const hashed = join(parent, 'a#b');
  cpSync(checkout, hashed, { recursive: true });
  const { err: refused } = setUp(hashed);
  assert.match(refused, /^cannot set up in .*a#b: .* paths with "#" or "\?"; rename the folder\n$/);
  assert.equal(callCount(), 0);
});

test('a Node that is too old is told so, before anything that it cannot read', () => {
  const enter = join(checkout, 'tools/enter.cjs');
  const old = join(parent, 'old-node.cjs');
  writeFileSync(old, `Object.defineProperty(process.versions, 'node', { value: '12.22.12' });`);
  const args = ['--require', old, enter, 'start'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const message = 'cannot start: Node 20 or newer is needed, this is Node 12.22.12\n';
  assert.deepEqual([status, stderr], [1, message]);
  assert.equal(existsSync(packages), false);
  // Files that an old Node must parse use only JavaScript of 2009; they load the other files later.
  for (const name of ['enter.cjs', 'bin/parca.cjs', 'bin/parcatool.cjs']) {
    const text = readFileSync(join(checkout, 'tools', name), 'utf8');
    const code = text.replaceAll(/^(#!|\/\/|\/\*\*).*$|'[^']*'/gm, '');
    assert.doesNotMatch(
      code,
      /=>|`|\.\.\.|\b(?:const|let|class|async|await|import|export)\b/,
      name,
    );
  }
});
