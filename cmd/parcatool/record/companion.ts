// Runs a program that profiles a command from outside, next to the command.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { AppError, errorMessage } from '../../../src/base/errors.ts';
import type { Companion } from './recorders.ts';

/** A running companion. */
export interface RunningCompanion {
  /**
   * Ends the companion. Resolves when its profiles are written. Errors: AppError
   * 'failed-precondition'.
   */
  stop(): Promise<void>;
}

/** Number of lines at the end of the log that an error shows. */
const shownLines = 5;

/** Starts a companion. Resolves when it is sampling. Errors: AppError 'failed-precondition'. */
export async function startCompanion(
  { args: [program, ...rest], variables: own, isReady }: Companion,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<RunningCompanion> {
  const child = spawn(program, rest, {
    env: { ...variables, ...own },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  const failure = (why: string): AppError => {
    const last = log.trimEnd().split('\n').slice(-shownLines).join('\n');
    return new AppError('failed-precondition', `cannot record by ${program}: ${why}\n${last}`);
  };
  const ended = once(child, 'close');
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (part: Buffer) => {
      log += part.toString();
      if (isReady(log)) resolve();
    });
    ended.then(
      () => reject(failure('it ended before it was ready')),
      (error: unknown) => reject(failure(errorMessage(error))),
    );
  });
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      if (child.exitCode !== 0) throw failure(`it ended with code ${child.exitCode}`);
    },
  };
}
