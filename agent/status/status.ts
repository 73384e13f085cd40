// Data of the status page as plain objects; also the body of /status.json.
import type { SamplerCounters } from '../../bpf/sampler.ts';
import type { KnownProcess } from '../process/process-table.ts';
import type { UploaderState } from '../debuginfo/uploader.ts';
import type { QueueState } from '../../src/forward/request-queue.ts';
import type { SenderState } from '../../src/forward/sender.ts';
import { statusRowsMax } from '../limits.ts';
import {
  type ExecutableHealth,
  type InterpreterRow,
  statusNames,
  type UnwindFailure,
} from '../sampling/unwind-health.ts';

/** A sampled program. */
export interface ProcessRow {
  readonly pid: number;
  readonly comm: string;
  readonly executable: string;
  readonly samples: number;
  /** Labels before relabeling. */
  readonly found: Readonly<Record<string, string>>;
  /** Labels after relabeling; undefined for a dropped process. */
  readonly labels: Readonly<Record<string, string>> | undefined;
}

/** Unwinding statistics of one executable. */
export interface ExecutableRow {
  readonly executable: string;
  readonly samples: number;
  /** Share of stacks that were unwound completely, 0 to 1. */
  readonly completeShare: number;
  /** Number of stacks by status, without "complete". */
  readonly failures: Readonly<Record<string, number>>;
  /** "" if unwinding has never failed. */
  readonly firstFailure: string;
}

/** State of the agent. */
export interface AgentStatus {
  readonly version: string;
  readonly node: string;
  /** Server or folder that receives the profiles. */
  readonly destination: string;
  /** Seconds since the start. */
  readonly uptimeSeconds: number;
  /** CPU seconds of the agent since the start, including native threads. */
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  /** Undefined before the first batch. */
  readonly sampler: SamplerCounters | undefined;
  /** Undefined if profiles are stored locally. */
  readonly sender: SenderState | undefined;
  readonly queue: QueueState | undefined;
  /** Undefined if nothing is uploaded. */
  readonly uploads: UploaderState | undefined;
  /** A sentence about how files are symbolized. */
  readonly symbols: string;
  /** Sentences about features that do not work on this host, with reasons. */
  readonly notices: readonly string[];
  readonly processes: readonly ProcessRow[];
  readonly executables: readonly ExecutableRow[];
  /** Sampled interpreters. */
  readonly interpreters: readonly InterpreterRow[];
}

/** Returns the processes with the most samples. */
export function processRows(known: readonly KnownProcess[]): ProcessRow[] {
  return [...known]
    .sort((a, b) => b.samples - a.samples)
    .slice(0, statusRowsMax)
    .map(({ process, found, labels, samples }) => ({
      pid: process.pid,
      comm: process.name,
      executable: process.executable,
      samples,
      found: Object.fromEntries(found),
      labels: labels && Object.fromEntries(labels.map(({ name, value }) => [name, value])),
    }));
}

/** Returns the executables with the most samples. */
export function executableRows(all: readonly ExecutableHealth[]): ExecutableRow[] {
  return [...all]
    .sort((a, b) => b.samples - a.samples)
    .slice(0, statusRowsMax)
    .map(({ executable, samples, complete, byStatus, firstFailure }) => ({
      executable,
      samples,
      completeShare: complete / samples,
      failures: Object.fromEntries(
        byStatus.flatMap((count, status) => {
          const name = statusNames.get(status) ?? String(status);
          return count === 0 || name === 'complete' ? [] : [[name, count]];
        }),
      ),
      firstFailure: firstFailure === undefined ? '' : failureText(firstFailure),
    }));
}

/** Describes a failure: "noRule at 0x1234 of /usr/lib/libc.so.6 in process 7". */
function failureText({ status, pid, file, address }: UnwindFailure): string {
  return `${status} at 0x${address.toString(16)} of ${file || 'memory'} in process ${pid}`;
}
