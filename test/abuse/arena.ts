// Runs a server in a box with limited memory, next to a normal client, and attacks the server.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, ServerNeeds } from './attack.ts';
import type { AttackerNews, AttackerOrder } from './attacker.ts';
import { type Box, openBox } from './box.ts';
import { type Contender, cpuMillis, type Kind, startContender } from './contender.ts';
import { fill } from './fill.ts';
import type { Phase, ProberOrder } from './prober.ts';

export const boxBytes = 1 << 30;
/** Fraction by which memory may have grown after an attack. */
const growthMax = 0.2;
/** Limits of the time to prepare an attack, and of the time to stop it. */
const prepareMillisMax = 180_000;
const endMillisMax = 5_000;

/** Durations of the phases of a trial. */
export interface Pace {
  readonly baselineMillis: number;
  readonly attackMillis: number;
  /** Longest wait for memory to shrink to its size before the attack; 0 = no wait. */
  readonly settleMillis: number;
  readonly fillRounds: number;
}

/** Measurements of an attack until it ends. */
export interface Attacked {
  readonly attack: string;
  readonly kind: Kind;
  readonly baseline: Phase;
  readonly under: Phase;
  /** Resident bytes before the attack. */
  readonly before: number;
  /** Seconds of CPU time of the server per second of the attack. */
  readonly cores: number;
  /** Number of processes that the kernel had killed before the attack. */
  readonly kills: number;
  readonly answers: readonly (readonly [string, number])[];
}

/** Measurements of an attack, and of the wait for memory after it. */
export interface Trial {
  readonly attack: string;
  readonly kind: Kind;
  readonly baseline: Phase;
  readonly under: Phase;
  /** Resident bytes before the attack, at the peak, and at the end. */
  readonly before: number;
  readonly peak: number;
  readonly after: number;
  readonly settledMillis: number;
  readonly isSettled: boolean;
  /** Reason why the server has ended; undefined if it is still running. */
  readonly ended: string | undefined;
  readonly kills: number;
  readonly answers: readonly (readonly [string, number])[];
  /** Seconds of CPU time of the server per second of the attack. */
  readonly cores: number;
}

/** Settings of all servers of a run. */
export interface Ground {
  readonly kind: Kind;
  readonly program: string;
  readonly folder: string;
  /**
   * Filled data directory that is copied for each server; if undefined, each server is filled after
   * its start.
   */
  readonly filled: string | undefined;
}

export class Arena {
  readonly contender: Contender;
  readonly box: Box;
  readonly #prober: ChildProcess;
  #attacker: ChildProcess | undefined;
  #baseline: Phase | undefined;

  private constructor(contender: Contender, box: Box) {
    this.contender = contender;
    this.box = box;
    this.#prober = fork(new URL('prober.ts', import.meta.url));
    const { kind, pid, target, hasPasswords } = contender;
    const order: ProberOrder = { kind, pid, port: target.port, hasPasswords };
    this.#prober.send(order);
  }

  /** Starts a server that already holds profiles. */
  static async open(ground: Ground, needs: ServerNeeds, rounds: number): Promise<Arena> {
    const { kind, program, folder, filled } = ground;
    const box = openBox(boxBytes);
    if (filled !== undefined) await cp(filled, join(folder, 'data'), { recursive: true });
    const contender = await startContender({ kind, program, folder, box, needs });
    if (filled === undefined && (kind === 'ours' || kind === 'parca')) {
      await fill(contender.target, rounds);
    }
    return new Arena(contender, box);
  }

  /**
   * Stops the server gracefully, which cuts its head, or kills it; resolves to false if it was
   * killed.
   */
  async close(how: 'stop' | 'kill' = 'stop'): Promise<boolean> {
    this.#attacker?.kill('SIGKILL');
    this.#prober.kill('SIGKILL');
    const isStopped = await (how === 'stop' ? this.contender.stop() : this.contender.kill());
    // Kernel threads may take a moment to leave the group.
    for (let i = 0; i < 50 && this.box.pids().length > 0; i += 1) await sleep(20);
    this.box.remove();
    return isStopped;
  }

  /** Measures how the server responds before the attacks. */
  async rest(millis: number): Promise<void> {
    await this.#phase();
    await sleep(millis);
    this.#baseline = await this.#phase();
  }

  /** Attacks the running server, and waits until its memory has shrunk. */
  async try(attack: Attack, pace: Pace): Promise<Trial> {
    return this.settle(await this.attack(attack, pace), pace.settleMillis);
  }

  /** Attacks the running server; `settle` completes the measurements. */
  async attack(attack: Attack, pace: Pace): Promise<Attacked> {
    this.#attacker ??= fork(new URL('attacker.ts', import.meta.url));
    const attacker = this.#attacker;
    await this.#prepare(attacker, attack);
    if (pace.baselineMillis > 0 || this.#baseline === undefined) {
      await this.rest(pace.baselineMillis);
    }
    const baseline = this.#baseline ?? (await this.#phase());
    const before = this.contender.residentBytes();
    this.contender.takePeak();
    const kills = this.box.kills();
    const cpu = cpuMillis(this.contender.pid);
    const started = performance.now();
    const order: AttackerOrder = { millis: pace.attackMillis };
    attacker.send(order);
    const news = (await next(attacker, pace.attackMillis + endMillisMax)) as AttackerNews;
    if ('failed' in news) throw new Error(`attack ${attack.name}: ${news.failed}`);
    if (!('answers' in news)) throw new Error(`attack ${attack.name}: ${JSON.stringify(news)}`);
    const cores = (cpuMillis(this.contender.pid) - cpu) / (performance.now() - started);
    if (news.answers === endless || pace.settleMillis > 0) {
      attacker.kill('SIGKILL');
      this.#attacker = undefined;
    }
    const under = await this.#phase();
    const { name } = attack;
    const { kind } = this.contender;
    return { attack: name, kind, baseline, under, before, cores, kills, answers: news.answers };
  }

  /**
   * Waits up to `millisMax` for memory to shrink. If it waits, it first stops the normal client, so
   * that other servers can be attacked meanwhile.
   */
  async settle(attacked: Attacked, millisMax: number): Promise<Trial> {
    if (millisMax > 0) this.#prober.kill('SIGKILL');
    const { attack, kind, baseline, under, before, cores, answers } = attacked;
    const started = performance.now();
    const limit = before * (1 + growthMax);
    let after = this.contender.residentBytes();
    const isOver = (): boolean =>
      this.contender.ended() !== undefined || performance.now() - started >= millisMax;
    while (after > limit && !isOver()) {
      await sleep(250);
      after = this.contender.residentBytes();
    }
    return {
      attack,
      kind,
      baseline,
      under,
      before,
      cores,
      after,
      settledMillis: performance.now() - started,
      isSettled: after <= limit || millisMax === 0,
      peak: this.contender.takePeak(),
      ended: this.contender.ended(),
      kills: this.box.kills() - attacked.kills,
      answers,
    };
  }

  async #prepare(attacker: ChildProcess, { name, door }: Attack): Promise<void> {
    const order: AttackerOrder = { name, door, target: this.contender.target };
    attacker.send(order);
    const news = (await next(attacker, prepareMillisMax)) as AttackerNews;
    if (!('prepared' in news)) throw new Error(`${name} is not prepared: ${JSON.stringify(news)}`);
  }

  /** Ends a phase of the normal client; resolves when all of its requests are answered. */
  async #phase(): Promise<Phase> {
    const over: ProberOrder = { over: true };
    this.#prober.send(over);
    return (await next(this.#prober, 60_000)) as Phase;
  }
}

/** Answers to record for an attacker that did not end in time. */
const endless: readonly (readonly [string, number])[] = [['the attacker did not end', 1]];

/** Resolves to the next message of a child process. */
async function next(child: ChildProcess, millisMax: number): Promise<unknown> {
  const tooLate = new AbortController();
  const timer = setTimeout(() => tooLate.abort(), millisMax);
  try {
    const [message] = (await Promise.race([
      once(child, 'message', { signal: tooLate.signal }),
      once(child, 'exit', { signal: tooLate.signal }).then(([code]) => {
        throw new Error(`the process ended: ${String(code)}`);
      }),
    ])) as [unknown];
    return message;
  } catch (error) {
    if (tooLate.signal.aborted) return { answers: endless };
    throw error;
  } finally {
    clearTimeout(timer);
    // Removes the listeners of the event that did not occur.
    tooLate.abort();
  }
}

/** Fills a data directory from which our servers can start, and returns its path. */
export async function fillFolder(folder: string, rounds: number): Promise<string> {
  const box = openBox(2 ** 32);
  const start = { kind: 'ours', program: '', folder, box, needs: {} } as const;
  const contender = await startContender(start);
  await fill(contender.target, rounds);
  await contender.stop();
  box.remove();
  return join(folder, 'data');
}
