// A server under attack, ours or a peer's, started in a box.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashSync } from 'bcryptjs';
import { pyroscopeFlags } from '../../bench/wire/pyroscope-flags.ts';
import { type Door, password, type ServerNeeds, type Target, user } from './attack.ts';
import type { Box } from './box.ts';

const program = new URL('../../cmd/parca/main.ts', import.meta.url).pathname;
const readyMillisMax = 60_000;
/** Longest time for a graceful stop; cutting the head takes up to 15 s on a busy machine. */
const stopMillisMax = 60_000;

export type Kind = 'ours' | 'parca' | 'pyroscope' | 'prometheus';

/** APIs that are attacked, for each kind of server. */
export const doorsByKind: Readonly<Record<Kind, readonly Door[]>> = {
  ours: ['port', 'parca', 'own'],
  parca: ['port', 'parca'],
  pyroscope: ['port', 'pyroscope'],
  prometheus: ['port', 'prometheus'],
};

/** Path of the readiness check, for each kind of server. */
export const readyPaths: Readonly<Record<Kind, string>> = {
  ours: '/-/ready',
  parca: '/-/ready',
  pyroscope: '/ready',
  prometheus: '/-/ready',
};

export interface Contender {
  readonly kind: Kind;
  readonly pid: number;
  readonly target: Target;
  readonly hasPasswords: boolean;
  /** Reason why the server has ended; undefined while it runs. */
  ended(): string | undefined;
  log(): string;
  /** Resident memory of all of the server's processes, in bytes. */
  residentBytes(): number;
  /** Returns the peak of the first process's resident memory since the last call, in bytes. */
  takePeak(): number;
  /** Stops the server; resolves to false if it had to be killed. */
  stop(): Promise<boolean>;
  /** Kills the server; resolves to false. */
  kill(): Promise<false>;
}

/** Settings of a start. */
export interface Start {
  readonly kind: Kind;
  /** Path of the peer's program. */
  readonly program: string;
  /** Folder for the server's files. */
  readonly folder: string;
  readonly box: Box;
  readonly needs: ServerNeeds;
}

/** Starts a server, and resolves when it is ready. */
export async function startContender(start: Start): Promise<Contender> {
  const { kind, folder, box, needs } = start;
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const command = await makeCommand(start, port);
  const [file, ...args] = [...box.prefix, ...command];
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder });
  let log = '';
  const read = (chunk: Buffer): void => void (log = (log + chunk.toString()).slice(-200_000));
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const ended = (): string | undefined =>
    child.signalCode ?? (child.exitCode === null ? undefined : `code ${child.exitCode}`);
  const pid = child.pid ?? 0;
  const url = `http://127.0.0.1:${port}`;
  await answering(url + readyPaths[kind], needs.hasPasswords === true, () => {
    if (ended() !== undefined) throw new Error(`${kind} ended: ${ended()}\n${log}`);
  });
  return {
    kind,
    pid,
    ended,
    hasPasswords: needs.hasPasswords === true,
    target: { host: '127.0.0.1', port, url, folder },
    log: () => log,
    residentBytes: () => sum((box.pids().length > 0 ? box.pids() : [pid]).map(readResidentBytes)),
    takePeak: () => takePeak(pid),
    stop: () => stop(child),
    kill: () => kill(child),
  };
}

async function stop(child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return true;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const ended = new AbortController();
  const tooLate = sleep(stopMillisMax, undefined, { signal: ended.signal }).catch(() => undefined);
  const gone = await Promise.race([exit, tooLate]);
  // Cancels the timer, which would keep this process alive.
  ended.abort();
  return gone === undefined ? kill(child) : true;
}

async function kill(child: ChildProcess): Promise<false> {
  if (child.exitCode !== null || child.signalCode !== null) return false;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  return false;
}

async function makeCommand({ kind, program: peer, folder, needs }: Start, port: number) {
  const config = join(folder, 'config.yaml');
  const data = join(folder, 'data');
  if (kind === 'ours') {
    await writeFile(config, needs.config?.(folder) ?? 'scrape_configs: []\n');
    const web = join(folder, 'web.yml');
    if (needs.hasPasswords === true) {
      const hash = hashSync(password, 10);
      await writeFile(web, `basic_auth_users:\n  ${user}: ${hash}\n`);
    }
    return [
      process.execPath,
      program,
      `--http-address=127.0.0.1:${port}`,
      `--config-path=${config}`,
      '--debuginfod-upstream-servers=',
      `--storage-path=${data}`,
      '--symbolizer-build=never',
      ...(needs.hasPasswords === true ? [`--web-config-file=${web}`] : []),
      ...(needs.flags ?? []),
    ];
  }
  if (kind === 'parca') {
    const store = `object_storage:\n  bucket:\n    type: FILESYSTEM\n    config:\n      directory: ${data}\n`;
    await writeFile(config, store);
    return [peer, `--config-path=${config}`, `--http-address=127.0.0.1:${port}`];
  }
  if (kind === 'prometheus') {
    await writeFile(
      config,
      needs.config?.(folder) ??
        `scrape_configs:\n- job_name: self\n  static_configs:\n  - targets: ['127.0.0.1:${port}']\n`,
    );
    return [
      peer,
      `--config.file=${config}`,
      `--web.listen-address=127.0.0.1:${port}`,
      `--storage.tsdb.path=${data}`,
      '--web.enable-remote-write-receiver',
    ];
  }
  const inner = await Promise.all(Array.from({ length: 3 }, freePort));
  return [peer, ...pyroscopeFlags([port, ...inner], data)];
}

/** Resolves when the path responds; `isAny` accepts any response, for servers with passwords. */
async function answering(url: string, isAny: boolean, check: () => void): Promise<void> {
  const end = performance.now() + readyMillisMax;
  while (performance.now() < end) {
    check();
    const answer = await fetch(url).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer !== undefined && (isAny || answer.ok)) return;
    await sleep(50);
  }
  throw new Error(`${url} is not answered`);
}

/** Returns a port that no process listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function readResidentBytes(pid: number): number {
  return kilobytes(pid, 'VmRSS') * 1_024;
}

function takePeak(pid: number): number {
  const peak = kilobytes(pid, 'VmHWM') * 1_024;
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // The process has ended, which `ended` reports.
    return peak;
  }
  return peak;
}

function kilobytes(pid: number, name: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Returns the CPU time that a process has used, in milliseconds. */
export function cpuMillis(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}
