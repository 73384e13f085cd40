// Runs the terminal program as people do.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const program = new URL('../../cmd/parcatool/main.ts', import.meta.url).pathname;

export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** One run, into pipes; resolves with what it printed and its exit code. */
export function runParcatool(...args: string[]): Promise<Run> {
  return runParcatoolWith({}, ...args);
}

/** The same with variables of the environment set. */
export async function runParcatoolWith(
  variables: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<Run> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...variables },
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  await once(child, 'close');
  return {
    code: child.exitCode,
    out: Buffer.concat(out).toString(),
    err: String(Buffer.concat(err)),
  };
}
