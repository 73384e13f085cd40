// All sampled programs with their labels, which are read once.
import type { Binary, ProcessEvent, SampledProcess } from '../../bpf/sampler.ts';
import type { Clock } from '../../src/base/clock.ts';
import { LeastRecent } from '../../src/base/least-recent.ts';
import { type Label, type LabelSet, createLabelSet, isLabelName } from '../../src/model/labels.ts';
import type { LabelMap, Relabeling } from '../../src/model/relabel.ts';
import { endedProgramsMax, processesMax, settledMillis } from '../limits.ts';
import { isInUnifiedGroup, parseCgroup } from './cgroup.ts';
import { foundServiceLabel, givenServiceLabel, type ProcessLabels } from './process-labels.ts';

/** A program that a process runs. */
export interface KnownProcess {
  process: SampledProcess;
  /** Labels before relabeling, for the status page. */
  found: ReadonlyMap<string, string>;
  /** Labels of the program's series; undefined if relabeling drops the process. */
  labels: LabelSet | undefined;
  madeMillis: number;
  /** Number of samples so far. */
  samples: number;
  /** Time of the last sample; 0n = none yet. */
  sampledNanos: bigint;
}

export interface ProcessTableOptions {
  readonly processLabels: ProcessLabels;
  readonly relabel: Relabeling;
  /** Applies the rules that drop complete control groups; absent if there are no such rules. */
  readonly relabelGroup?: Relabeling | undefined;
  /**
   * Labels that are added after relabeling unless the process already has labels with these names.
   */
  readonly externalLabels: LabelSet;
  /** Time after which labels are read again. */
  readonly labelLifeMillis: number;
  readonly clock: Clock;
}

/** Processes and control groups that are no longer sampled. */
export interface Unwanted {
  readonly pids: readonly number[];
  readonly cgroupIds: readonly bigint[];
}

/** Programs by process id, start time and name. */
export class ProcessTable {
  readonly #options: ProcessTableOptions;
  readonly #running = new LeastRecent<KnownProcess>(processesMax, () => 1);
  /** Ended programs, for the status page and for samples that arrive in the next batch. */
  readonly #ended = new LeastRecent<KnownProcess>(endedProgramsMax, () => 1);

  constructor(options: ProcessTableOptions) {
    this.#options = options;
  }

  /**
   * Returns the program of a process, or creates it. A program is identified by process id (with
   * its start time, because ids are reused), executable (which exec changes) and process name. The
   * object stays the same when its labels are read again, because two rows of a batch may belong to
   * the same program.
   */
  find(process: SampledProcess, binary: Binary | undefined): KnownProcess {
    const key = processKey(process);
    const { clock, labelLifeMillis, processLabels } = this.#options;
    const now = clock.monotonicMillis();
    const known = this.#running.get(key) ?? this.#ended.get(key);
    // If a process was first sampled during exec, its command line arrives with a later sample.
    const isNamedNow = known?.process.commandLine.length === 0 && process.commandLine.length > 0;
    const hasMoved = known !== undefined && known.process.cgroupId !== process.cgroupId;
    const isOld = known === undefined || now - known.madeMillis >= labelLifeMillis;
    const isFresh = !isOld && !isNamedNow && !hasMoved;
    if (isFresh && !processLabels.areStale(known.found)) return known;
    const found = processLabels.read(process, binary);
    const labels = this.#relabelled(found);
    if (known !== undefined)
      return Object.assign(known, { process, found, labels, madeMillis: now });
    const made = { process, found, labels, madeMillis: now, samples: 0, sampledNanos: 0n };
    this.#running.put(key, made);
    return made;
  }

  /** Queries the containers of new processes before their labels are read. */
  async load(processes: readonly SampledProcess[]): Promise<void> {
    const isNew = (process: SampledProcess): boolean =>
      this.#running.get(processKey(process)) === undefined;
    await this.#options.processLabels.load(processes.filter(isNew));
  }

  /**
   * Returns the processes of a batch that relabeling drops permanently, or their control group if
   * the complete group is dropped. Their labels must have been stable for `settledMillis`, because
   * a runtime may report a container late.
   */
  unwanted(processes: readonly SampledProcess[]): Unwanted {
    const lastMillis = this.#options.clock.monotonicMillis() - settledMillis;
    const pids: number[] = [];
    const cgroupIds = new Set<bigint>();
    for (const process of processes) {
      const known = this.#running.get(processKey(process));
      if (known === undefined || known.labels !== undefined || known.madeMillis > lastMillis)
        continue;
      if (this.#isInUnwantedGroup(known)) cgroupIds.add(known.process.cgroupId);
      else pids.push(process.pid);
    }
    return { pids, cgroupIds: [...cgroupIds] };
  }

  /**
   * Processes the events of ended processes and changed programs. Must be called after the samples
   * of the same batch were processed. Returns the programs that have ended.
   */
  end(events: readonly ProcessEvent[]): readonly SampledProcess[] {
    const ends = new Map(events.map(({ pid, timeNanos }) => [pid, timeNanos]));
    const ended: SampledProcess[] = [];
    for (const [key, program] of this.#running.entries()) {
      const endNanos = ends.get(program.process.pid);
      // If the process now runs another program, that program has later samples or is not known
      // yet.
      if (endNanos === undefined || program.sampledNanos >= endNanos) continue;
      this.#running.remove(key);
      this.#ended.put(key, program);
      ended.push(program.process);
    }
    return ended;
  }

  /** Returns all known programs. */
  all(): readonly KnownProcess[] {
    return [...this.#running.all(), ...this.#ended.all()];
  }

  #isInUnwantedGroup({ process, found }: KnownProcess): boolean {
    const { relabelGroup } = this.#options;
    if (relabelGroup === undefined || process.cgroupId === 0n) return false;
    return (
      isInUnifiedGroup(parseCgroup(process.cgroup)) && relabelGroup(new Map(found)) !== undefined
    );
  }

  #relabelled(found: LabelMap): LabelSet | undefined {
    const { relabel, externalLabels } = this.#options;
    const changed: LabelMap = new Map(found);
    if (relabel(changed) !== undefined) return undefined;
    const service =
      changed.get(givenServiceLabel) ||
      changed.get('service_name') ||
      changed.get(foundServiceLabel);
    if (service !== undefined) changed.set('service_name', service);
    const labels: Label[] = [];
    for (const [name, value] of changed) {
      // Names that begin with two underscores are only for relabeling.
      if (!name.startsWith('__') && isLabelName(name)) labels.push({ name, value });
    }
    return createLabelSet([...labels, ...externalLabels.filter(({ name }) => !changed.has(name))]);
  }
}

function processKey({ pid, startNanos, executable, name }: SampledProcess): string {
  return `${pid}\0${startNanos}\0${executable}\0${name}`;
}
