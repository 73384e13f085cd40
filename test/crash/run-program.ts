// Runs one of the programs of this folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/**
 * Flags for Node. Without helper threads for garbage collection, two programs take 24 s instead of
 * 28 s.
 */
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

/** Runs `name` with its arguments, and with a planted bug if one is named. */
export async function runProgram(
  name: string,
  programArguments: readonly (string | number)[],
  plantedBug?: string,
): Promise<ProgramEnd> {
  const env = { ...process.env, PLANTED_BUG: plantedBug };
  // Programs that only start other programs do not get the bug.
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

/** Returns Node's arguments that plant the bug named by the environment, if any. */
export function plantArguments(env = process.env): string[] {
  return env['PLANTED_BUG'] === undefined ? [] : ['--import', programPath('plant.ts')];
}

function programPath(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
