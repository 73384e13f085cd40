// Every sampled program with its labels, read once.
import type { Binary, SampledProcess } from '../../bpf/sampler.ts';
import type { Clock } from '../../src/base/clock.ts';
import { LeastRecent } from '../../src/base/least-recent.ts';
import { type Label, type LabelSet, createLabelSet, isLabelName } from '../../src/model/labels.ts';
import type { LabelMap, Relabeling } from '../../src/model/relabel.ts';
import { processesMax } from '../limits.ts';
import type { ProcessLabels } from './process-labels.ts';

/** A program that a process runs. */
export interface KnownProcess {
  readonly process: SampledProcess;
  /** Before relabeling; for the status page. */
  readonly found: ReadonlyMap<string, string>;
  /** Labels of its series; undefined when relabeling drops the process. */
  readonly labels: LabelSet | undefined;
  readonly madeMillis: number;
  /** Samples so far. */
  samples: number;
}

export interface ProcessTableOptions {
  readonly processLabels: ProcessLabels;
  readonly relabel: Relabeling;
  /** Added after relabeling where the name is free. */
  readonly externalLabels: LabelSet;
  /** Labels are read again after this time. */
  readonly labelLifeMillis: number;
  readonly clock: Clock;
}

/** Programs by process, start and name. */
export class ProcessTable {
  readonly #options: ProcessTableOptions;
  readonly #known = new LeastRecent<KnownProcess>(processesMax, () => 1);

  constructor(options: ProcessTableOptions) {
    this.#options = options;
  }

  /**
   * The known program. A number that is used again starts at another time, exec changes the
   * executable, and a process may change its name: each is another program.
   */
  find(process: SampledProcess, binary: Binary | undefined): KnownProcess {
    const key = `${process.pid}\0${process.startNanos}\0${process.executable}\0${process.name}`;
    const { clock, labelLifeMillis, processLabels } = this.#options;
    const now = clock.monotonicMillis();
    const known = this.#known.get(key);
    // The names of a process that was sampled in the middle of exec come a sample later.
    const isNamedNow = known?.process.commandLine.length === 0 && process.commandLine.length > 0;
    if (known !== undefined && now - known.madeMillis < labelLifeMillis && !isNamedNow)
      return known;
    const found = processLabels.read(process, binary);
    const made = {
      process,
      found,
      labels: this.#relabelled(found),
      madeMillis: now,
      samples: known?.samples ?? 0,
    };
    this.#known.put(key, made);
    return made;
  }

  /** Every program that is remembered. */
  all(): readonly KnownProcess[] {
    return this.#known.all();
  }

  #relabelled(found: LabelMap): LabelSet | undefined {
    const { relabel, externalLabels } = this.#options;
    const changed: LabelMap = new Map(found);
    if (relabel(changed) !== undefined) return undefined;
    const labels: Label[] = [];
    for (const [name, value] of changed) {
      // Names that begin with two underscores were for relabeling alone.
      if (!name.startsWith('__') && isLabelName(name)) labels.push({ name, value });
    }
    return createLabelSet([...labels, ...externalLabels.filter(({ name }) => !changed.has(name))]);
  }
}
