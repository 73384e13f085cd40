// The files that `npm run release` makes, and functions that start a released server and try it.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { getText } from '../support/json-api.ts';

const root = new URL('../../', import.meta.url).pathname;
/** Longest time that a server takes to start: in an emulator on a busy machine. */
const readyMillisMax = 400_000;

/** Folder of the released files; tools/stages.mjs makes them in a clean clone. */
export const released: string = process.env['TEST_RELEASE'] ?? join(root, 'dist');

/** Returns the path of the only released file whose name matches `pattern`. */
export function artefact(pattern: RegExp): string {
  assert.ok(existsSync(released), `there is no ${released}: run npm run release`);
  const found = readdirSync(released).filter((name) => pattern.test(name));
  assert.equal(found.length, 1, `${pattern}: ${found.join(', ')}`);
  return join(released, found[0]);
}

/**
 * Runs a program until it ends; returns its output. Errors: an error with its exit code and stderr.
 */
export function run(program: string, args: readonly string[], options: object = {}): string {
  return execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28, ...options }).trim();
}

/** A running server. */
export interface Started {
  readonly url: string;
  /** host:port */
  readonly address: string;
  log(): string;
  /** Sends SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>;
}

const children: ChildProcess[] = [];
// Ends the programs that a failed test left running.
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts a program that logs when it is ready. */
export async function start(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Started> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  children.push(child);
  let log = '';
  const address = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => fail('did not get ready'), readyMillisMax);
    const fail = (why: string): void => {
      clearTimeout(timer);
      reject(new Error(`${program} ${why}; its log:\n${log}`));
    };
    const read = (chunk: Buffer): void => {
      log += chunk.toString();
      const [, found] = /msg=ready .*?address=(\S+)/.exec(log) ?? [];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found.replace('[::]', '127.0.0.1'));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => fail(`ended with ${code}`));
  });
  return {
    url: `http://${address}`,
    address,
    log: () => log,
    stop: () => stopped(child),
  };
}

async function stopped(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  return child.exitCode;
}

/** Returns flags for a server in tests, which has no fixed port and uses no network. */
export function serverFlags(storage: string): string[] {
  const network = ['--http-address=127.0.0.1:0', '--debuginfod-upstream-servers='];
  return [...network, `--storage-path=${storage}`];
}

/**
 * Pushes a profile with `parcatool` (a command line) and queries it. Also checks that the page, its
 * script and the version are served.
 */
export async function tryServer(
  { url }: Pick<Started, 'url'>,
  parcatool: (args: readonly string[]) => string,
  folder: string,
): Promise<void> {
  const file = join(folder, 'stacks.txt');
  writeFileSync(file, 'main;work;spin 10\nmain;idle 5\n');
  const server = `--server=${url}`;
  parcatool(['push', file, '--job=release', server]);
  const answer = parcatool(['top', 'samples{job="release"}', '--format=json', server]);
  const rows = { main: '0 15', work: '0 10', spin: '10 10', idle: '5 5' };
  assert.deepEqual(readTop(answer), rows);
  const page = await (await fetch(url)).text();
  const [, script] = /<script[^>]* src="([^"]+\.js)"/.exec(page) ?? [];
  assert.ok(script !== undefined, page);
  assert.equal((await fetch(new URL(script, `${url}/`))).status, 200);
  assert.match(parcatool(['--version']), /version \d+\.\d+\.\d+ \(commit: [0-9a-f]{40}\)$/);
}

/** Waits until the server at `url` has an agent's profiles. */
export async function waitForAgent(url: string, log: () => string): Promise<void> {
  const last = performance.now() + 60_000;
  while (!(await getText(url, '/profiles/types', {})).includes('"parca_agent"')) {
    assert.ok(performance.now() < last, log());
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

interface Row {
  readonly name: string;
  readonly flat: string;
  readonly cumulative: string;
}

/** Returns the table of `parcatool top`, by function. */
function readTop(answer: string): unknown {
  const { functions }: { readonly functions: readonly Row[] } = JSON.parse(answer);
  return Object.fromEntries(
    functions.map(({ name, flat, cumulative }) => [name, `${flat} ${cumulative}`]),
  );
}
