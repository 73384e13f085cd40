// Runs a program, and watches its CPU time and memory in /proc.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Command } from './recipes.ts';

const ticksPerSecond = 100;

/** A running program, and the end of its output. */
export class Watched {
  readonly #child: ChildProcess;
  readonly #memories: number[] = [];
  #cpuSeconds = 0;
  #cpuSecondsBefore = 0;
  #output = '';

  constructor({ argv, variables }: Command, folder: string) {
    const [program, ...args] = argv;
    this.#child = spawn(program, args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...variables },
      // In its own process group, a script can be ended together with the processes that it
      // started.
      detached: true,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString()).slice(-20_000);
      });
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get output(): string {
    return this.#output;
  }

  /** CPU seconds from `begin` to the last measurement. */
  get cpuSeconds(): number {
    return this.#cpuSeconds - this.#cpuSecondsBefore;
  }

  /** Megabytes of memory at each measurement. */
  get memories(): readonly number[] {
    return this.#memories;
  }

  /** Exit code or signal; undefined while it runs. */
  get end(): string | undefined {
    const { exitCode, signalCode } = this.#child;
    if (exitCode === null && signalCode === null) return undefined;
    return signalCode ?? `code ${exitCode}`;
  }

  /** Ignores the measurements made so far. */
  begin(): void {
    this.look();
    this.#cpuSecondsBefore = this.#cpuSeconds;
  }

  /** Reads CPU time and memory; throws if the program has ended. */
  look(): void {
    if (this.end !== undefined) throw new Error(`it ended: ${this.end}\n${this.#output}`);
    this.#cpuSeconds = readCpuSeconds(this.pid);
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    this.#memories.push(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024);
  }

  async stop(): Promise<void> {
    if (this.end !== undefined) return;
    const ended = once(this.#child, 'exit');
    process.kill(-this.pid, 'SIGKILL');
    await ended;
  }
}

/** Returns the CPU seconds of a process and of its children that have ended. */
function readCpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / ticksPerSecond;
}
