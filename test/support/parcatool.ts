// Runs parcatool as people do.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { run } from '../../cmd/parcatool/run.ts';

const program = new URL('../../cmd/parcatool/main.ts', import.meta.url).pathname;

export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs parcatool in this process, with its output in pipes. This is faster than starting a process.
 */
export function runParcatool(...args: string[]): Promise<Run> {
  return runInto(printStream(), args);
}

/** Runs parcatool as if at a terminal. */
export function runParcatoolAtTerminal(...args: string[]): Promise<Run> {
  const { write, text } = printStream();
  return runInto({ write, text, isTTY: true, columns: 400 }, args);
}

async function runInto(
  stdout: ReturnType<typeof printStream> & { readonly isTTY?: boolean; readonly columns?: number },
  args: readonly string[],
): Promise<Run> {
  const stderr = printStream();
  const code = await run(args, { stdout, stderr });
  return { code, out: stdout.text(), err: stderr.text() };
}

function printStream(): { write(text: string | Uint8Array): boolean; text(): string } {
  const written: Uint8Array[] = [];
  return {
    write: (text) => written.push(typeof text === 'string' ? Buffer.from(text) : text) > 0,
    text: () => Buffer.concat(written).toString(),
  };
}

/** Runs the real program with these environment variables, and with its output in pipes. */
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
