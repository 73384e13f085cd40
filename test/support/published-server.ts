// Starts our server with a published command line of Parca, in its own folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PublishedCommand } from './published-commands.ts';

const root = new URL('../../', import.meta.url).pathname;
const readyMillisMax = 60_000;

/** A running program. */
export interface Published {
  /** host:port of its only port. */
  readonly address: string;
  log(): string;
  /** Sends SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>;
}

/**
 * Starts the server with `command`, but on a free loopback port, and with all absolute paths moved
 * below `folder`. Resolves when it is ready.
 */
export async function startPublished(
  { args, files = {}, isImage }: PublishedCommand,
  folder: string,
): Promise<Published> {
  const moved = (text: string): string =>
    text.replaceAll(/(?<![\w.])\/(?=(?:var|etc)\/)/g, `${folder}/`);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), moved(content));
  }
  // In an image or an installed package, the program's current folder is writable.
  const cwd = join(folder, 'cwd');
  await mkdir(cwd, { recursive: true });
  const own = isImage ? entryPoint() : ['cmd/parca/main.ts'];
  const [script, ...flags] = [...own, ...args].map(moved);
  const child = spawn(
    process.execPath,
    // No test needs the network.
    [join(root, script), ...flags, '--http-address=127.0.0.1:0', '--debuginfod-upstream-servers='],
    { cwd, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const { address, log } = await waitUntilReady(child);
  return {
    address,
    log,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
  };
}

/** Returns the image's program, as a path below the root, and the image's own flags. */
function entryPoint(): string[] {
  const [, list = '[]'] =
    /^ENTRYPOINT (.*)$/m.exec(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')) ?? [];
  const words: readonly string[] = JSON.parse(list);
  return words.slice(1).map((word) => word.replace(/^\/opt\/parca\//, ''));
}

function waitUntilReady(child: ChildProcess): Promise<{ address: string; log: () => string }> {
  let log = '';
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`the program ${why}; its log:\n${log}`));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail('did not get ready');
    }, readyMillisMax);
    const read = (chunk: Buffer): void => {
      log += chunk.toString();
      const [, address] = /msg=ready .*?address=(\S+)/.exec(log) ?? [];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve({ address, log: () => log });
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
  });
}
