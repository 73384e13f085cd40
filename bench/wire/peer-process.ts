// Starts other servers for a comparison.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Number of concurrent pushes. With fewer, the benchmark would take very long, because Pyroscope
 * takes half a second to respond to a push.
 */
export const pushesAtOnce = 32;
const readyMillisMax = 120_000;
/** Names of the compared queries, as in load.ts. */
export const questionNames = [
  'flame graph, one service',
  'flame graph, one instance',
  'diff of halves, one service',
];

/** A running server in the comparison. */
export interface Contender {
  readonly name: string;
  readonly pid: number;
  /** Sends uploads `first` to `end`. */
  push(first: number, end: number): Promise<void>;
  /** Sends the query `name` for a range that starts `leadMillis` before the first profile. */
  ask(name: string, leadMillis: number): Promise<void>;
  stop(): Promise<unknown>;
}

/** Starts a program without its log output. */
export function startProgram(program: string, args: readonly string[], cwd?: string): ChildProcess {
  return spawn(program, args, { cwd, stdio: 'ignore' });
}

/** Waits until a server is ready; kills it if it does not become ready. */
export async function answering(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + readyMillisMax;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${url}: the server ended`);
    if (performance.now() > deadline) {
      await end(child);
      throw new Error(`${url}: not ready`);
    }
    const isReady = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return;
    await sleep(200);
  }
}

/** Kills a program and waits for its end. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Returns a free loopback port. */
export async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}
