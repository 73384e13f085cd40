// Takes profiles of this process with @datadog/pprof.
import type * as Pprof from '@datadog/pprof';
import { sleep, type Clock, type Timer } from '../base/clock.ts';
import { AppError, errorMessage } from '../base/errors.ts';
import { cutAgeMillisPerSecond, selfProfilerIdleMillis } from './limits.ts';
import { gzip } from '../base/threads/zlib.ts';
import { beginWork, endWork } from '../base/work.ts';
import { addCpuSlice, addHeapSamples, addOtherThreads } from './self-profile-samples.ts';
import { StackProfile } from './stack-profile.ts';
import { ThreadProfiles, workerThreads, type ThreadSource } from './thread-profiles.ts';

/** Time between two CPU samples. This gives 100 samples a second, as in Go's CPU profiler. */
const cpuIntervalMicros = 10_000;
const cpuPeriodNanos = cpuIntervalMicros * 1_000;
/**
 * Average number of allocated bytes between two samples of the heap. It is the default of V8 and of
 * Go.
 */
const heapIntervalBytes = 512 * 1024;
const heapStackDepthMax = 64;
/** Name under which the log of long turns reports a start of the sampler. */
export const samplerStart = "start of V8's CPU sampler";

type PprofModule = typeof Pprof;

/** A running CPU profile. */
interface CpuSession {
  readonly profile: StackProfile;
  /** CPU time of all threads except the main one. */
  otherNanos: number;
}

/**
 * Takes CPU and heap profiles of the process.
 *
 * CPU profiles may overlap, so they share one sampler. The sampler's output is cut into slices
 * whenever a profile starts or ends, and each slice is added to all running profiles.
 *
 * The sampler continues for a while after the last profile, because a server is usually profiled
 * every ten seconds. Each start of the sampler blocks the main thread for a tenth of a second; a
 * cut takes a tenth of that. A profile that starts shortly after a cut begins with that cut and
 * makes none itself, as is usual with regular scrapes.
 */
export class SelfProfiler {
  readonly #clock: Clock;
  /** Folder of this project's sources; file names are shown relative to it. */
  readonly #projectFolder: string;
  readonly #threads: ThreadSource;
  readonly #sessions = new Set<CpuSession>();
  #pprof: Promise<PprofModule> | undefined;
  #isHeapStarted = false;
  /** Time of the last cut, by the monotonic clock and by the wall clock. */
  #cutMillis = -Infinity;
  #cutNanos = 0n;
  /** Timer that stops the sampler when there was no profile for a while. */
  #idle: Timer | undefined;
  readonly #stopping = new AbortController();

  constructor(clock: Clock, projectFolder: string, threads: ThreadSource = workerThreads) {
    this.#clock = clock;
    this.#threads = threads;
    this.#projectFolder = projectFolder;
  }

  /**
   * Returns the CPU time that each stack used during `seconds`, as gzipped pprof with the sample
   * types samples/count and cpu/nanoseconds. Stacks of worker threads are below a root frame with
   * the thread's name.
   *
   * Errors: AppError 'unimplemented' if the native profiler cannot be loaded; the reason of
   * `signal` if it is aborted.
   */
  async cpu(seconds: number, signal: AbortSignal): Promise<Uint8Array> {
    const pprof = await this.#load();
    if (!pprof.time.isStarted()) await sleep(this.#clock, 0, signal);
    const session: CpuSession = { profile: new StackProfile(), otherNanos: 0 };
    this.#idle?.cancel();
    const sinceCut = this.#clock.monotonicMillis() - this.#cutMillis;
    if (!pprof.time.isStarted() || sinceCut > seconds * cutAgeMillisPerSecond) this.#cut(pprof);
    this.#sessions.add(session);
    const timeNanos = this.#cutNanos;
    const threads = new ThreadProfiles(this.#clock, this.#threads);
    try {
      const either = AbortSignal.any([signal, this.#stopping.signal]);
      await sleep(this.#clock, seconds * 1000, either);
      this.#cut(pprof);
    } catch (error) {
      threads.cancel();
      throw error;
    } finally {
      this.#sessions.delete(session);
      if (this.#sessions.size === 0) this.#stopLater(pprof);
    }
    const { profile } = session;
    const durationNanos = this.#cutNanos - timeNanos;
    const threadNanos = await threads.finish(this.#projectFolder, cpuPeriodNanos, profile);
    addOtherThreads(session.otherNanos - threadNanos, profile);
    const bytes = profile.encode({
      sampleTypes: [
        { type: 'samples', unit: 'count' },
        { type: 'cpu', unit: 'nanoseconds' },
      ],
      periodType: { type: 'cpu', unit: 'nanoseconds' },
      period: BigInt(cpuPeriodNanos),
      timeNanos,
      durationNanos,
    });
    return gzip(bytes);
  }

  /**
   * Starts the sampler in advance, so that the first profile does not have to wait for the start.
   * Does nothing if the native profiler cannot be loaded.
   */
  async warmUp(): Promise<void> {
    const pprof = await this.#load().catch(() => undefined);
    // The start and the first cut take a tenth of a second each, so they happen in different turns
    // of the event loop.
    for (let cut = 0; cut < 2; cut += 1) {
      await sleep(this.#clock, 0);
      if (pprof === undefined || this.#stopping.signal.aborted || this.#sessions.size > 0) return;
      this.#cut(pprof);
      this.#stopLater(pprof);
    }
  }

  /**
   * Returns the memory that is in use, by the stack that allocated it. The memory is sampled. The
   * result is gzipped pprof with the sample types inuse_objects/count and inuse_space/bytes. Memory
   * that was allocated before the first call is not included.
   *
   * Errors: AppError 'unimplemented' if the native profiler cannot be loaded.
   */
  async heap(): Promise<Uint8Array> {
    const pprof = await this.#load();
    if (!this.#isHeapStarted) pprof.heap.start(heapIntervalBytes, heapStackDepthMax);
    this.#isHeapStarted = true;
    const profile = new StackProfile();
    addHeapSamples(pprof.heap.profile(), this.#projectFolder, profile);
    const bytes = profile.encode({
      sampleTypes: [
        { type: 'inuse_objects', unit: 'count' },
        { type: 'inuse_space', unit: 'bytes' },
      ],
      periodType: { type: 'space', unit: 'bytes' },
      period: BigInt(heapIntervalBytes),
      timeNanos: this.#clock.nowNanos(),
    });
    return gzip(bytes);
  }

  /** Ends all CPU profiles that are running; they reject with 'unavailable'. */
  stop(): void {
    this.#stopping.abort(new AppError('unavailable', 'cannot profile: the server stops'));
  }

  #stopLater(pprof: PprofModule): void {
    this.#idle?.cancel();
    const millis = this.#stopping.signal.aborted ? 0 : selfProfilerIdleMillis;
    this.#idle = this.#clock.setTimer(millis, () => {
      if (this.#sessions.size === 0 && pprof.time.isStarted()) pprof.time.stop();
    });
  }

  /** Ends the current slice, adds it to all running profiles, and begins the next slice. */
  #cut(pprof: PprofModule): void {
    this.#cutMillis = this.#clock.monotonicMillis();
    this.#cutNanos = this.#clock.nowNanos();
    if (!pprof.time.isStarted()) {
      // The log of long turns names this start, because it blocks the main thread: V8 walks its
      // heap to find functions, which takes 90 ms on an idle server and 450 ms on a server with 300
      // MB of objects.
      const work = beginWork(() => samplerStart);
      // The profiler measures CPU time only if contexts are enabled.
      pprof.time.start({
        intervalMicros: cpuIntervalMicros,
        withContexts: true,
        collectCpuTime: true,
      });
      endWork(work);
      return;
    }
    const slice = pprof.time.stop(true, () => ({}));
    for (const session of this.#sessions) {
      session.otherNanos += addCpuSlice(slice, this.#projectFolder, session.profile);
    }
  }

  /** Loads the native module when the first profile starts. */
  async #load(): Promise<PprofModule> {
    try {
      this.#pprof ??= import('@datadog/pprof');
      return await this.#pprof;
    } catch (error) {
      throw new AppError(
        'unimplemented',
        `cannot profile this process: the native profiler does not load: ${errorMessage(error)}`,
        { cause: error },
      );
    }
  }
}
