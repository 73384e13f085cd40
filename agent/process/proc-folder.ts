// User and environment of a process, which the sampler does not report. They are unavailable after
// the process has ended.
import { closeSync, constants, openSync, readlinkSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { procFileBytesMax } from '../limits.ts';

/** Errors that mean that the process has ended, or that its files may not be read. */
const absent = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENOTDIR', 'EINVAL']);

/** The proc file system, mounted at `path`. */
export class ProcFolder {
  readonly path: string;

  constructor(path = '/proc') {
    this.path = path;
  }

  /** Returns the effective user of a process. */
  userId(pid: number): number | undefined {
    const match = /^Uid:\s+\d+\s+(\d+)/m.exec(this.#text(pid, 'status') ?? '');
    return match === null ? undefined : Number(match[1]);
  }

  /** Returns those environment variables in `names` that the process was started with. */
  environment(pid: number, names: readonly string[]): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    if (names.length === 0) return found;
    for (const pair of (this.#text(pid, 'environ') ?? '').split('\0')) {
      const at = pair.indexOf('=');
      const name = pair.slice(0, at);
      if (at > 0 && names.includes(name)) found.set(name, pair.slice(at + 1));
    }
    return found;
  }

  /** Returns the working directory from the view of the process; "" if unknown. */
  workingFolder(pid: number): string {
    try {
      return readlinkSync(this.file(pid, 'cwd'));
    } catch {
      return '';
    }
  }

  /** Returns the path of a file in /proc/PID. */
  file(pid: number, name: string): string {
    return join(this.path, String(pid), name);
  }

  /** Returns the content of a file in /proc/PID, truncated to a limit. */
  #text(pid: number, name: string): string | undefined {
    try {
      return readStart(this.file(pid, name), procFileBytesMax).toString('utf8');
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (absent.has(code)) return undefined;
      throw error;
    }
  }
}

/** Reads the first `bytesMax` bytes of a file with unknown size, such as a file in /proc. */
export function readStart(path: string, bytesMax: number): Buffer {
  const descriptor = openSync(path, constants.O_RDONLY);
  try {
    let bytes = Buffer.alloc(Math.min(4_096, bytesMax));
    let length = 0;
    for (;;) {
      const count = readSync(descriptor, bytes, length, bytes.length - length, null);
      length += count;
      if (count === 0 || length === bytesMax) return bytes.subarray(0, length);
      if (length === bytes.length) {
        const larger = Buffer.alloc(Math.min(bytes.length * 4, bytesMax));
        bytes.copy(larger);
        bytes = larger;
      }
    }
  } finally {
    closeSync(descriptor);
  }
}
