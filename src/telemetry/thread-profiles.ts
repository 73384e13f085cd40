// CPU profiles of the worker threads, taken during a CPU profile of the process.
import type { Clock, Timer } from '../base/clock.ts';
import { threadProfilePollMillis, threadProfileReadMillisMax } from './limits.ts';
import { observeThreads, runningThreads } from '../base/threads/thread.ts';
import type { StackProfile } from './stack-profile.ts';
import { addThreadSamples, readCpuProfile, type V8CpuProfile } from './thread-samples.ts';

/** The part of a Thread that is needed to profile it. */
export interface ProfiledThread {
  readonly name: string;
  readonly performance: { eventLoopUtilization(): { readonly active: number } };
  /** Returns microseconds since the thread began; rejects if it has ended. */
  cpuUsage(): Promise<{ readonly user: number; readonly system: number }>;
  /** Starts a profile; rejects when the thread has ended. */
  startCpuProfile(): Promise<{ stop(): Promise<string> }>;
}

/** The known threads. */
export interface ThreadSource {
  running(): Iterable<ProfiledThread>;
  /**
   * Calls `onEnding` before a thread is ended, and waits for it. Returns a function that stops
   * observing.
   */
  observe(onEnding: (thread: ProfiledThread) => Promise<void>): () => void;
}

/** The threads of this process. */
export const workerThreads: ThreadSource = { running: runningThreads, observe: observeThreads };

/** Least active time in a poll that counts as work. */
const workMillisMin = 1;
/** Number of idle polls after which a thread is no longer sampled: each sample would wake it. */
const idlePollsMax = 20;

/**
 * Profiles all threads from its construction to its end.
 *
 * The CPU time of a thread comes from the system, so it is exact. The split by stack comes from
 * V8's profiler, which runs while the thread has work. Both work by interrupts from this thread:
 * the others have no code for it, and can be profiled while they compute or wait for long.
 */
export class ThreadProfiles {
  readonly #clock: Clock;
  readonly #source: ThreadSource;
  readonly #profiles = new Map<ProfiledThread, ThreadProfile>();
  readonly #unobserve: () => void;
  #timer: Timer | undefined;
  #isStopped = false;

  constructor(clock: Clock, source: ThreadSource) {
    this.#clock = clock;
    this.#source = source;
    for (const thread of source.running()) {
      this.#profiles.set(thread, new ThreadProfile(clock, thread, cpuMicros(thread)));
    }
    this.#unobserve = source.observe((thread) => this.#startProfile(thread).finish());
    this.#plan();
  }

  /**
   * Ends the profile, and adds the measured stacks to `profile`. Returns the CPU nanoseconds of all
   * threads.
   */
  async finish(projectFolder: string, periodNanos: number, profile: StackProfile): Promise<number> {
    this.cancel();
    let nanos = 0;
    for (const one of this.#profiles.values()) {
      await one.finish();
      nanos += one.samples.cpuNanos;
      addThreadSamples(one.samples, projectFolder, periodNanos, profile);
    }
    return nanos;
  }

  /** Ends the profile without a result. Idempotent. */
  cancel(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#unobserve();
    for (const one of this.#profiles.values()) void one.finish();
  }

  #plan(): void {
    this.#timer = this.#clock.setTimer(threadProfilePollMillis, () => {
      for (const thread of this.#source.running()) this.#startProfile(thread).poll();
      this.#plan();
    });
  }

  /** Returns the measurement of a thread; one that began later is measured from its start. */
  #startProfile(thread: ProfiledThread): ThreadProfile {
    const known = this.#profiles.get(thread);
    if (known !== undefined) return known;
    const made = new ThreadProfile(this.#clock, thread, Promise.resolve(0));
    this.#profiles.set(thread, made);
    return made;
  }
}

/** A measurement of one thread. */
class ThreadProfile {
  readonly samples: { readonly name: string; cpuNanos: number; profiles: V8CpuProfile[] };
  readonly #clock: Clock;
  readonly #thread: ProfiledThread;
  /** CPU time at the beginning. */
  readonly #begunMicros: Promise<number>;
  /** The profile that V8 takes now. */
  #sampling: ReturnType<ProfiledThread['startCpuProfile']> | undefined;
  /** Profiles that are being read. */
  #reading: Promise<void> = Promise.resolve();
  #lastActive: number;
  #idlePolls = 0;
  #finished: Promise<void> | undefined;

  constructor(clock: Clock, thread: ProfiledThread, begunMicros: Promise<number>) {
    this.samples = { name: thread.name, cpuNanos: 0, profiles: [] };
    this.#clock = clock;
    this.#thread = thread;
    this.#begunMicros = begunMicros;
    this.#lastActive = activeMillis(thread);
  }

  /** Starts sampling when the thread works, and stops when it is idle. */
  poll(): void {
    const active = activeMillis(this.#thread);
    const hasWorked = active - this.#lastActive >= workMillisMin;
    this.#lastActive = active;
    if (this.#finished !== undefined) return;
    this.#idlePolls = hasWorked ? 0 : this.#idlePolls + 1;
    if (hasWorked) {
      this.#sampling ??= this.#thread.startCpuProfile();
      // A thread may end before its profile begins, which then has no samples.
      this.#sampling.catch(() => undefined);
    } else if (this.#idlePolls === idlePollsMax) this.#readSampling();
  }

  /** Reads the samples. A thread that does not answer is left out; idempotent. */
  finish(): Promise<void> {
    this.#finished ??= this.#readAll();
    return this.#finished;
  }

  async #readAll(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = this.#clock.setTimer(threadProfileReadMillisMax, resolve);
    this.#readSampling();
    await Promise.race([Promise.all([this.#readCpuTime(), this.#reading]), late]);
    timer.cancel();
  }

  async #readCpuTime(): Promise<void> {
    const [begun, ended] = await Promise.all([this.#begunMicros, cpuMicros(this.#thread)]);
    this.samples.cpuNanos = Math.max(0, ended - begun) * 1_000;
  }

  #readSampling(): void {
    const sampling = this.#sampling;
    this.#sampling = undefined;
    if (sampling === undefined) return;
    const read = async (): Promise<void> => {
      try {
        this.samples.profiles.push(readCpuProfile(await (await sampling).stop()));
      } catch {
        // The thread has already ended, and its samples are lost.
      }
    };
    this.#reading = Promise.all([this.#reading, read()]).then(() => undefined);
  }
}

function activeMillis(thread: ProfiledThread): number {
  return thread.performance.eventLoopUtilization().active;
}

/** Returns the CPU time so far; 0 when the thread has ended. */
async function cpuMicros(thread: ProfiledThread): Promise<number> {
  const usage = await thread.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return usage.user + usage.system;
}
