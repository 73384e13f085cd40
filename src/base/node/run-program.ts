// Runs one of our programs on one file, with limits on output and time.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { assert } from '../assert.ts';
import { AppError, errorMessage } from '../errors.ts';
import { asBytes } from '../owned.ts';

/** One run of a program. */
export interface ProgramRun {
  readonly program: string;
  readonly programArguments: readonly string[];
  /** File that is opened for reading and passed as descriptor 3. */
  readonly filePath: string;
  /** File that is passed as descriptor 4, if there is one. */
  readonly alternatePath?: string | undefined;
  readonly input: Uint8Array;
  /** Wall-clock time after which the program is killed. */
  readonly millisMax: number;
  readonly outputBytesMax: number;
  readonly signal: AbortSignal;
  /** True for a run with a lower priority than other work. */
  readonly isBackground?: boolean;
}

/** Runs a program; resolves with its output. The program gets an empty environment. */
export type RunProgram = (run: ProgramRun) => Promise<Uint8Array>;

/** Maximum number of characters of the program's messages that an error contains. */
const complaintLengthMax = 1_000;

/**
 * Starts the program and waits until it ends.
 *
 * Errors: AppError 'unavailable' if the program cannot be started; 'cancelled';
 * 'deadline-exceeded'; 'resource-exhausted' if it was killed or wrote too much; 'invalid-argument'
 * with its message if it refused its input.
 */
export async function runProgram(run: ProgramRun): Promise<Uint8Array> {
  const { program, programArguments, filePath, input, millisMax, outputBytesMax, signal } = run;
  if (signal.aborted) throw new AppError('cancelled', `cannot run ${program}: cancelled`);
  const { alternatePath } = run;
  const paths = alternatePath === undefined ? [filePath] : [filePath, alternatePath];
  const descriptors: number[] = [];
  const closeAll = (): void => descriptors.forEach((descriptor) => closeSync(descriptor));
  try {
    for (const path of paths) descriptors.push(openSync(path, 'r'));
  } catch (error) {
    closeAll();
    throw error;
  }
  const child = spawn(program, programArguments, {
    stdio: ['pipe', 'pipe', 'pipe', ...descriptors],
    env: {},
    timeout: millisMax,
    killSignal: 'SIGKILL',
    signal,
  });
  closeAll();
  if (run.isBackground === true) lowerPriority(child.pid);
  const { stdin, stdout, stderr } = child;
  assert(stdin !== null && stdout !== null && stderr !== null, 'pipes are asked for');
  const chunks: Buffer[] = [];
  let bytes = 0;
  let complaint = '';
  stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > outputBytesMax) child.kill('SIGKILL');
    else chunks.push(chunk);
  });
  stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(0, complaintLengthMax);
  });
  // A program that ends early closes its input; its exit status tells the reason.
  stdin.on('error', () => undefined);
  stdin.end(input);
  const [status, killedBy] = await new Promise<[number | null, NodeJS.Signals | null]>(
    (resolve, reject) => {
      child.once('close', (code, by) => resolve([code, by]));
      child.once('error', (error) => {
        const code = signal.aborted ? 'cancelled' : 'unavailable';
        reject(new AppError(code, `cannot run ${program}: ${errorMessage(error)}`));
      });
    },
  );
  if (bytes > outputBytesMax) {
    throw new AppError('resource-exhausted', `its answer has more than ${outputBytesMax} bytes`);
  }
  if (killedBy !== null) {
    throw new AppError(
      'resource-exhausted',
      `its limits of memory or time were reached (${killedBy})`,
    );
  }
  if (status !== 0) throw new AppError('invalid-argument', complaint.trim() || `status ${status}`);
  return asBytes(Buffer.concat(chunks));
}

/** Lowers the priority of a program, unless it has ended or could not be started. */
function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The program has ended already.
  }
}
