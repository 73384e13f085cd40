// A program that runs next to the server, and ends with it.
import { type ChildProcess, spawn } from 'node:child_process';

/** End of a program. */
export interface BackgroundEnd {
  /** True if the program succeeded. */
  readonly isDone: boolean;
  /** Beginning of the program's standard error output. */
  readonly output: string;
}

/** Maximum number of characters of the output that are kept. */
const outputLengthMax = 65_536;

/** One run of a program. The program and the processes that it starts form one process group. */
export class BackgroundProgram {
  readonly ended: Promise<BackgroundEnd>;
  readonly #child: ChildProcess;
  #hasEnded = false;

  /** Starts the program. Calls `onOutput` with all output so far, whenever there is more. */
  constructor(
    program: string,
    programArguments: readonly string[],
    onOutput: (all: string) => void,
  ) {
    const child = spawn(program, programArguments, {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    this.#child = child;
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(0, outputLengthMax);
      onOutput(output);
    });
    this.ended = new Promise((resolve) => {
      const end = (isDone: boolean, last: string): void => {
        this.#hasEnded = true;
        resolve({ isDone, output: last });
      };
      child.once('error', (error) => end(false, error.message));
      child.once('close', (code) => end(code === 0, output));
    });
  }

  /** Ends the program and all processes that it started. */
  async stop(): Promise<void> {
    const { pid } = this.#child;
    if (!this.#hasEnded && pid !== undefined) endGroup(pid);
    await this.ended;
  }
}

/** Ends a process group; the output of a dead process may still be open in another process. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
    if (!isGone) throw error;
  }
}
