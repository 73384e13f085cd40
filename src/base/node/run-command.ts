// Runs a command of the config, such as one that prints a token.
import { execFile } from 'node:child_process';
import { AppError } from '../errors.ts';

/** A command of the config. */
export interface Command {
  /** Path of the program, or its name, which is then searched for in PATH. */
  readonly program: string;
  readonly programArguments: readonly string[];
  /** The complete environment of the program. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Runs a command; resolves with its output. */
export type RunCommand = (command: Command) => Promise<string>;

/** Longest time that a command may take; after that it is killed. */
const commandMillisMax = 60_000;
const outputBytesMax = 1_048_576;
const complaintLengthMax = 200;

/**
 * Runs a command without input.
 *
 * Errors: AppError 'unavailable' with the end of the output if the command fails.
 */
export function runCommand(command: Command): Promise<string> {
  const { program, programArguments, environment } = command;
  const options = { env: environment, timeout: commandMillisMax, maxBuffer: outputBytesMax };
  return new Promise((resolve, reject) => {
    const child = execFile(program, programArguments, options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const said = stderr.trim().slice(-complaintLengthMax) || error.message;
      return reject(new AppError('unavailable', `cannot run ${program}: ${said}`));
    });
    child.stdin?.end();
  });
}
