// Starts the real server program for a test and stops it again.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { samplerStart } from '../../src/telemetry/self-profile.ts';

const program = new URL('../../cmd/parca/main.ts', import.meta.url).pathname;
const readyMillisMax = 120_000;
/**
 * Longest CPU time of a turn of the event loop, in milliseconds. A longer turn fails the test,
 * because the server cannot answer anybody during that time.
 */
const turnMillisMax = 250;
/**
 * Time in milliseconds that a test file may still take after such a turn, because its hooks may
 * leave something open that keeps it from ending.
 */
const restMillisMax = 60_000;

/** A running server process that only this test uses. */
export interface TestServer {
  /** host:port of its only port. */
  readonly address: string;
  readonly url: string;
  readonly pid: number;
  /** Returns everything that the server has logged so far. */
  log(): string;
  /**
   * Sends SIGTERM and waits; resolves to the exit code. Rejects, as `kill` does, if a turn of its
   * event loop took longer than `turnMillisMax`.
   */
  stop(): Promise<number | null>;
  /** Sends SIGKILL and waits for the process to end. */
  kill(): Promise<void>;
}

/** A scratch directory that `remove` deletes. */
export interface ScratchDirectory {
  readonly path: string;
  remove(): Promise<void>;
}

/** Makes a scratch directory. */
export async function scratchDirectory(parent: string = tmpdir()): Promise<ScratchDirectory> {
  const path = await mkdtemp(join(parent, 'parca-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/**
 * Starts a server on a free loopback port and resolves when it logs that it is ready. Rejects with
 * its log if it ends or logs nothing.
 */
export async function startServer(options: {
  readonly storagePath: string;
  /** Content of parca.yaml; by default a config that scrapes nothing. */
  readonly config?: string;
  readonly flags?: readonly string[];
  /**
   * True if the server scrapes itself. Most tests do not want the server's own profiles in its
   * store.
   */
  readonly selfScrape?: boolean;
  /** True if results of scrapes are stored. */
  readonly scrapeResults?: boolean;
  /** Folder of another version, which may lack some flags of this one. */
  readonly checkout?: string;
  /** Flags of Node, before the program. */
  readonly nodeFlags?: readonly string[];
  /** Environment variables in addition to those of the test. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Longest CPU time of a turn of the event loop, in milliseconds; 250 by default. */
  readonly turnMillisMax?: number;
}): Promise<TestServer> {
  const configPath = join(options.storagePath, '..', `parca-${process.pid}.yaml`);
  await writeFile(configPath, options.config ?? 'scrape_configs: []\n');
  const child = spawn(
    process.execPath,
    [
      ...(options.nodeFlags ?? []),
      options.checkout === undefined ? program : join(options.checkout, 'cmd/parca/main.ts'),
      '--http-address=127.0.0.1:0',
      `--storage-path=${options.storagePath}`,
      `--config-path=${configPath}`,
      `--self-scrape=${options.selfScrape === true}`,
      // No test needs the network.
      '--debuginfod-upstream-servers=',
      ...(options.checkout === undefined
        ? [`--scrape-results=${options.scrapeResults === true}`]
        : []),
      ...(options.flags ?? []),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...options.variables } },
  );
  let log = '';
  const address = await new Promise<string>((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`server ${why}; its log:\n${log}`));
    const timer = setTimeout(() => fail('did not get ready'), readyMillisMax);
    const read = (chunk: Buffer): void => {
      log += chunk.toString();
      const found = /msg=ready .*?address=(\S+)|"msg":"ready".*?"address":"([^"]+)"/.exec(log);
      if (found === null) return;
      clearTimeout(timer);
      resolve(found[1] ?? found[2]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      log += `the server ended: ${signal ?? `code ${code}`}\n`;
      fail('ended');
    });
  });
  return {
    address,
    url: `http://${address}`,
    pid: child.pid ?? 0,
    log: () => log,
    stop: async () => {
      await end(child, 'SIGTERM');
      checkTurns(log, options.turnMillisMax);
      return child.exitCode;
    },
    kill: async () => {
      await end(child, 'SIGKILL');
      checkTurns(log, options.turnMillisMax);
    },
  };
}

/**
 * Throws if the log reports a turn of the event loop that took longer than `millisMax`. Ignores the
 * start of V8's sampler, which is a single call of V8 in its own turn.
 */
function checkTurns(log: string, millisMax = turnMillisMax): void {
  for (const line of log.split('\n')) {
    const match = /the event loop was held up.*?cpuMillis"?[=:](\d+)/.exec(line);
    if (match === null || Number(match[1]) <= millisMax || line.includes(samplerStart)) continue;
    setTimeout(() => process.exit(1), restMillisMax).unref();
    throw new Error(`a turn of the server's event loop took more than ${millisMax} ms: ${line}`);
  }
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
