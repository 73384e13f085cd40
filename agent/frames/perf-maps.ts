// The perf maps of processes, read from their own file system, and again when they have grown.
import { lstatSync } from 'node:fs';
import type { SampledProcess } from '../../bpf/sampler.ts';
import type { Clock } from '../../src/base/clock.ts';
import { LeastRecent } from '../../src/base/least-recent.ts';
import { type OpenFile, openRegularFile } from '../files/open-file.ts';
import { perfMapBytesMax, perfMapRereadMillis, perfMapsSymbolsMax } from '../limits.ts';
import type { ProcFolder } from '../process/proc-folder.ts';
import { type JitSymbol, PerfMap } from './perf-map.ts';

/** A map as far as it has been read. */
interface ReadMap {
  readonly map: PerfMap;
  /** Bytes that were read. */
  bytes: number;
  readMillis: number;
}

const pieceBytes = 1024 * 1024;

/** Maps by process. */
export class PerfMaps {
  readonly #proc: ProcFolder;
  readonly #clock: Clock;
  readonly #known = new LeastRecent<ReadMap>(perfMapsSymbolsMax, ({ map }) => map.length + 1);

  constructor(proc: ProcFolder, clock: Clock) {
    this.#proc = proc;
    this.#clock = clock;
  }

  /** The function of `process` at an address. */
  find(process: SampledProcess, address: number): JitSymbol | undefined {
    const known = this.#current(process);
    const found = known.map.find(address);
    return found;
  }

  #current(process: SampledProcess): ReadMap {
    const key = `${process.pid}:${process.startNanos}:${process.executable}`;
    const now = this.#clock.monotonicMillis();
    const known = this.#known.get(key);
    if (known !== undefined && now - known.readMillis < perfMapRereadMillis) return known;
    const next = this.#read(process, known);
    next.readMillis = now;
    // What it weighs has changed.
    this.#known.put(key, next);
    return next;
  }

  /** Reads on where the last reading ended. */
  #read({ pid, namespacePid }: SampledProcess, known: ReadMap | undefined): ReadMap {
    const folder = this.#proc.file(pid, 'root/tmp');
    const fresh = (): ReadMap => ({ map: new PerfMap(), bytes: 0, readMillis: 0 });
    // A link would lead out of the process's root.
    if (!isFolder(folder)) return known ?? fresh();
    const userId = this.#proc.userId(pid);
    const path = `${folder}/perf-${namespacePid}.map`;
    const opened = openRegularFile(path);
    if (opened === undefined) return known ?? fresh();
    try {
      const { file } = opened;
      // Anybody may write to /tmp: the map must be the process's own.
      const isOwn = file.userId === userId || file.userId === 0;
      if (!isOwn || file.size > perfMapBytesMax) return known ?? fresh();
      const isGrown = known !== undefined && file.size >= known.bytes;
      const current = isGrown ? known : fresh();
      readFrom(file, current);
      return current;
    } finally {
      opened.close();
    }
  }
}

function readFrom(file: OpenFile, current: ReadMap): void {
  while (current.bytes < file.size) {
    const piece = file.readNow(current.bytes, Math.min(pieceBytes, file.size - current.bytes));
    if (piece.length === 0) return;
    current.bytes += piece.length;
    // One byte a character: pieces may end inside one, and names are shown as they are.
    current.map.add(Buffer.from(piece).toString('latin1'));
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
