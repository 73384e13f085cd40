// Starts storage-writer.ts, kills it at a random moment, and reads its report.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { KnownProfile, Oracle } from '../../src/storage/fake/oracle.ts';
import { randomBelow, type Random } from '../../src/base/random.ts';
import { plantArguments } from './run-program.ts';

const program = fileURLToPath(new URL('storage-writer.ts', import.meta.url));
/** Cache of compiled code; with it, a start takes a third of the time. */
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url));
const lifeMillisMax = 60_000;
/** Events after which the process is killed. */
const moments = ['acknowledged', 'compacted', 'deleted'] as const;
const acknowledgedMax = 50;
const momentMillisMax = 20;

/** Counts of the writer's completed operations. */
export interface WriterCounts {
  acknowledged: number;
  compacted: number;
  deleted: number;
}

/** Returns counts that are all zero. */
export function noWriterCounts(): WriterCounts {
  return { acknowledged: 0, compacted: 0, deleted: 0 };
}

/** A writer process. Its report is outside the tested disk. */
export class WriterProcess {
  readonly #child: ChildProcess;
  readonly #reportPath: string;
  readonly #exited: Promise<unknown>;

  constructor(storagePath: string, reportPath: string, seed: number) {
    this.#reportPath = reportPath;
    fs.writeFileSync(reportPath, '');
    this.#child = spawn(
      process.execPath,
      [...plantArguments(), program, storagePath, reportPath, `${seed}`],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
      },
    );
    this.#exited = once(this.#child, 'exit');
  }

  /**
   * Resolves some time after a write, a compaction or a delete. Rejects if the process ends by
   * itself.
   */
  async untilRandomMoment(random: Random): Promise<void> {
    const kind = moments[randomBelow(random, moments.length)];
    const count = kind === 'acknowledged' ? 1 + randomBelow(random, acknowledgedMax) : 1;
    await this.#untilTold(kind, count);
    await sleep(randomBelow(random, momentMillisMax));
  }

  async #untilTold(kind: string, count: number): Promise<void> {
    const deadline = performance.now() + lifeMillisMax;
    for (;;) {
      const report = fs.readFileSync(this.#reportPath, 'utf8');
      if (report.split(`\n["${kind}"`).length > count) return;
      if (this.#child.exitCode !== null) {
        throw new Error(`the writer ended with code ${this.#child.exitCode}`);
      }
      if (performance.now() > deadline) throw new Error(`the writer has ${kind} nothing`);
      await sleep(5);
    }
  }

  /** Resolves when none of the process's threads runs, so that no system call is pending. */
  async freeze(): Promise<void> {
    this.#child.kill('SIGSTOP');
    const tasks = `/proc/${this.#child.pid}/task`;
    const isFrozen = (): boolean =>
      fs.readdirSync(tasks).every((task) => {
        const stat = fs.readFileSync(`${tasks}/${task}/stat`, 'utf8');
        return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
      });
    while (!isFrozen()) await sleep(1);
  }

  /** Sends SIGKILL and waits for the process to end. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /**
   * Checks what the writer found against the reports of earlier writers, then records its own
   * report. The process must be frozen or gone.
   *
   * Errors: an Error that says what is lost or wrong.
   */
  check(oracle: Oracle<KnownProfile>, counts: WriterCounts): void {
    const sent = new Map<string, KnownProfile>();
    const known = (what: unknown): KnownProfile => {
      const profile = sent.get(String(what));
      if (profile === undefined) throw new Error(`${what} was acknowledged but not sent`);
      return profile;
    };
    const note: Readonly<Record<string, (what: unknown) => void>> = {
      found: (what) => oracle.checkRestart(readStrings(what)),
      sent: (what) => {
        const profile = { texts: readStrings(what) };
        sent.set(profile.texts[0], profile);
        oracle.sent(profile);
      },
      acknowledged: (what) => {
        oracle.acknowledged(known(what));
        counts.acknowledged += 1;
      },
      compacted: () => void (counts.compacted += 1),
      deleting: (what) => oracle.beginDelete(({ texts: [text] }) => text.includes(`{${what}}@`)),
      deleted: () => {
        oracle.endDelete(true);
        counts.deleted += 1;
      },
    };
    // The last line may be unfinished.
    for (const line of fs.readFileSync(this.#reportPath, 'utf8').split('\n').slice(0, -1)) {
      const [kind, what]: [string, unknown] = JSON.parse(line);
      note[kind](what);
    }
  }
}

function readStrings(what: unknown): string[] {
  if (!Array.isArray(what)) throw new Error('not a list of texts');
  return what.map(String);
}
