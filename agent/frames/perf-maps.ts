// Perf maps of processes, read from their own file systems, and read again when they have grown.
import { lstatSync } from 'node:fs';
import type { SampledProcess } from '../../bpf/sampler.ts';
import { processKey } from './process-key.ts';
import type { Clock } from '../../src/base/clock.ts';
import { LeastRecent } from '../../src/base/least-recent.ts';
import { type OpenFile, openRegularFile } from '../files/open-file.ts';
import {
  perfMapBytesMax,
  perfMapRereadMillis,
  perfMapSymbolsLeast,
  perfMapsSymbolsMax,
} from '../limits.ts';
import type { ProcFolder } from '../process/proc-folder.ts';
import { type JitSymbol, PerfMap } from './perf-map.ts';
import { ReadingBudget } from './reading-budget.ts';

/** The part of a map that has been read. */
interface ReadMap {
  readonly map: PerfMap;
  /** Number of bytes read. */
  bytes: number;
  /** The last `endBytes` bytes that were read. */
  end: Uint8Array;
  readMillis: number;
  /** User of the process if it shares /tmp with the agent; otherwise undefined. */
  hostUserId: number | undefined;
}

/**
 * Number of bytes at the end of the read part that are compared with the file, to tell a map that
 * has grown from a map that was rewritten. The JDK rewrites its maps.
 */
const endBytes = 64;

/** Perf maps by process. */
export class PerfMaps {
  readonly #proc: ProcFolder;
  readonly #hostTmp: string;
  readonly #clock: Clock;
  readonly #known = new LeastRecent<ReadMap>(perfMapsSymbolsMax, ({ map }) =>
    Math.max(map.length, perfMapSymbolsLeast),
  );
  readonly #budget: ReadingBudget;

  /** `hostTmp` is the agent's own /tmp. */
  constructor(proc: ProcFolder, clock: Clock, hostTmp = '/tmp') {
    this.#hostTmp = hostTmp;
    this.#proc = proc;
    this.#clock = clock;
    this.#budget = new ReadingBudget(clock);
  }

  /** Returns the function at an address in `process`. */
  find(process: SampledProcess, address: number): JitSymbol | undefined {
    return this.#current(process).map.find(address);
  }

  /** Releases the maps of programs that have ended. */
  forget(ended: readonly SampledProcess[]): void {
    for (const process of ended) this.#known.remove(processKey(process));
  }

  #current(process: SampledProcess): ReadMap {
    const key = processKey(process);
    const now = this.#clock.monotonicMillis();
    const known = this.#known.get(key);
    if (known !== undefined && now - known.readMillis < perfMapRereadMillis) return known;
    const next = this.#read(process, known);
    next.readMillis = now;
    // The map's size has changed, so its weight in the cache must be updated.
    this.#known.put(key, next);
    return next;
  }

  /** Reads what was added since the last read. */
  #read({ pid, namespacePid }: SampledProcess, known: ReadMap | undefined): ReadMap {
    const empty = { map: new PerfMap(), bytes: 0, end: new Uint8Array(), readMillis: 0 };
    const current = known ?? { ...empty, hostUserId: undefined };
    let folder = this.#proc.file(pid, 'root/tmp');
    let userId = this.#proc.userId(pid);
    if (userId === undefined) {
      // The process has ended; if it shares /tmp with the agent, its file may still exist.
      if (current.hostUserId === undefined) return current;
      [folder, userId] = [this.#hostTmp, current.hostUserId];
    } else {
      current.hostUserId = isSameFolder(folder, this.#hostTmp) ? userId : undefined;
    }
    // A link could lead out of the process's root.
    if (!isFolder(folder)) return current;
    const opened = openRegularFile(`${folder}/perf-${namespacePid}.map`);
    if (opened === undefined) return current;
    try {
      const { file } = opened;
      // All users can write to /tmp, so the map must belong to the process's user.
      const isOwn = file.userId === userId || file.userId === 0;
      if (!isOwn || file.size > perfMapBytesMax) return current;
      const { bytes, end } = current;
      const isSame = Buffer.compare(file.readNow(bytes - end.length, end.length), end) === 0;
      const target = isSame ? current : { ...current, ...empty };
      this.#readOn(file, target);
      return target;
    } finally {
      opened.close();
    }
  }

  #readOn(file: OpenFile, current: ReadMap): void {
    const piece = file.readNow(
      current.bytes,
      Math.min(this.#budget.bytes, file.size - current.bytes),
    );
    if (piece.length === 0) return;
    this.#budget.use(piece.length);
    current.bytes += piece.length;
    current.end = piece.slice(-endBytes);
    current.map.add(piece);
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isSameFolder(path: string, other: string): boolean {
  const [one, two] = [path, other].map((each) => lstatSync(each, { throwIfNoEntry: false }));
  return one !== undefined && one.dev === two?.dev && one.ino === two.ino;
}
