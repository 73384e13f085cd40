// Settings of V8 and of the C library that keep a server small; made before anything is loaded.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Variables that glibc's allocator reads when a process begins; other C libraries ignore them. */
const allocatorSettings = {
  // A pool for each thread would keep what its thread once took: uploads, reports, merges.
  MALLOC_ARENA_MAX: '2',
  // Larger arrays have pages of their own, which go back to the system at once. By default the
  // first one that is freed raises the limit up to 32 MiB, and holes stay between smaller ones.
  MALLOC_MMAP_THRESHOLD_: '524288',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

/** Variables of the environment, which are read when a process begins. */
export type BeginSettings = Readonly<Record<string, string>>;

/** Returns the allocator's variables; none when whoever started the process has set one. */
export function smallAllocator(): BeginSettings {
  const isChosen = Object.keys(allocatorSettings).some((name) => process.env[name] !== undefined);
  return isChosen || process.platform !== 'linux' ? {} : allocatorSettings;
}

/**
 * Flag by which the young generation of V8 has room for 4 MiB from the start, not 1: objects of a
 * server die within milliseconds, and a fourth of the collections finds no more of them alive.
 */
export const roomForYoungObjects = '--min-semi-space-size=4';

/**
 * Begins the process again, under the same number, with these settings and `flags` of Node, unless
 * it was begun with these settings.
 */
export function beginWith(settings: BeginSettings, flags: readonly string[] = []): void {
  const { env, execPath, execArgv, argv } = process;
  const isSet = Object.keys(settings).every((name) => env[name] !== undefined);
  if (isSet || process.execve === undefined) return;
  const environment = { ...settings, ...env };
  process.execve(execPath, [execPath, ...flags, ...execArgv, ...argv.slice(1)], environment);
}

/** Has V8 collect young objects earlier than it would; in threads that are started later, too. */
export function keepYoungSmall(): void {
  // An upload's objects die young. V8's young generation grows to 32 MB twice over all the same,
  // and what hangs on its dead objects outside of the heap is not given back for as long: after
  // 10,000 uploads the process was 360-400 MB large, 230-265 with this, at the same CPU time.
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Has V8 collect old objects earlier, too; called when the program is loaded, of which all stays. */
export function collectEarly(): void {
  // V8 lets a small heap grow to four times what lives in it. Rows, indexes and what was read of
  // blocks lie outside of it and are most of a server's memory; dead ones go with a collection.
  setFlagsFromString('--heap-growing-percent=100');
}

/**
 * A function that collects what is dead in this thread, once its arrays, or what `measure` counts,
 * take `bytesMax` more than after the last time. For threads that have large arrays and do not mind
 * some milliseconds: a heap of a few megabytes takes five.
 *
 * It is told how many bytes of arrays the thread has been sent in all: those, shared or not, count
 * where they were made, and V8 thinks that they cost nothing here.
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

/** Bytes of all objects of this thread and of their arrays, dead ones included. */
export function objectBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/**
 * The same by what the thread has been sent alone. For threads whose functions loop for long and
 * are called seldom: V8 drops what it has compiled of their loops with every collection. A report
 * took 1.2 to 1.3 times the CPU when the arrays made in the thread counted, too; V8 sees these.
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

/** The only way to V8's collector in a process that was started without the flag. */
function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}
