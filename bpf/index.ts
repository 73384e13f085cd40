// Opens the native add-on: a sampler of all processes of the host.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { AppError, errorMessage } from '../src/base/errors.ts';
import { decodeBatch } from './decode-batch.ts';
import type { Sampler, SamplerOptions } from './sampler.ts';
import { samplingPeriodNanos } from './sampling-period.ts';

/** Exports of the add-on (src/node_api.rs). Its errors have a `code`, which is an `ErrorCode`. */
interface NativeModule {
  readonly NativeSampler: new (options: NativeOptions) => NativeSampler;
  demangle(name: string): string;
  limitCapabilities(kept: Uint32Array): void;
  confine(): void;
  /** Returns a descriptor, or -1. */
  openFileOfProcess(pid: number, path: string): number;
}

interface NativeOptions {
  readonly periodNanos: number;
  readonly tableBytesMax: number;
  readonly ringBytes: number;
  readonly waitingBytesMax: number;
  readonly pids: Uint32Array | undefined;
  readonly readsCgroups: boolean;
}

interface NativeSampler {
  /** Returns a batch in the format of `decodeBatch`. */
  take(): ArrayBuffer;
  leaveOut(pids: Uint32Array): void;
  leaveOutCgroups(ids: BigUint64Array): void;
  setPaused(isPaused: boolean): void;
  close(): void;
}

const addonPath = fileURLToPath(new URL('dist/bpf.node', import.meta.url));

/**
 * Starts sampling. Needs root, or CAP_BPF, CAP_PERFMON, CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH.
 *
 * Errors: 'unavailable' if the add-on is not built; 'failed-precondition' with the missing
 * capability or kernel feature; 'invalid-argument' for options out of range.
 */
export function openSampler(options: SamplerOptions): Sampler {
  const native = loadAddon();
  const { frequencyHz, tableBytesMax, ringBytes, waitingBytesMax } = options;
  const sizes = { tableBytesMax, ringBytes, waitingBytesMax };
  const sampler = callNative(
    () =>
      new native.NativeSampler({
        periodNanos: samplingPeriodNanos(frequencyHz),
        ...sizes,
        pids: options.pids && Uint32Array.from(options.pids),
        readsCgroups: options.readsCgroups ?? false,
      }),
  );
  let isOpen = true;
  return {
    take: () => {
      if (!isOpen) throw new AppError('failed-precondition', 'cannot take samples: it is closed');
      return decodeBatch(callNative(() => sampler.take()));
    },
    leaveOut: (pids) => {
      if (isOpen && pids.length > 0) sampler.leaveOut(Uint32Array.from(pids));
    },
    leaveOutCgroups: (ids) => {
      if (isOpen && ids.length > 0) sampler.leaveOutCgroups(BigUint64Array.from(ids));
    },
    setPaused: (isPaused) => {
      if (isOpen) sampler.setPaused(isPaused);
    },
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      sampler.close();
    },
  };
}

/** Returns a function that demangles C++ and Rust names. Errors: 'unavailable'. */
export function openDemangler(): (name: string) => string {
  const native = loadAddon();
  return (name) => callNative(() => native.demangle(name));
}

/**
 * Limits the capabilities of programs that this thread starts with exec to these numbers.
 *
 * Errors: 'unavailable' if the add-on is not built; 'failed-precondition' without CAP_SETPCAP.
 */
export function limitCapabilities(kept: readonly number[]): void {
  const native = loadAddon();
  callNative(() => native.limitCapabilities(Uint32Array.from(kept)));
}

/**
 * Permanently forbids all threads of this process to start programs, trace processes, load kernel
 * modules, or make other system calls that the agent never needs.
 *
 * Errors: 'unavailable' if the add-on is not built; 'failed-precondition' if the kernel does not
 * support filters of system calls.
 */
export function confine(): void {
  const native = loadAddon();
  callNative(() => native.confine());
}

/**
 * Returns a function that opens a regular file by its path as a process sees it. The process may be
 * in a container, and links cannot lead out of its root. The function returns a descriptor, which
 * the caller owns, or -1 if there is no such file.
 *
 * Errors: 'unavailable' if the add-on is not built.
 */
export function openFilesOfProcesses(): (pid: number, path: string) => number {
  const native = loadAddon();
  return (pid, path) => callNative(() => native.openFileOfProcess(pid, path));
}

function loadAddon(): NativeModule {
  try {
    return createRequire(import.meta.url)(addonPath);
  } catch (error) {
    // Node appends a "Require stack" to the message about a missing module.
    const isMissing = (error as { code?: unknown }).code === 'MODULE_NOT_FOUND';
    const why = isMissing ? 'it is not built' : errorMessage(error);
    throw new AppError(
      'unavailable',
      `cannot load the native add-on: ${why}; build it with "npm run build:native"`,
      { cause: error },
    );
  }
}

function callNative<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    const isMissing = code === 'failed-precondition' || code === 'invalid-argument';
    throw new AppError(isMissing ? code : 'internal', errorMessage(error), { cause: error });
  }
}
