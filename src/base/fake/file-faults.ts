// Injects faults into the memory file system: makes calls fail by type or by number, and records
// calls.
import { AppError } from '../errors.ts';

/** Calls that change something; the power may fail at any of them. */
const changingCalls = [
  'create',
  'append',
  'rewrite',
  'sync',
  'truncate',
  'rename',
  'remove',
  'link',
  'sync-directory',
  'make-directory',
] as const;
const readingCalls = ['open', 'read', 'size', 'list', 'exists', 'free-bytes'] as const;

/** Every call that can fail. */
export type FileCall = (typeof changingCalls)[number] | (typeof readingCalls)[number];

const changing: ReadonlySet<FileCall> = new Set(changingCalls);

export type Errno = 'ENOSPC' | 'EIO';

/** A kind of call that fails, and the way in which it fails. */
export interface Fault {
  readonly call: FileCall;
  /** Number of such calls that still succeed; 0 = the next one fails. */
  readonly skip: number;
  /** Number of successive calls that fail; Infinity until `clear`. */
  readonly times: number;
  readonly errno: Errno;
  /**
   * Number of further write calls, of any kind, that fail after the first failure, as when a disk
   * becomes read-only.
   */
  readonly followers?: number;
}

/** One call that was made. */
export interface CallRecord {
  readonly call: FileCall;
  readonly path: string;
}

export function changesFiles(call: FileCall): boolean {
  return changing.has(call);
}

/** The faults that a test has configured for a file system. */
export class FileFaults {
  #faults: { fault: Fault; seen: number; failed: number }[] = [];
  #numbered: { number: number; end: number; errno: Errno } | undefined;
  #followersLeft = 0;
  #record: CallRecord[] | undefined;
  /** Number of calls so far. */
  callCount = 0;
  /** Number of calls that failed. */
  failedCount = 0;

  /** Makes calls of one kind fail. Each fault counts its calls separately. */
  add(fault: Fault): void {
    this.#faults.push({ fault, seen: 0, failed: 0 });
  }

  /** Makes `times` calls of any kind fail, after `skip` calls that succeed. */
  addNumbered(fault: Omit<Fault, 'call'>): void {
    const number = this.callCount + fault.skip;
    this.#numbered = { number, end: number + fault.times, errno: fault.errno };
  }

  clear(): void {
    this.#faults = [];
    this.#numbered = undefined;
    this.#followersLeft = 0;
  }

  /** Records every call from now on in the returned list. */
  startRecording(): readonly CallRecord[] {
    this.#record = [];
    return this.#record;
  }

  /**
   * Counts a call.
   *
   * Errors: if the call is to fail, the same AppError as in the real file system.
   */
  check(call: FileCall, path: string): void {
    const number = this.callCount;
    this.callCount += 1;
    this.#record?.push({ call, path });
    const errno = this.#numberedErrno(number) ?? this.#chooseErrno(call);
    if (errno === undefined) return;
    this.failedCount += 1;
    const code = errno === 'ENOSPC' ? 'resource-exhausted' : 'unavailable';
    throw new AppError(code, `cannot ${call} ${path}: ${errno} (injected)`);
  }

  #numberedErrno(number: number): Errno | undefined {
    const numbered = this.#numbered;
    const isHit = numbered && number >= numbered.number && number < numbered.end;
    return isHit ? numbered.errno : undefined;
  }

  #chooseErrno(call: FileCall): Errno | undefined {
    if (this.#followersLeft > 0 && changesFiles(call)) {
      this.#followersLeft -= 1;
      return 'EIO';
    }
    for (const entry of this.#faults) {
      const { fault } = entry;
      if (fault.call !== call) continue;
      entry.seen += 1;
      if (entry.seen <= fault.skip || entry.failed >= fault.times) continue;
      if (entry.failed === 0) this.#followersLeft += fault.followers ?? 0;
      entry.failed += 1;
      return fault.errno;
    }
    return undefined;
  }
}
