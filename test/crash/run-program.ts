// Runs one of the programs of this folder to its end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface ProgramEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `name` with its arguments; a bug of planted-bugs.ts can be planted in what it loads. */
export async function runProgram(
  name: string,
  programArguments: readonly (string | number)[],
  plantedBug?: string,
): Promise<ProgramEnd> {
  const plant = plantedBug === undefined ? [] : ['--import', pathOf('plant.ts')];
  const child = spawn(
    process.execPath,
    [...plant, pathOf(name), ...programArguments.map((argument) => `${argument}`)],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, PLANTED_BUG: plantedBug ?? '' } },
  );
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  return { code: child.exitCode, stdout, stderr };
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
