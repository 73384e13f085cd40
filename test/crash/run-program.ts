// Runs one of the programs of this folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** Node's flags. Without helper threads of the garbage collector two programs take 24 s, not 28. */
const flags = ['--single-threaded-gc'];

const startsOthers: ReadonlySet<string> = new Set([
  'power-loss.ts',
  'kill-server.ts',
  '../whole-server/live.ts',
]);

interface ProgramEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `name` with its arguments, with a bug of planted-bugs.ts if one is named. */
export async function runProgram(
  name: string,
  programArguments: readonly (string | number)[],
  plantedBug?: string,
): Promise<ProgramEnd> {
  const env = { ...process.env, PLANTED_BUG: plantedBug };
  // Programs that only start others have no place for a bug.
  const plant = startsOthers.has(name) ? [] : plantArguments(env);
  const words = programArguments.map((argument) => `${argument}`);
  const child = spawn(process.execPath, [...flags, ...plant, programPath(name), ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  return { code: child.exitCode, stdout, stderr };
}

/** Returns Node's arguments to plant the bug that the environment names, if any. */
export function plantArguments(env = process.env): string[] {
  return env['PLANTED_BUG'] === undefined ? [] : ['--import', programPath('plant.ts')];
}

function programPath(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
