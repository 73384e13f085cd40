// Finds and reads the jitdumps of processes. A runtime maps the first page of its dump as
// executable, so that profilers find the dump's path in /proc/PID/maps. The path is resolved in the
// file system of the process. The dump keeps growing; each update reads only the new records.
import type { SampledProcess } from '../../bpf/sampler.ts';
import { processKey } from './process-key.ts';
import type { Clock } from '../../src/base/clock.ts';
import { LeastRecent } from '../../src/base/least-recent.ts';
import { keepOpen } from '../files/open-file.ts';
import {
  jitDumpMapsBytesMax,
  jitDumpSearchMillis,
  jitDumpSearchMillisMax,
  perfMapRereadMillis,
  perfMapsSymbolsMax,
  perfMapSymbolsLeast,
} from '../limits.ts';
import { type ProcFolder, readStart } from '../process/proc-folder.ts';
import { type DumpedSymbol, JitDump } from './jit-dump.ts';
import { ReadingBudget } from './reading-budget.ts';

/** Opens a file as a process sees it, and returns its descriptor; -1 if there is no such file. */
type OpenFile = (pid: number, path: string) => number;

/** A process, and its dump if it has one. */
interface KnownDump {
  dump: JitDump;
  /** Path of the dump as the process sees it; undefined until the dump is found. */
  path: string | undefined;
  /** Monotonic time of the next search or read. */
  nextMillis: number;
  searchMillis: number;
}

/** Dumps by process. */
export class JitDumps {
  readonly #proc: ProcFolder;
  readonly #clock: Clock;
  readonly #openFile: OpenFile;
  readonly #budget: ReadingBudget;
  readonly #known = new LeastRecent<KnownDump>(perfMapsSymbolsMax, ({ dump }) =>
    Math.max(dump.weight, perfMapSymbolsLeast),
  );

  constructor(proc: ProcFolder, clock: Clock, openFile: OpenFile) {
    this.#proc = proc;
    this.#clock = clock;
    this.#openFile = openFile;
    this.#budget = new ReadingBudget(clock);
  }

  /** Returns the function at an address in `process`; undefined if no dump has it. */
  find(process: SampledProcess, address: number): DumpedSymbol | undefined {
    const key = processKey(process);
    const now = this.#clock.monotonicMillis();
    const known = this.#known.get(key) ?? {
      dump: new JitDump(),
      path: undefined,
      nextMillis: now,
      searchMillis: jitDumpSearchMillis,
    };
    if (now >= known.nextMillis) {
      this.#update(process, known, now);
      // The size of the dump has changed, so its weight in the cache is updated.
      this.#known.put(key, known);
    }
    return known.dump.find(address);
  }

  /** Releases the dumps of programs that have ended. */
  forget(ended: readonly SampledProcess[]): void {
    for (const process of ended) this.#known.remove(processKey(process));
  }

  #update(process: SampledProcess, known: KnownDump, now: number): void {
    known.path ??= this.#search(process);
    if (known.path === undefined) {
      known.nextMillis = now + known.searchMillis;
      known.searchMillis = Math.min(known.searchMillis * 4, jitDumpSearchMillisMax);
      return;
    }
    known.nextMillis = now + perfMapRereadMillis;
    const opened = keepOpen(this.#openFile(process.pid, known.path));
    if (opened === undefined) return;
    try {
      const { file } = opened;
      const userId = this.#proc.userId(process.pid);
      // A program can map any file that it can read, but only a file of its own user or of root is
      // trusted to describe its code.
      if (file.userId !== userId && file.userId !== 0) return;
      if (known.dump.readOn(file, this.#budget)) return;
      known.dump = new JitDump();
      known.dump.readOn(file, this.#budget);
    } finally {
      opened.close();
    }
  }

  /** Returns the path of the mapped file that is named like the jitdump of the process. */
  #search({ pid, namespacePid }: SampledProcess): string | undefined {
    let maps: Buffer;
    try {
      maps = readStart(this.#proc.file(pid, 'maps'), jitDumpMapsBytesMax);
    } catch {
      // The process has ended, or the agent may not read its mappings.
      return undefined;
    }
    const name = `/jit-${namespacePid}.dump`;
    const at = maps.indexOf(`${name}\n`);
    if (at === -1) return undefined;
    const line = maps.toString('utf8', maps.lastIndexOf('\n', at) + 1, at + name.length);
    return /^\S+ r.xp \S+ \S+ \S+ +(\/.*)$/.exec(line)?.[1];
  }
}
