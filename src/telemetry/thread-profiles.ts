// Takes CPU profiles of worker threads while a CPU profile of the process is taken.
import type { Clock, Timer } from '../base/clock.ts';
import { threadProfilePollMillis, threadProfileReadMillisMax } from './limits.ts';
import { observeThreads, runningThreads } from '../base/threads/thread.ts';
import type { StackProfile } from './stack-profile.ts';
import { addThreadSamples, readCpuProfile, type V8CpuProfile } from './thread-samples.ts';

/** The methods of Thread that are needed to profile a thread. */
export interface ProfiledThread {
  readonly name: string;
  readonly performance: { eventLoopUtilization(): { readonly active: number } };
  /**
   * Returns the thread's CPU time since its start, in microseconds. Rejects if the thread has
   * ended.
   */
  cpuUsage(): Promise<{ readonly user: number; readonly system: number }>;
  /** Starts a CPU profile of the thread. Rejects if the thread has ended. */
  startCpuProfile(): Promise<{ stop(): Promise<string> }>;
}

/** All known threads. */
export interface ThreadSource {
  running(): Iterable<ProfiledThread>;
  /**
   * Calls `onEnding` when a thread is about to end. The thread ends after the promise is settled.
   * Returns a function that removes the callback.
   */
  observe(onEnding: (thread: ProfiledThread) => Promise<void>): () => void;
}

/** Worker threads of this process. */
export const workerThreads: ThreadSource = { running: runningThreads, observe: observeThreads };

/** A thread counts as working if it was active for at least this time since the last poll. */
const workMillisMin = 1;
/**
 * Maximum number of idle polls in a row after which a thread is no longer sampled, because each
 * sample would wake it.
 */
const idlePollsMax = 20;

/**
 * Profiles all worker threads from the construction of the object to the call to `finish`.
 *
 * The CPU time of a thread is exact, because it comes from the operating system. V8's profiler,
 * which runs while the thread works, shows how the time is split by stack. The main thread controls
 * both from outside, so a thread can be profiled during a long computation or a long wait.
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
   * Ends the profiles, and adds their stacks to `profile`. Returns the CPU time of all worker
   * threads in nanoseconds.
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

  /** Ends the profiles without a result; idempotent. */
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

  /** Returns the profile of a thread; starts it if there is none. */
  #startProfile(thread: ProfiledThread): ThreadProfile {
    const known = this.#profiles.get(thread);
    if (known !== undefined) return known;
    const made = new ThreadProfile(this.#clock, thread, Promise.resolve(0));
    this.#profiles.set(thread, made);
    return made;
  }
}

/** Profile of one thread. */
class ThreadProfile {
  readonly samples: { readonly name: string; cpuNanos: number; profiles: V8CpuProfile[] };
  readonly #clock: Clock;
  readonly #thread: ProfiledThread;
  /** The thread's CPU time when the profile began, in microseconds. */
  readonly #begunMicros: Promise<number>;
  /** The profile that V8 is taking now, if any. */
  #sampling: ReturnType<ProfiledThread['startCpuProfile']> | undefined;
  /** Settled when all profiles that V8 has ended are read. */
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

  /**
   * Starts sampling if the thread has worked since the last poll. Stops sampling after
   * `idlePollsMax` idle polls.
   */
  poll(): void {
    const active = activeMillis(this.#thread);
    const hasWorked = active - this.#lastActive >= workMillisMin;
    this.#lastActive = active;
    if (this.#finished !== undefined) return;
    this.#idlePolls = hasWorked ? 0 : this.#idlePolls + 1;
    if (hasWorked) {
      this.#sampling ??= this.#thread.startCpuProfile();
      // The thread may end before V8's profile starts.
      this.#sampling.catch(() => undefined);
    } else if (this.#idlePolls === idlePollsMax) this.#readSampling();
  }

  /** Reads the samples. Leaves the thread out if it does not answer; idempotent. */
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
        // The thread has ended, so its samples are lost.
      }
    };
    this.#reading = Promise.all([this.#reading, read()]).then(() => undefined);
  }
}

function activeMillis(thread: ProfiledThread): number {
  return thread.performance.eventLoopUtilization().active;
}

/** Returns the thread's CPU time so far, in microseconds; 0 if the thread has ended. */
async function cpuMicros(thread: ProfiledThread): Promise<number> {
  const usage = await thread.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return usage.user + usage.system;
}
