// Settings of V8 and of the C library that keep a server's memory small. They must be set before
// other modules are loaded.
import { totalmem } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Returns the memory that the process may use, in bytes: the memory of the machine or of its
 * control group.
 */
export function memoryOfMachine(): number {
  // The value is 0, or more than the machine has, if no control group has a limit.
  const ofGroup = process.constrainedMemory();
  return ofGroup > 0 ? Math.min(ofGroup, totalmem()) : totalmem();
}

/** Variables that glibc's allocator reads when a process begins; other C libraries ignore them. */
const allocatorSettings = {
  // With a pool for each thread, all memory that a thread ever used for uploads, reports or merges
  // would stay allocated.
  MALLOC_ARENA_MAX: '2',
  // Allocations of this size get separate pages, which are returned to the system when they are
  // freed. Smaller allocations leave holes in pages that are not returned. By default, the first
  // free of a large allocation raises the limit, up to 32 MiB. Node reads sockets in chunks of 64
  // KiB: with a higher limit, holes of 50 to 160 MB stayed after large bodies. A push takes 0.93 to
  // 1.05 of the CPU time that it took with 512 KiB.
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

/** Environment variables that are read when a process starts. */
export type BeginSettings = Readonly<Record<string, string>>;

/** Returns the variables for the allocator; none if the environment already sets one of them. */
export function smallAllocator(environment: NodeJS.ProcessEnv = process.env): BeginSettings {
  const isChosen = Object.keys(allocatorSettings).some((name) => environment[name] !== undefined);
  return isChosen || process.platform !== 'linux' ? {} : allocatorSettings;
}

/**
 * Flag that makes V8's young generation start with 4 MiB instead of 1 MiB. Most objects of a server
 * die within milliseconds, so a quarter as many collections are enough.
 */
export const semiSpaceFlag = '--min-semi-space-size=4';

/**
 * Restarts the process, with the same process id, with these settings and Node `flags`, unless it
 * already has these settings.
 */
export function beginWith(settings: BeginSettings, flags: readonly string[] = []): void {
  const { env, execPath, execArgv, argv } = process;
  const isSet = Object.keys(settings).every((name) => env[name] !== undefined);
  if (isSet || process.execve === undefined) return;
  const environment = { ...settings, ...env };
  process.execve(execPath, [execPath, ...flags, ...execArgv, ...argv.slice(1)], environment);
}

/** Makes V8 collect young objects earlier, also in threads that are started later. */
export function keepSemiSpaceSmall(): void {
  // V8's young generation grows to two halves of 32 MB. Objects of uploads die young, but their
  // memory outside of the heap is not released until a collection: after 10,000 uploads the process
  // had 360-400 MB, and 230-265 MB with this flag, for the same CPU time.
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Makes V8 collect old objects earlier, too. Called once the program is loaded, because its code
 * stays in memory anyway.
 */
export function collectEarly(): void {
  // V8 lets a small heap grow to four times its live objects. Rows, indexes and pages of blocks are
  // outside of the heap, and take most of a server's memory. Only a collection releases them.
  setFlagsFromString('--heap-growing-percent=100');
}

/**
 * Returns a function that runs a garbage collection of this thread once its arrays, or the result
 * of `measure`, have grown by `bytesMax` since the last collection. It is for threads with large
 * arrays that can afford a few milliseconds; a heap of a few megabytes takes five.
 *
 * The argument of the returned function is the total size of the arrays that were sent to the
 * thread, in bytes. V8 counts arrays, shared or not, only in the thread that made them.
 */
export function createCollector(
  bytesMax: number,
  measure: () => number = arrayBytes,
): (receivedBytes: number) => void {
  const collect = exposeCollector();
  let kept = 0;
  return (receivedBytes) => {
    if (measure() + receivedBytes - kept < bytesMax) return;
    collect();
    kept = measure() + receivedBytes;
  };
}

function arrayBytes(): number {
  return process.memoryUsage().arrayBuffers;
}

/** Returns the bytes of all objects of this thread and of their arrays, including dead ones. */
export function objectBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/**
 * Returns a function like that of `createCollector`, which counts only received bytes. It is for
 * threads that rarely run but then loop for a long time: each collection makes V8 drop the compiled
 * code of their loops. When arrays made in the thread counted as well, a report took 1.2 to 1.3
 * times the CPU time. V8 itself counts those arrays.
 */
export function createReceiptCollector(bytesMax: number): (receivedBytes: number) => void {
  const collect = exposeCollector();
  let collectedBytes = 0;
  return (receivedBytes) => {
    if (receivedBytes - collectedBytes < bytesMax) return;
    collect();
    collectedBytes = receivedBytes;
  };
}

/**
 * Returns a function that runs a garbage collection if the objects of this thread and their arrays
 * have grown by `bytesMax` since the last collection. It is for idle threads.
 */
export function createIdleCollector(bytesMax: number): () => void {
  const collect = createCollector(bytesMax, objectBytes);
  return () => collect(0);
}

/**
 * Returns V8's garbage collector. There is no other way to get it in a process that was started
 * without --expose-gc. V8 frees arrays in the background and updates its count of their bytes only
 * when the next collection begins, so a small collection follows.
 */
function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;
  return () => {
    collect();
    collect({ type: 'minor' });
  };
}
