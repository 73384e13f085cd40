// Starts storage-writer.ts, stops it at a random moment, and reads what it has told.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { KnownProfile, Oracle } from '../../src/storage/fake/oracle.ts';
import { plantArguments } from './run-program.ts';

const program = fileURLToPath(new URL('storage-writer.ts', import.meta.url));
const startMillisMax = 60_000;

/** One life of the writer. Its report lies outside of the disk that is tested. */
export class WriterProcess {
  private readonly child: ChildProcess;
  private readonly reportPath: string;
  private readonly exited: Promise<unknown>;

  constructor(storagePath: string, reportPath: string, seed: number) {
    this.reportPath = reportPath;
    fs.writeFileSync(reportPath, '');
    this.child = spawn(
      process.execPath,
      [...plantArguments(), program, storagePath, reportPath, `${seed}`],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    this.exited = once(this.child, 'exit');
  }

  /** Resolves when something was acknowledged; rejects when it ends by itself. */
  async untilAcknowledged(): Promise<void> {
    const deadline = performance.now() + startMillisMax;
    for (;;) {
      if (fs.readFileSync(this.reportPath, 'utf8').includes('["acknowledged"')) return;
      if (this.child.exitCode !== null) {
        throw new Error(`the writer ended with code ${this.child.exitCode}`);
      }
      if (performance.now() > deadline) throw new Error('the writer acknowledges nothing');
      await sleep(5);
    }
  }

  /** Resolves when no thread of it runs: no answer of the kernel is on its way any more. */
  async freeze(): Promise<void> {
    this.child.kill('SIGSTOP');
    const tasks = `/proc/${this.child.pid}/task`;
    const isFrozen = (): boolean =>
      fs.readdirSync(tasks).every((task) => {
        const stat = fs.readFileSync(`${tasks}/${task}/stat`, 'utf8');
        return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
      });
    while (!isFrozen()) await sleep(1);
  }

  /** SIGKILL, then waits. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  /**
   * Checks what this life found against what earlier ones were told, and notes what it was told
   * itself; call it when the process is frozen or gone. Returns how many were acknowledged.
   *
   * Errors: an Error that says what is lost or wrong.
   */
  check(oracle: Oracle<KnownProfile>): number {
    const sent = new Map<string, KnownProfile>();
    let acknowledged = 0;
    // What follows the last line break was being written.
    for (const line of fs.readFileSync(this.reportPath, 'utf8').split('\n').slice(0, -1)) {
      const [kind, what]: [string, unknown] = JSON.parse(line);
      if (kind === 'found') oracle.checkRestart(textsOf(what));
      if (kind === 'sent') {
        const profile = { texts: textsOf(what) };
        sent.set(profile.texts[0], profile);
        oracle.sent(profile);
      }
      if (kind !== 'acknowledged') continue;
      const profile = sent.get(String(what));
      if (profile === undefined) throw new Error(`${what} was acknowledged but not sent`);
      oracle.acknowledged(profile);
      acknowledged += 1;
    }
    return acknowledged;
  }
}

function textsOf(what: unknown): string[] {
  if (!Array.isArray(what)) throw new Error('not a list of texts');
  return what.map(String);
}
