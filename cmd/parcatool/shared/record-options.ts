// The flags of `record` as values.
import { type FlagValues, invalidFlag } from '../../flag-table.ts';

/** Ways to profile; `auto` is the one that the command is for. */
export const recorderNames = ['auto', 'go', 'node', 'py-spy', 'perf'] as const;

/** Most runs of one command, and samples that a profiler takes in a second. */
const [runsMax, frequencyMax] = [1_000, 10_000];

export interface RecordOptions {
  readonly runs: number;
  /** Folders to run in, in turn: FOLDER or NAME=FOLDER. */
  readonly folders: readonly string[];
  readonly recorder: string;
  readonly frequencyHz: number;
}

/** Reads the flags. Errors: AppError 'invalid-argument' naming the flag. */
export function readRecordOptions(flags: FlagValues): RecordOptions {
  const between = (name: string, max: number): number => {
    const value = flags.count(name);
    if (value >= 1 && value <= max) return value;
    throw invalidFlag(`--${name} must be from 1 to ${max}, not ${value}`);
  };
  return {
    runs: between('runs', runsMax),
    folders: flags.all('folder').filter((folder) => folder !== ''),
    recorder: flags.oneOf('with', recorderNames),
    frequencyHz: between('frequency', frequencyMax),
  };
}
