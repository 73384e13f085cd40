// Builds and starts the three example programs.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const targets = new URL('../../examples/targets/', import.meta.url).pathname;

export type Language = 'go' | 'rust' | 'node';

/** A running example program. */
export interface ExampleTarget {
  readonly language: Language;
  /** host:port at which it serves /debug/pprof. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Commands that build and start each program; paths are relative to its folder. */
const programs: Readonly<Record<Language, { build: readonly string[]; start: readonly string[] }>> =
  {
    go: {
      build: [process.env['TEST_GO'] ?? 'go', 'build', '-o', 'target/example', '.'],
      start: ['target/example'],
    },
    rust: {
      build: [process.env['TEST_CARGO'] ?? 'cargo', 'build', '--release', '--locked'],
      start: ['target/release/example-target'],
    },
    node: { build: [], start: [process.execPath, 'main.ts'] },
  };

/** Builds a program if needed; returns its absolute path. */
export async function buildExample(language: Language): Promise<string> {
  const cwd = join(targets, language);
  const { build, start } = programs[language];
  const [builder, ...buildArguments] = build;
  if (builder !== undefined) await run(builder, buildArguments, { cwd, maxBuffer: 1 << 26 });
  return resolve(cwd, start[0] ?? '');
}

/** Builds a program if needed and starts it on a free loopback port. */
export async function startExample(
  language: Language,
  flags: readonly string[] = [],
): Promise<ExampleTarget> {
  const cwd = join(targets, language);
  const program = await buildExample(language);
  const programArguments = programs[language].start.slice(1);
  const child = spawn(program, [...programArguments, '--listen', '127.0.0.1:0', ...flags], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { language, address: await listeningAddress(child), stop: () => end(child) };
}

function listeningAddress(child: ChildProcess): Promise<string> {
  return new Promise((found, reject) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const address = /listening on (\S+)/.exec(output)?.[1];
      if (address !== undefined) found(address);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`example ended before it listened:\n${output}`)));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
